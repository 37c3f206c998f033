"""`protocol/README.md` and the code say the same: every table row, number and example of the page is compared."""

import re
from pathlib import Path

import pytest

from protocol import events, gatt, lights, messages, pages, reading, reasons, statistics
from protocol.message import Message, UnknownKind
from tests.protocol import replay

PAGE = (Path(__file__).parents[2] / "protocol" / "README.md").read_text(encoding="utf-8")
_WIDTHS = {"B": "u8", "H": "u16", "I": "u32", "*": "rest"}


def rows(heading: str) -> list[list[str]]:
    """The cells of every table row under a heading, up to the next heading of any level."""
    section = re.split(rf"^#+ {re.escape(heading)}$", PAGE, flags=re.MULTILINE)[1]
    section = re.split(r"^#+ ", section, flags=re.MULTILINE)[0]
    lines = [line for line in section.splitlines() if line.startswith("|") and not line.startswith("|---")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def specified_fields(cls: type[Message]) -> str:
    """A LAYOUT in the words of the page."""
    return " · ".join(f"{name} {_WIDTHS.get(code) or code[:-1] + ' bytes'}" for name, code in cls.LAYOUT)


def table_of(classes: dict[str, type[Message]]) -> dict[str, tuple[int, str]]:
    return {name: (cls.KIND, specified_fields(cls)) for name, cls in classes.items()}


def specified_table(heading: str) -> dict[str, tuple[int, str]]:
    return {row[1]: (int(row[0], 16), row[2]) for row in rows(heading) if row[0].startswith("0x")}


@pytest.mark.parametrize(("heading", "kinds"), [("To the ARC", range(0x01, 0x40)), ("From the ARC", range(0x40, 0x80))])
def test_messages_are_as_specified(heading: str, kinds: range) -> None:
    classes = {name: cls for name, cls in replay.message_classes().items() if cls.KIND in kinds}
    assert specified_table(heading) == table_of(classes)


def test_inside_answers_is_as_specified() -> None:
    specified = {row[0]: row[1] for row in rows("Inside answers") if row[0] != "name"}
    assert specified == {replay.specified_name(cls): specified_fields(cls) for cls in replay.INSIDE}


def test_events_are_as_specified() -> None:
    assert specified_table("Events") == table_of(dict(replay.body_classes()))


def test_reasons_are_as_specified() -> None:
    specified = {row[1]: int(row[0]) for row in rows("Reasons") if row[0].isdigit()}
    assert specified == {n: v for n, v in vars(reasons).items() if n.isupper()}


def test_counters_are_as_specified() -> None:
    specified = {row[1]: (int(row[0]), tuple(row[2].split(" · "))) for row in rows("Statistics") if row[0].isdigit()}
    assert specified == {
        name: (group, statistics.COUNTERS[group])
        for name, group in vars(messages).items()
        if name.startswith("STATISTICS_")
    }


def test_pages_are_as_specified() -> None:
    specified = {row[1]: int(row[0]) for row in rows("State pages") if row[0].isdigit()}
    assert specified == {name: value for name, value in vars(messages).items() if name.startswith("PAGE_")}
    assert f"0x{pages.state_hash(b'', b'', b''):08X}" in PAGE


def test_lights_are_as_specified() -> None:
    table = [row for row in rows("Lights") if row[0].isdigit()]
    patterns = {row[1].split(",")[0].upper().replace(" ", "_"): int(row[0]) for row in table}
    assert patterns == {
        "DARK": lights.DARK,
        "STEADY": lights.STEADY,
        "FLASH": lights.FLASH,
        "SLOW_FLASH": lights.SLOW_FLASH,
        "ATTENTION": lights.ATTENTION,
        "BLINK_ONCE": lights.BLINK_ONCE,
    }
    colours = {row[3].upper(): int(row[2]) for row in table}
    assert colours.pop("NONE") == lights.NO_COLOUR
    assert colours == {name: getattr(lights, name) for name in ("GREEN", "BLUE", "RED", "WHITE", "YELLOW")}
    valid = {lights.light(pattern, colour) for pattern in patterns.values() for colour in [0, *colours.values()]}
    assert {byte for byte in range(-1, 300) if lights.is_light(byte)} == valid


def test_the_gatt_table_is_as_specified() -> None:
    table = {row[0]: (row[1].strip("`"), row[2]) for row in rows("Bluetooth Low Energy") if row[1].startswith("`")}
    assert table == {
        "service": (gatt.SERVICE_UUID, ""),
        "INFO": (gatt.INFO_UUID, "read"),
        "COMMAND": (gatt.COMMAND_UUID, "write with response"),
        "EVENT": (gatt.EVENT_UUID, "notify"),
    }
    core_specification = {"read": 0x02, "write with response": 0x08, "notify": 0x10}
    assert list(gatt.CHARACTERISTICS) == [(uuid, core_specification[words]) for uuid, words in list(table.values())[1:]]
    assert f"at most {gatt.MAX_COMMAND} bytes" in PAGE


def test_the_version_is_as_specified() -> None:
    version = ".".join(map(str, messages.VERSION))
    assert f"This is version **{version}**." in PAGE
    assert rows("Versions")[-1][0] == version


def numbers_behind(beginning: str) -> dict[str, int]:
    """What a sentence of the page numbers: `cause: 1 power on, 2 reset pin.` gives power_on and reset_pin."""
    sentence = re.split(r"\.(?:\s|$)", PAGE.split(beginning)[1])[0].replace("\n", " ")
    found = re.findall(r"(\d+) ([^,;:]+)", sentence)
    return {name.strip().replace(" ", "_").replace("-", "_"): int(number) for number, name in found}


def test_numbers_inside_events_are_as_specified() -> None:
    assert numbers_behind("BOOTED cause:") == {
        "power_on": events.POWER_ON,
        "reset_pin": events.RESET_PIN,
        "watchdog": events.WATCHDOG,
        "brown_out": events.BROWN_OUT,
        "soft_reset": events.SOFT_RESET,
        "deep_sleep": events.DEEP_SLEEP,
    }
    assert numbers_behind("BATTERY_MEASURED state:") == {
        "good": events.BATTERY_GOOD,
        "low": events.BATTERY_LOW,
        "very_low": events.BATTERY_VERY_LOW,
        "empty": events.BATTERY_EMPTY,
        "on_USB": events.BATTERY_USB,
    }
    assert numbers_behind("BUTTON_PRESSED:") == {"short": events.PRESS_SHORT, "long": events.PRESS_LONG}
    assert list(numbers_behind("CARD_UNREADABLE:").values()) == [
        events.UNREADABLE_DAMAGED,
        events.UNREADABLE_RANDOM_UID,
    ]
    assert list(numbers_behind("MODULE_DETACHED:").values()) == [events.DETACHED_ITSELF, events.DETACHED_WITH_PARENT]
    assert list(numbers_behind("is a diagnosis and no game event:").values()) == [
        events.MODULE_REBOOTED,
        events.MODULE_DUPLICATE_ID,
        events.MODULE_UNPLACED,
        events.MODULE_FOREIGN_VERSION,
        events.MODULE_ALONE,
    ]


def test_fault_codes_are_as_specified() -> None:
    specified = numbers_behind("FAULT_FOUND code:")
    assert list(specified.values()) == sorted(v for n, v in vars(events).items() if n.startswith("FAULT_"))
    assert specified["bus_noisy"] == events.FAULT_BUS_NOISY
    assert specified["log_damaged"] == events.FAULT_LOG_DAMAGED
    assert specified["crashed"] == events.FAULT_CRASHED


def test_flags_are_as_specified() -> None:
    assert list(numbers_behind("Flags of a module:").values()) == [
        pages.FLAG_UNPLACED,
        pages.FLAG_DUPLICATE_ID,
        pages.FLAG_FOREIGN_VERSION,
    ]
    assert list(numbers_behind("INFO flags:").values()) == [
        messages.INFO_PAIRING,
        messages.INFO_IN_USE,
        messages.INFO_LOCKED,
        messages.INFO_SAFE_MODE,
    ]


def test_a_record_fits_the_smallest_notification() -> None:
    assert events.RECORD_SIZE == 20 == gatt.SMALLEST_MTU - 3
    assert max(reading.record_length(kind) for kind in range(0x80, 0x100) if is_record(kind)) == events.RECORD_SIZE


def is_record(kind: int) -> bool:
    try:
        reading.record_length(kind)
    except UnknownKind:
        return False
    return True


def test_reserved_kinds_have_no_message() -> None:
    section = PAGE.split("## Reserved")[1].split("##")[0]
    reserved: set[int] = set()
    for first, last in re.findall(r"0x([0-9A-F]{2})(?:–0x([0-9A-F]{2}))?", section):
        reserved |= set(range(int(first, 16), int(last or first, 16) + 1))
    assert {0x3C, 0xFF} <= reserved
    assert not reserved & (set(messages.COMMANDS) | set(messages.ANSWERS))
    assert not reserved & {cls.KIND for cls in replay.body_classes().values()}


@pytest.mark.parametrize("name", sorted(replay.REPLAYS))
def test_the_examples_of_the_page_are_vectors(name: str) -> None:
    """A case named after the README stands there, byte for byte."""
    digits = re.sub(r"[^0-9a-f]", "", re.sub(r"`|0x", " ", PAGE).lower())
    for case in replay.load(str(Path(__file__).parents[2] / "protocol" / "vectors"), name):
        if "README" not in case["name"]:
            continue
        for key in {"bytes", "mac", "modules_page", "edges_page", "tags_page", "advertisement"} & case.keys():
            assert case[key] in digits, (case["name"], key)
