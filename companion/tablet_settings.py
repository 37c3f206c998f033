"""What a tablet remembers beside its games: by which id ARCs know it, and how its screens look."""

import json
from collections.abc import Callable

from companion.screens.controller import Settings, TextSize
from companion.storage.records import Store

_TABLET_ID, _SETTINGS = "tablet_id", "settings"


def tablet_id(store: Store, random_bits: Callable[[int], int]) -> int:
    """By which ARCs know this tablet, drawn once."""
    kept = store.setting(_TABLET_ID)
    if kept is None:
        kept = str(random_bits(32))
        store.keep_setting(_TABLET_ID, kept)
    return int(kept)


def read(store: Store) -> Settings:
    """As people left them; what another version of this app wrote, and this one does not know, is as at first."""
    try:
        kept = dict(json.loads(store.setting(_SETTINGS) or "{}"))
    except (ValueError, TypeError):
        return Settings()
    size = next((size for size in TextSize if size.value == kept.get("text_size")), TextSize.NORMAL)
    return Settings(size, bool(kept.get("reduce_motion")), bool(kept.get("is_flipped")))


def keep(store: Store, settings: Settings) -> None:
    kept = {
        "text_size": settings.text_size.value,
        "reduce_motion": settings.reduce_motion,
        "is_flipped": settings.is_flipped,
    }
    store.keep_setting(_SETTINGS, json.dumps(kept))
