"""A line for talks."""

import pytest

from tests.companion.link.line import Line


@pytest.fixture
def line() -> Line:
    return Line()
