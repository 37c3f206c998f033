"""The loaded catalog: everything the game knows before it begins. Made by `loader.load`, never half."""

from collections.abc import Mapping

from attrs import field, frozen

from companion.catalog.model import (
    Advisor,
    Assistant,
    Decree,
    Directive,
    EndingText,
    Fleet,
    Manager,
    ModuleType,
    Occurrence,
    Planet,
    Tagged,
    Token,
)
from companion.catalog.rules import Rules
from companion.catalog.scenario import Scenario
from companion.catalog.table_cards import Ability, Artifact, Goal

DIRECTIVE_COLOUR = "blue"


@frozen(kw_only=True, eq=False)
class Catalog:
    """Entries by id, in the order of the files. Two catalogs are the same when their `version` is."""

    version: str
    """Changes with any byte of the files."""
    rules: Rules
    raw_rules: Mapping[str, Mapping[str, object]] = field(repr=False)
    """The rules as read, for scenarios to lay their changes over."""
    modules: Mapping[str, ModuleType]
    managers: Mapping[str, Manager]
    tokens: Mapping[str, Token]
    assistants: Mapping[str, Assistant]
    advisors: Mapping[str, Advisor]
    decrees: Mapping[str, Decree]
    directives: Mapping[str, Directive]
    occurrences: Mapping[str, Occurrence]
    planets: Mapping[str, Planet]
    fleets: Mapping[str, Fleet]
    scenarios: Mapping[str, Scenario]
    artifacts: Mapping[str, Artifact]
    goals: Mapping[str, Goal]
    abilities: Mapping[str, Ability]
    endings: Mapping[str, EndingText]
    _tags: dict[str, Tagged] = field(init=False, repr=False)
    _types: dict[int, ModuleType] = field(init=False, repr=False)
    memory: dict[object, object] = field(init=False, repr=False, factory=dict)
    """What others compute from this catalog once and want to keep (per planet, per scenario)."""

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_types", {module.type_id: module for module in self.modules.values()})
        object.__setattr__(self, "_tags", dict(self._each_tag()))

    def module_by_type(self, type_id: int) -> ModuleType | None:
        """The module that a miniature with this type says it is; None: newer than this catalog."""
        return self._types.get(type_id)

    def tag(self, code: str) -> Tagged | None:
        """What the card or token with this code is; None: nothing of this catalog."""
        return self._tags.get(code)

    def tags(self) -> Mapping[str, Tagged]:
        """Every code with its meaning."""
        return self._tags

    def _each_tag(self) -> list[tuple[str, Tagged]]:
        managers = [(m.code, Tagged("manager", m.id, m.name, m.colour)) for m in self.managers.values()]
        tokens = [(t.code, Tagged(t.id, t.id, t.name, t.colour)) for t in self.tokens.values()]
        decrees = [(d.code, Tagged("decree", d.id, d.title, d.colour)) for d in self.decrees.values()]
        directives = [(d.code, Tagged("directive", d.id, d.title, DIRECTIVE_COLOUR)) for d in self.directives.values()]
        return managers + tokens + decrees + directives
