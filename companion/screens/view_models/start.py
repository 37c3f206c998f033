"""The start screen's list of saved games, and what is still to be plugged in when one is resumed."""

from attrs import frozen

from companion.screens.controller import Offer, SavedGame
from companion.screens.texts import _, count
from companion.screens.view_models import words
from companion.screens.view_models.cards import PillVM
from companion.screens.view_models.choices import TapVM
from companion.screens.view_models.page import BlockVM, ItemVM, PageVM
from companion.session.table import ArcState, TableView


@frozen
class StartVM:
    resume_id: str = ""
    resume_text: str = ""
    games: tuple[TapVM, ...] = ()
    lead: str = ""


def start_screen(games: tuple[SavedGame, ...], message: str = "", offers: tuple[Offer, ...] = ()) -> StartVM:
    """`message` and `offers` come first: people wait for them."""
    going = [game for game in games if not game.is_ended]
    newest = going[0] if going else None
    return StartVM(
        resume_id=newest.id if newest else "",
        resume_text=_("{name}, round {n}").format(name=newest.name, n=newest.round) if newest else "",
        games=(*map(offer_card, offers), *map(game_card, games)),
        lead=message or ("" if games else _("No game has been saved on this tablet yet.")),
    )


OFFER = "offer:"
"""Before the id of an offer among the games."""


def offer_card(offer: Offer) -> TapVM:
    return TapVM(OFFER + offer.id, offer.title, offer.text, offer.icon, "poor")


def game_card(game: SavedGame) -> TapVM:
    pill = PillVM("flag-checkered", _("Ended"), "muted")
    if not game.is_ended:
        pill = PillVM("", _("Round {n} / {all}").format(n=game.round, all=game.max_rounds), "accent")
    return TapVM(
        game.id,
        game.name,
        _("{planet} · saved {when}").format(planet=game.planet, when=game.saved_at),
        "earth",
        pill=pill,
    )


def resume_page(table: TableView) -> PageVM:
    colony = table.colony
    assert colony is not None
    missing = tuple(missing_row(one.name, one.builder, table) for one in table.missing)
    waiting = {one.instance for one in table.missing}
    found = tuple(
        ItemVM(title=module.name, icon="check-circle", tone="good")
        for module in colony.modules
        if module.instance not in waiting
    )
    to_plug = BlockVM(
        title=_("STILL TO PLUG IN"),
        icon="puzzle-outline",
        tone="poor" if missing else "good",
        pill=PillVM("", count(len(missing), _("{n} module"), _("{n} modules")), "poor") if missing else PillVM(),
        lead="" if missing else _("All modules of this colony are there."),
        items=missing,
        note=_("Any port will do: the app notes the new places. Play may go on with modules missing.")
        if missing
        else "",
    )
    there = BlockVM(
        title=_("FOUND"),
        icon="check-circle-outline",
        tone="good",
        lead="" if found else _("None yet."),
        items=found,
    )
    return PageVM(
        title=_("WELCOME BACK TO {name}").format(name=colony.colony_name.upper()),
        subtitle=_("Round {n} of {all} on {planet}").format(
            n=colony.round, all=colony.max_rounds, planet=colony.planet_name
        ),
        icon="play",
        columns=((to_plug,), (there,)),
    )


def missing_row(name: str, builder: str | None, table: TableView) -> ItemVM:
    manager = words.find_manager(table.colony, builder)
    text = _("Its light comes on when it is found") if table.arc.state is not ArcState.NONE else ""
    if manager is not None:
        return ItemVM(title=name, text=text, manager=words.portrait_of(manager))
    return ItemVM(title=name, text=text, icon="puzzle-outline", tone="poor")
