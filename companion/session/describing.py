"""The words of the session: what was registered, what an undo takes back, why something does not count."""

from companion.session.rules import Rules
from companion.session.situations import Signal, Situation
from companion.session.state import Pending, State
from companion.session.table import DialogKind
from companion.simulation import commands as c

REFUSALS = {
    Situation.SETUP: "Cards count from round 1. Lay down manager tokens to take a seat.",
    Situation.LAST_ROUND: "No decrees or directives in the last round.",
    Situation.SUMMARY: "Finish the summary first: what is laid down now belongs to no round.",
    Situation.ENDED: "This game is over.",
    Situation.LINK_LOST: "The ARC is out of reach. Wait until it is back, or play on without it.",
}
GOVERNOR_IN_SUMMARY = "A settlement is never taken back."
LATE = "This was laid down before the last settlement and is not counted. Lay it down again."
NOTHING_TO_UNDO = "There is nothing to take back in this round."


def title_of(rules: Rules, id: str) -> str:
    """Of a card or token: a manager's name is the title of the token. The id where this catalog lacks it."""
    tagged = rules.tagged(id)
    return tagged.title if tagged else id


def not_seated_text(rules: Rules, manager: str) -> str:
    return f"{title_of(rules, manager)} does not take part in this game."


def module_title(rules: Rules, type_id: int) -> str:
    return rules.module_name(type_id) or f"Unknown module (type {type_id})"


def registered_text(rules: Rules, state: State, command: c.Command) -> str:
    """«Decree “Ration cards” by Ava Xu»: what the undo question and the done notice name."""
    match command:
        case c.RegisterDecree(decree, manager):
            return f"decree “{title_of(rules, decree)}” by {title_of(rules, manager)}"
        case c.RegisterDirective(directive, manager):
            return f"directive “{title_of(rules, directive)}” by {title_of(rules, manager)}"
        case c.SubmitModule(instance, manager):
            name = module_title(rules, dict(state.connected).get(instance, 0))
            return f"{name}, built by {title_of(rules, manager) if manager else 'nobody'}"
        case c.Campaign(manager):
            return f"campaign of {title_of(rules, manager)}"
        case c.UseAmbassador(manager):
            return f"the Ambassador, used by {title_of(rules, manager)}"
        case c.ChangeGovernor(manager):
            return f"{title_of(rules, manager)} becomes Governor"
        case c.FlipAssistant(manager):
            return f"the turned assistant card of {title_of(rules, manager)}"
        case c.CorrectValue():
            word = command.level or command.fill
            return f"the correction of {correction_target(command)} to {word.value if word else command.value}"
    return type(command).__name__


def correction_target(command: c.CorrectValue) -> str:
    if command.stock:
        return "STOCK"
    if command.round:
        return "the round"
    target = command.status or command.accumulator or command.group
    return target.value.replace("_", " ") if target else "a value"


def consequence_text(command: c.Command) -> str:
    """What people put right at the table when this is taken back."""
    match command:
        case c.RegisterDecree() | c.RegisterDirective():
            return "The card goes back to the hand, and its fee to the Repository."
        case c.SubmitModule():
            return "The module stays plugged in and asks for its builder again; 2 VP and the Support are taken back."
        case c.Campaign():
            return "The Support is taken back; the token leaves its socket."
        case c.UseAmbassador():
            return "The Terran Dependence, 2 VP and the Support are as before."
    return ""


def pending_name(rules: Rules, pending: Pending) -> str:
    """The question as NEXT names it when it stands in the way."""
    match pending.kind:
        case DialogKind.OWNER | DialogKind.REPLACE_CARD:
            return f"“{title_of(rules, pending.subject)}” waits for its owner"
        case DialogKind.BUILDER:
            return f"{module_title(rules, pending.type_id)} waits for its builder"
        case DialogKind.FOREIGN_MODULE:
            return f"{module_title(rules, pending.type_id)} is not part of this game"
        case DialogKind.CAMPAIGN:
            return f"the campaign of {title_of(rules, pending.subject)} waits for an answer"
        case DialogKind.AMBASSADOR:
            return "the Ambassador waits for a manager"
        case DialogKind.UNDO:
            return "the undo question waits for an answer"
    return "a question waits for an answer"


def refusal_text(situation: Situation, signal: Signal) -> str:
    if situation is Situation.SUMMARY and signal is Signal.GOVERNOR:
        return GOVERNOR_IN_SUMMARY
    return REFUSALS[situation]
