"""Modules come and go on the bus: what the colony is told, whose builder is asked, what is a move and no new building."""

from companion.session.acts import BusSeen, EdgesSeen, Plugged, Unplugged
from companion.session.describing import module_title
from companion.session.state import FIRST_TAPPED, OnBus, State
from companion.session.table import DialogKind, NoticeKind, Phase
from companion.session.turn import Turn
from companion.simulation.commands import ConnectModule, SetConnections, SubmitModule, WithdrawModule

ARC_PARENT = 0
LOW_BITS = 0xFFFFFF
"""Events name a parent by the low 24 bits of its instance."""


def remember(turn: Turn, module: OnBus) -> None:
    """The module is on the bus now, here and nowhere else; which loops it closes is not known yet."""
    others = tuple(known for known in turn.state.on_bus if known.instance != module.instance)
    on_bus = tuple(sorted((*others, module), key=lambda known: known.instance))
    edges = tuple(pair for pair in turn.state.edges if module.instance not in pair)
    if (on_bus, edges) != (turn.state.on_bus, turn.state.edges):
        turn.change(on_bus=on_bus, edges=edges)


def _forget(turn: Turn, instance: int) -> None:
    turn.change(
        on_bus=tuple(known for known in turn.state.on_bus if known.instance != instance),
        edges=tuple(pair for pair in turn.state.edges if instance not in pair),
    )


def plug(turn: Turn, act: Plugged) -> None:
    """Known to the colony: back, or moved, and nothing is asked. New: connected, and its builder is asked."""
    was_on_bus = any(known.instance == act.instance for known in turn.state.on_bus)
    remember(turn, OnBus(act.instance, act.type_id, act.parent))
    name = module_title(turn.rules, act.type_id)
    if turn.state.colony is None:
        turn.tell(NoticeKind.WARNING, f"{name} is plugged in: a new game begins with the ARC alone.")
    if turn.state.colony is None or turn.state.phase is Phase.ENDED:
        return
    instance = turn.state.colony_instance(act.instance)
    if turn.state.knows(instance):
        if not was_on_bus:
            turn.tell(NoticeKind.DONE, f"{name} is on the ARC again.")
    elif stand_in := _tapped_one(turn.state, act.type_id):
        turn.change(stand_ins=(*turn.state.stand_ins, (act.instance, stand_in)))
        turn.tell(NoticeKind.DONE, f"{name} is on the ARC now.")
    elif not any(dialog.instance == act.instance for dialog in turn.state.dialogs):
        _introduce(turn, act)
    connect_pairs(turn)


def _tapped_one(state: State, type_id: int) -> int | None:
    """A module of this type that was tapped and has no miniature yet."""
    taken = {instance for _, instance in state.stand_ins}
    free = (i for i, kind in state.connected if kind == type_id and i >= FIRST_TAPPED and i not in taken)
    return next(free, None)


def _introduce(turn: Turn, act: Plugged) -> None:
    if turn.rules.in_pool(turn.state.colony, act.type_id):
        connect(turn, act.instance, act.type_id)
    else:
        turn.ask(DialogKind.FOREIGN_MODULE, instance=act.instance, type_id=act.type_id, parent=act.parent)


def connect(turn: Turn, instance: int, type_id: int) -> None:
    """The colony gets the module, and people are asked who built it."""
    if turn.register(ConnectModule(instance, type_id), undoable=False):
        turn.change(connected=(*turn.state.connected, (instance, type_id)))
        turn.ask(DialogKind.BUILDER, instance=instance, type_id=type_id)


def withdraw(turn: Turn, instance: int) -> None:
    """Nobody was named its builder yet, so the colony forgets it."""
    state = turn.state
    if not turn.register(WithdrawModule(instance), undoable=False):
        return
    turn.change(
        connected=tuple(known for known in state.connected if known[0] != instance),
        pairs=tuple(pair for pair in state.pairs if instance not in pair),
        stand_ins=tuple(known for known in state.stand_ins if known[1] != instance),
        dialogs=tuple(dialog for dialog in state.dialogs if dialog.instance != instance),
    )


def unplug(turn: Turn, act: Unplugged) -> None:
    """A module without builder leaves no trace; a built one stays in the colony and is missed (§4.9.2)."""
    gone = next((known for known in turn.state.on_bus if known.instance == act.instance), None)
    if gone is None:
        return
    _forget(turn, act.instance)
    instance = turn.state.colony_instance(act.instance)
    if turn.state.knows(instance) and instance not in turn.state.submitted and turn.state.phase is not Phase.ENDED:
        withdraw(turn, instance)
    elif turn.state.knows(instance):
        _miss(turn, gone.type_id, act.is_behind_another)
    else:
        turn.change(dialogs=tuple(dialog for dialog in turn.state.dialogs if dialog.instance != act.instance))


def _miss(turn: Turn, type_id: int, is_behind_another: bool) -> None:
    """One message for all that went off together: of the module that was pulled (HZ-12)."""
    if not is_behind_another:
        name = module_title(turn.rules, type_id)
        turn.tell(NoticeKind.WARNING, f"{name} lost its connection: plug it in again. It stays part of the colony.")


def start_bus(turn: Turn) -> None:
    """After power came back nothing is known to be plugged in until it reports."""
    if turn.state.on_bus or turn.state.edges:
        turn.change(on_bus=(), edges=())


def see_edges(turn: Turn, act: EdgesSeen) -> None:
    if act.pairs != turn.state.edges:
        turn.change(edges=act.pairs)
    connect_pairs(turn)


def see_bus(turn: Turn, act: BusSeen) -> None:
    """Snapshot: the same as if each difference had been reported."""
    seen = dict(act.modules)
    parents = _parents_in(act.pairs)
    for known in turn.state.on_bus:
        if known.instance not in seen:
            unplug(turn, Unplugged(known.instance, is_behind_another=False))
    for instance, type_id in act.modules:
        plug(turn, Plugged(instance, type_id, parents.get(instance, ARC_PARENT)))
    see_edges(turn, EdgesSeen(act.pairs))


def _parents_in(pairs: tuple[tuple[int, int], ...]) -> dict[int, int]:
    """The low bits of each module's neighbour on the way to the ARC, which is found breadth first."""
    parents: dict[int, int] = {}
    reached = [ARC_PARENT]
    for here in reached:
        for pair in pairs:
            if here in pair:
                other = pair[0] if pair[1] == here else pair[1]
                if other not in reached:
                    parents[other] = here & LOW_BITS
                    reached.append(other)
    return parents


def connect_pairs(turn: Turn) -> None:
    """Gives the colony the graph when it changed. Edges of modules that are not on the bus now stay as they were."""
    state = turn.state
    if state.colony is None or state.phase is Phase.ENDED:
        return
    plugged = {state.colony_instance(module.instance) for module in state.on_bus} | {ARC_PARENT}
    kept = {pair for pair in state.pairs if not plugged.issuperset(pair)}
    on_bus = {_unordered(state, pair) for pair in (*state.edges, *_parent_pairs(state))}
    pairs = tuple(sorted(pair for pair in kept | on_bus if _is_in_colony(state, pair)))
    if pairs != state.pairs and turn.register(SetConnections(pairs), undoable=False):
        turn.change(pairs=pairs)


def _parent_pairs(state: State) -> tuple[tuple[int, int], ...]:
    by_low_bits = {module.instance & LOW_BITS: module.instance for module in state.on_bus}
    by_low_bits[ARC_PARENT] = ARC_PARENT
    return tuple((by_low_bits.get(module.parent, ARC_PARENT), module.instance) for module in state.on_bus)


def _unordered(state: State, pair: tuple[int, int]) -> tuple[int, int]:
    first, second = sorted(state.colony_instance(end) for end in pair)
    return first, second


def _is_in_colony(state: State, pair: tuple[int, int]) -> bool:
    return pair[0] != pair[1] and all(end == ARC_PARENT or state.knows(end) for end in pair)


def submit(turn: Turn, instance: int, manager: str | None, text: str, consequence: str) -> bool:
    """The builder is known."""
    if not turn.register(SubmitModule(instance, manager), text, consequence):
        return False
    turn.change(submitted=(*turn.state.submitted, instance))
    return True


def ask_builder_again(turn: Turn, instance: int) -> None:
    """After an undo (HZ-23). One that has lost its connection meanwhile is as one that was taken off before it had a builder."""
    turn.change(submitted=tuple(known for known in turn.state.submitted if known != instance))
    type_id = dict(turn.state.connected)[instance]
    if instance < FIRST_TAPPED and not turn.state.is_plugged(instance):
        withdraw(turn, instance)
        name = module_title(turn.rules, type_id)
        turn.tell(NoticeKind.INFO, f"{name} is not plugged in: its builder is asked when it is.")
    else:
        turn.ask(DialogKind.BUILDER, instance=instance, type_id=type_id)


def tap(turn: Turn, type_id: int, parent: int) -> None:
    """`--arc none`: a miniature that exists only as a tap. Its instance is one that no real module has."""
    if turn.rules.module_name(type_id) is None:
        turn.refuse(f"There is no module of type {type_id} in the catalog.")
        return
    instance = FIRST_TAPPED + turn.state.tapped + 1
    connect(turn, instance, type_id)
    if turn.state.knows(instance):
        pairs = tuple(sorted((*turn.state.pairs, (parent, instance))))
        turn.change(tapped=turn.state.tapped + 1)
        if turn.register(SetConnections(pairs), undoable=False):
            turn.change(pairs=pairs)
