"""How much current each LED may draw. Tenths of a milliampere, whole numbers."""


def cap_tenths_ma(modules: int, budget_ma: int, most_ma: int, percent: int, is_noisy: bool) -> int:
    """The cap of one LED: an equal share of the budget, at most `most_ma`, cut to the battery's `percent`; half on a noisy bus."""
    share = min(most_ma * 10, budget_ma * 10 // modules if modules else most_ma * 10)
    share = share * percent // 100
    return share // 2 if is_noisy else share
