"""The colony: a pure simulation. `new_game`, `step`, `view`, `report`, `problems`; no clock, file, screen or chance of its own."""

from companion.simulation.checklist import table_setup
from companion.simulation.colony import Colony
from companion.simulation.commands import Refusal, Setup
from companion.simulation.goals import judge_goal
from companion.simulation.opening import SetupError, check_setup, new_game
from companion.simulation.pool import is_in_pool
from companion.simulation.problems import problems
from companion.simulation.report import report
from companion.simulation.scoring import planet_modifier
from companion.simulation.step import Stepped, step
from companion.simulation.text import TextError, command_from_text, command_to_text, differences, from_text, to_text
from companion.simulation.view import view

__all__ = [
    "Colony",
    "Refusal",
    "Setup",
    "SetupError",
    "Stepped",
    "TextError",
    "check_setup",
    "command_from_text",
    "command_to_text",
    "differences",
    "from_text",
    "is_in_pool",
    "judge_goal",
    "new_game",
    "planet_modifier",
    "problems",
    "report",
    "step",
    "table_setup",
    "to_text",
    "view",
]
