"""The golden vectors of the protocol, replayed here by the same script as on CPython."""

from tests.protocol import replay

FOLDER = __file__.rsplit("/tests/", 1)[0] + "/protocol/vectors"


def _replay(name):
    cases = replay.load(FOLDER, name)
    wrong = []
    for case in cases:
        wrong += replay.differences(name, case)
    assert cases
    assert not wrong, "\n".join(wrong)


def test_commands():
    _replay("commands")


def test_answers():
    _replay("answers")


def test_events():
    _replay("events")


def test_units():
    _replay("units")


def test_frames():
    _replay("frames")


def test_crc16():
    _replay("crc16")


def test_mac():
    _replay("mac")


def test_tags():
    _replay("tags")


def test_pages():
    _replay("pages")


def test_advertisements():
    _replay("advertisements")


def test_statistics():
    _replay("statistics")


def test_resuming():
    _replay("resuming")


def test_no_file_is_forgotten():
    tested = {name[len("test_") :] for name in globals() if name.startswith("test_")}
    assert set(replay.REPLAYS) <= tested


def test_updates():
    _replay("updates")
