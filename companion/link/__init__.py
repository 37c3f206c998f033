"""The ARC, from the app: `Arc` finds it, pairs, resumes and delivers its events in order, each once."""

from companion.link.arc import Arc as Arc
