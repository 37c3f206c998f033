"""For all tests: one printed seed for every source of chance, hypothesis included; more examples in the soak."""

import hypothesis
import pytest
from hypothesis import core

hypothesis.settings.register_profile("test", deadline=None, max_examples=60, print_blob=True)
hypothesis.settings.register_profile("soak", parent=hypothesis.settings.get_profile("test"), max_examples=3_000)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """The seed that pytest-randomly prints in the header (`--randomly-seed=N` repeats the run) feeds hypothesis too."""
    hypothesis.settings.load_profile("soak" if config.getoption("markexpr") == "soak" else "test")
    seed = config.getoption("randomly_seed", default=None)
    if isinstance(seed, int) and core.global_force_seed is None:
        setattr(core, "global_force_seed", seed)  # noqa: B010 (its declared type is None)
