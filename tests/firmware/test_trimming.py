"""What nothing in a program names goes, and only that."""

import ast

import pytest

from firmware.trimming import trim, trim_imports


def trimmed(**files: str) -> dict[str, str]:
    sources = trim({f"firmware/{name}.py": source for name, source in files.items()})
    return {name.removeprefix("firmware/").removesuffix(".py"): text for name, text in sources.items()}


def same(source: str, expected: str) -> bool:
    return ast.dump(ast.parse(source)) == ast.dump(ast.parse(expected))


def test_what_only_the_unnamed_name_goes_with_it() -> None:
    out = trimmed(
        a="def used():\n    pass\n\ndef unused():\n    helper()\n\ndef helper():\n    pass\n\nTABLE = {1: helper}\n",
        b="from firmware.a import used\nused()\n",
    )
    assert same(out["a"], "def used():\n    pass\n")


def test_methods_go_and_an_empty_class_is_still_one() -> None:
    out = trimmed(a="class A:\n\n    def unused(self):\n        pass\n\nA()\n")
    assert same(out["a"], "class A:\n    pass\n\nA()\n")


@pytest.mark.parametrize(
    "user",
    [
        "thing.named()\n",
        "getattr(thing, 'named')()\n",
        "from firmware.a import named\n",
        "from firmware.a import named as other\n",
        "x = {'f': named}\nprint(x)\n",
        "def run():\n    named = 1\n    named += 1\n",
    ],
)
def test_whatever_has_a_name_that_is_asked_for_anywhere_stays(user: str) -> None:
    source = "def named():\n    pass\n"
    assert same(trimmed(a=source, b=user)["a"], source)


def test_what_only_checkers_ask_for_does_not_count() -> None:
    out = trimmed(
        a="def named():\n    pass\n",
        b="TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from firmware.a import named\n\ndef run(x: named) -> named:\n    pass\n",
    )
    assert same(out["a"], "pass\n")


@pytest.mark.parametrize(
    "source",
    ["x = begin()\n", "a = b = 1\n", "a, b = (1, 2)\n", "def run():\n    pass\n", "def __init__():\n    pass\n"],
)
def test_what_may_do_something_stays(source: str) -> None:
    assert same(trimmed(a=source)["a"], source)


def test_imports_that_nobody_uses_go_and_those_handed_on_stay() -> None:
    files = {
        "a": "import hashlib\nfrom firmware import timings, words as w\nfrom firmware.b import f, g\n\nprint(w, f)\n",
        "b": "from firmware.c import f as f, g as g\n",
        "c": "import asyncio\n\ndef f():\n    return asyncio\n\ndef g():\n    import gc\n    gc.collect()\n",
    }
    out = trim_imports({f"firmware/{name}.py": source for name, source in files.items()})
    assert same(out["firmware/a.py"], "from firmware import words as w\nfrom firmware.b import f\n\nprint(w, f)\n")
    assert same(out["firmware/b.py"], "from firmware.c import f as f\n"), "g is asked for by nobody once a does not"
    assert same(out["firmware/c.py"], files["c"])
