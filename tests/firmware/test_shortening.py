"""Parameters get one letter where, and only where, nobody can tell."""

import ast
from typing import Any

import pytest

from firmware.shortening import shorten_parameters


def shortened(source: str, **others: str) -> str:
    return shorten_parameters({"a.py": source, **{f"{name}.py": text for name, text in others.items()}})["a.py"]


def parameters(source: str) -> list[str]:
    return [node.arg for node in ast.walk(ast.parse(source)) if isinstance(node, ast.arg)]


def test_parameters_are_letters_that_the_function_does_not_use() -> None:
    out = shortened("def f(self, first, second):\n    a = first\n    return a + second + b\n")
    assert ast.unparse(ast.parse(out)) == "def f(self, c, d):\n    a = c\n    return a + d + b"


def test_one_that_is_called_by_its_name_or_stands_somewhere_as_a_text_keeps_it() -> None:
    source = "def f(near, far, other):\n    return near, far, other\n"
    assert parameters(shortened(source, caller="f(1, far=2, other=3)", table="LAYOUT = ('near', 'B')")) == [
        "near",
        "far",
        "other",
    ]


@pytest.mark.parametrize(
    "source",
    [
        "def run(word=word):\n    return word * 2\n",
        "def run(word=3):\n    word += 1\n    return [word + each for each in range(word)]\n",
        "def run(word=3):\n    return [word for word in range(4)], word\n",
        "def run(word=3):\n    return (lambda more: more + word)(word)\n",
        "def run(word=3):\n    return (lambda word: word + 1)(word + 1), word\n",
        "def run(word=3):\n    def more(other):\n        return other + word\n    return more(word)\n",
        "def run(word=3):\n    def more(a):\n        word = a\n        return word\n    return more(word), word\n",
        "def run(word=3):\n    def more():\n        nonlocal word\n        word += 1\n    more()\n    return word\n",
        "def run(word=3, other=4):\n    def word():\n        return other\n    return word()\n",
        "def run(word=3):\n    import math as word\n    return word.floor(2.5)\n",
        "def run(word=3):\n    try:\n        raise ValueError(word)\n    except ValueError as error:\n        return error.args\n",
        "def run(word=3):\n    try:\n        raise ValueError(1)\n    except ValueError as word:\n        return word.args\n",
        "def run(word=3, *rest, other=5, **more):\n    return word, rest, other, more\n",
        "def run(word=3):\n    class Inner:\n        word = 4\n    return Inner.word, word\n",
        "def run(word=3):\n    for word in range(word):\n        pass\n    return word, f'{word}'\n",
        "def run(word=3):\n    yield from (word + a for a in range(2))\n",
        "async def later(word):\n    return [word]\n\ndef run(word=3):\n    try:\n        later(word).send(None)\n    except StopIteration as end:\n        return end.value\n",
        "def outer(first):\n    return lambda second: lambda third: first + second + third\n\ndef run():\n    return outer(1)(2)(3)\n",
        "class C:\n    def __init__(self, value):\n        self.value = value\n\ndef run():\n    return C(4).value\n",
    ],
)
def test_a_program_does_the_same(source: str) -> None:
    def result(text: str) -> Any:
        space: dict[str, Any] = {"word": 7}
        exec(text, space)
        given = space["run"]()
        return list(given) if hasattr(given, "send") else given

    out = shortened(source)
    assert result(out) == result(source)
    assert shortened(out) == out


def test_more_parameters_than_letters() -> None:
    names = [f"word{number}" for number in range(30)]
    source = f"def run({', '.join(names)}):\n    return [{', '.join(names)}]\n"
    space: dict[str, Any] = {}
    exec(shortened(source), space)
    assert space["run"](*range(30)) == list(range(30))
