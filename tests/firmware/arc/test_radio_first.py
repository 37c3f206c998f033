"""The radio takes one large piece of memory outside the heap: it is switched on before anything of size is made (report 43)."""

import ast
from pathlib import Path

MAIN = Path(__file__).parents[3] / "firmware" / "arc" / "main.py"


def test_the_radio_is_made_before_every_part_but_clock_and_name() -> None:
    (arc,) = (
        node for node in ast.parse(MAIN.read_text()).body if isinstance(node, ast.ClassDef) and node.name == "Arc"
    )
    (init,) = (node for node in arc.body if isinstance(node, ast.FunctionDef) and node.name == "__init__")
    made = [ast.unparse(node.targets[0]) for node in init.body if isinstance(node, ast.Assign)]
    assert made[: made.index("self.radio")] == ["self.clock", "device"]
