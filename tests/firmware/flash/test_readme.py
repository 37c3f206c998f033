"""The README names the commands, options, files and codes that there are."""

import re
from pathlib import Path

from firmware.flash import __main__ as command_line

FOLDER = Path(command_line.__file__).parent
README = (FOLDER / "README.md").read_text()


def test_every_command_and_option_is_in_the_readme() -> None:
    parser = command_line._parser()
    [commands] = [action.choices for action in parser._actions if isinstance(action.choices, dict)]
    for name, command in commands.items():
        assert re.search(rf"^\| `{name}[ `]", README, re.MULTILINE), name
        for action in command._actions:
            for option in action.option_strings:
                if option.startswith("--") and option not in ("--help", "--catalog"):
                    assert option in README, f"{name} {option}"


def test_every_file_has_its_job() -> None:
    table = README.split("## Files")[1].split("## Only")[0]
    named = set(re.findall(r"`(\w+)`", table))
    assert named == {path.stem for path in FOLDER.glob("*.py")} - {"__init__", "errors"}
