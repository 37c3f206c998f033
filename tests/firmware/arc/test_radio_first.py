"""The radio takes one large piece of memory outside the heap: it is switched on before anything of size is made (report 43)."""

import ast
from pathlib import Path

PARTS = Path(__file__).parents[3] / "firmware" / "arc" / "parts.py"


def test_the_radio_is_made_before_every_part_but_clock_and_name() -> None:
    (parts,) = (
        node for node in ast.parse(PARTS.read_text()).body if isinstance(node, ast.ClassDef) and node.name == "Parts"
    )
    (init,) = (node for node in parts.body if isinstance(node, ast.FunctionDef) and node.name == "__init__")
    made = [ast.unparse(node.targets[0]) for node in init.body if isinstance(node, ast.Assign)]
    assert made[: made.index("self.radio")] == ["self.clock", "device"]
