"""For all tests: one printed seed for every source of chance, hypothesis included; more examples in the soak."""

import hypothesis
import pytest
from hypothesis import core, is_hypothesis_test

hypothesis.settings.register_profile("test", deadline=None, max_examples=60, print_blob=True)
hypothesis.settings.register_profile("soak", parent=hypothesis.settings.get_profile("test"), max_examples=1_000)


def is_soak(config: pytest.Config) -> bool:
    return bool(config.getoption("markexpr") == "soak")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """The seed that pytest-randomly prints in the header (`--randomly-seed=N` repeats the run) feeds hypothesis too."""
    hypothesis.settings.load_profile("soak" if is_soak(config) else "test")
    seed = config.getoption("randomly_seed", default=None)
    if isinstance(seed, int) and core.global_force_seed is None:
        setattr(core, "global_force_seed", seed)  # noqa: B010 (its declared type is None)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The soak runs every property again, with the soak's number of examples."""
    if is_soak(config):
        for item in items:
            if is_hypothesis_test(getattr(item, "obj", None)):
                item.add_marker("soak")
