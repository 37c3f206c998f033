"""Numbers take the place of constants where, and only where, that changes nothing."""

import ast
from collections.abc import Callable

from firmware.folding import fold_constants


def folded(**files: str) -> dict[str, str]:
    sources = fold_constants({f"firmware/{name}.py": source for name, source in files.items()})
    return {name.removeprefix("firmware/").removesuffix(".py"): text for name, text in sources.items()}


def same(source: str, expected: str) -> bool:
    return ast.dump(ast.parse(source)) == ast.dump(ast.parse(expected))


def test_a_private_constant_becomes_its_number_and_goes() -> None:
    out = folded(a="_BLOCK = 4 * 1024\n\ndef blocks(n):\n    return n // _BLOCK\n")["a"]
    assert same(out, "def blocks(n):\n    return n // 4096\n")


def test_constants_are_followed_through_imports_and_reexports() -> None:
    out = folded(
        reasons="BUSY, NO_SPACE = 12, 14\n",
        messages="from firmware.reasons import BUSY as BUSY, NO_SPACE as NO_SPACE\nfrom firmware.other import make\n",
        other="def make():\n    pass\n",
        user="from firmware.messages import BUSY, make\n\ndef refuse():\n    return BUSY + make()\n",
        asker="from firmware import reasons\n\ndef refuse():\n    return reasons.NO_SPACE\n",
    )
    assert same(out["user"], "from firmware.messages import make\n\ndef refuse():\n    return 12 + make()\n")
    assert same(out["asker"], "from firmware import reasons\n\ndef refuse():\n    return 14\n")
    assert same(out["messages"], "from firmware.other import make\n")
    assert same(out["reasons"], "pass\n")


def test_a_file_handed_on_as_a_value_keeps_its_constants() -> None:
    source = "WAIT_MS = 5\n"
    out = folded(timings=source, user="from firmware import timings\nwatch = make(timings)\nwait = timings.WAIT_MS\n")
    assert same(out["timings"], source)
    assert "wait = 5" in out["user"]


def test_a_file_that_is_reached_through_its_package_keeps_what_is_asked_of_it() -> None:
    sources = {"bus/__init__": "", "bus/words": "POLL = 5\nSET = 6\n", "user": ""}
    for user in (
        "from firmware import bus\nimport firmware.bus.words\nasked = bus.words.POLL\n",
        "import firmware.bus.words\nasked = firmware.bus.words.POLL\n",
    ):
        assert "POLL = 5" in folded(**(sources | {"user": user}))["bus/words"]


def test_a_negative_number_stays_one() -> None:
    for expression in ("UNSEEN ** 2", "2 ** UNSEEN", "-UNSEEN", "9 - UNSEEN", "UNSEEN % 7", "abs(UNSEEN)"):
        out = folded(a=f"UNSEEN = -3\n\ndef run():\n    return {expression}\n")["a"]
        space: dict[str, Callable[[], object]] = {}
        exec(out, space)
        assert space["run"]() == eval(expression, {"UNSEEN": -3}), expression


def test_what_is_bound_more_than_once_is_no_constant() -> None:
    for source in (
        "LEVEL = 1\n\ndef raise_it():\n    global LEVEL\n    LEVEL += 1\n    return LEVEL\n",
        "SIZE = 1\n\ndef of(SIZE):\n    return SIZE\n",
        "A = 1\nA = 2\nb = A\n",
        "A = 1\nfor A in range(3):\n    print(A)\n",
    ):
        assert same(folded(a=source)["a"], source)


def test_a_parameter_that_hides_a_file_is_no_file() -> None:
    source = "from firmware import timings\n\ndef wait(timings):\n    return timings.WAIT_MS\n"
    assert "timings.WAIT_MS" in folded(a=source, timings="WAIT_MS = 5\n")["a"]


def test_texts_large_numbers_and_truth_values_stay() -> None:
    source = "NAME = 'arc'\nMASK = 0xFFFFFFFF\nIS_ON = True\nshown = (NAME, MASK, IS_ON)\n"
    assert same(folded(a=source)["a"], source)


def test_what_only_checkers_read_goes() -> None:
    out = folded(
        a="TYPE_CHECKING = False\nif TYPE_CHECKING:\n    import typing\n\nclass A:\n    request: int\n    x: int = 5\n"
    )
    assert same(out["a"], "class A:\n    x = 5\n")


def test_an_annotation_needs_no_import() -> None:
    source = "from firmware.b import B\n\nasync def of(b: B, *more: B) -> B:\n    return b\n"
    assert same(
        folded(a=source, b="class B:\n    pass\n")["a"],
        "from firmware.b import B\n\nasync def of(b, *more):\n    return b\n",
    )


def test_a_class_keeps_its_constants_and_whoever_names_it_has_the_number() -> None:
    classes = "class Hello:\n    KIND = 1\n\nclass Pair:\n    KIND = Hello.KIND + 1\n\n    def kind(self):\n        return self.KIND\n"
    out = folded(
        messages=classes,
        user="from firmware.messages import Pair\n\ndef is_pair(kind):\n    return kind == Pair.KIND\n",
        asker="from firmware import messages\n\ndef is_pair(kind):\n    return kind == messages.Pair.KIND\n",
    )
    assert same(out["messages"], classes.replace("Hello.KIND + 1", "1 + 1"))
    assert "return kind == 2" in out["user"]
    assert "return kind == 2" in out["asker"]


def test_what_is_no_constant_of_a_class_stays() -> None:
    for source in (
        "class A:\n    N = 1\n    N = 2\n\nprint(A.N)\n",
        "class A:\n    N = 1\n\nA.N = 2\nprint(A.N)\n",
        "class A:\n    N = 1\n\ndef of(A):\n    return A.N\n",
        "class A:\n    count = 1\n\nprint(A.count)\n",
    ):
        assert same(folded(a=source)["a"], source)
