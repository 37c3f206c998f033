"""Scripts as text: what is a step, and what is said of lines that are none."""

import pytest

from firmware.desk.script import ScriptError, Step, parse


def test_comments_and_blank_lines_are_passed_over() -> None:
    assert parse("# a title\n\nplug solar arc 1  # port 1\nremove\n") == [
        Step(3, "plug", ("solar", "arc", "1")),
        Step(4, "remove", ()),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("remove\nplug", "line 2: plug takes 1 to 4 words, not 0"),
        ("battery 5000 now", "line 1: battery takes 1 words, not 2"),
        ("juggle", "line 1: no step is called juggle; there are present, lay"),
        ('present "manager', "line 1: No closing quotation"),
    ],
)
def test_a_line_that_is_no_step_is_named(text: str, message: str) -> None:
    with pytest.raises(ScriptError, match=message):
        parse(text)
