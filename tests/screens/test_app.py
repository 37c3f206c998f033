"""The app on its loop: starts, follows the controller, obeys keys, stands still when nothing happens, and leaves."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio
from attrs import evolve
from kivy.clock import Clock
from kivy.core.window import Window

from companion.screens.app import ColoniesApp
from companion.screens.controller import Settings, TextSize
from companion.screens.gallery import samples, samples_between as between, samples_settled as settled
from companion.screens.gallery.puppet import Puppet
from companion.screens.keys import ENTER, ESCAPE, RIGHT
from companion.screens.view_models.toasts import HELD
from companion.session import actions
from companion.session.table import Notice, NoticeKind
from tests.screens.stage import clear_window

pytestmark = pytest.mark.screens


async def frames(number: int) -> None:
    end = Clock.frames + number
    while Clock.frames < end:
        await asyncio.sleep(0)


async def until(is_so: Callable[[], bool], limit: int = 300) -> None:
    for _ in range(limit):
        if is_so():
            return
        await frames(1)
    raise AssertionError("still not so")


@pytest_asyncio.fixture
async def app() -> AsyncIterator[ColoniesApp]:
    clear_window()
    Window.size = (1280, 800)
    app = ColoniesApp(Puppet(samples.TABLE, between.SAVED))
    task = asyncio.create_task(app.async_run("asyncio"))
    while app.shell is None or app.root is None:
        await asyncio.sleep(0)
        if task.done():
            task.result()
    await frames(3)
    yield app
    app.stop()
    await task
    clear_window()


def puppet(app: ColoniesApp) -> Puppet:
    assert isinstance(app.controller, Puppet)
    return app.controller


def current(app: ColoniesApp) -> str:
    assert app.shell is not None
    return str(app.shell.screens.current)


def press(key: int, text: str = "", modifiers: tuple[str, ...] = ()) -> None:
    Window.dispatch("on_key_down", key, 0, text, list(modifiers))


async def test_the_app_follows_the_table(app: ColoniesApp) -> None:
    assert current(app) == "colony"
    puppet(app).show(settled.summary_table(2))
    await until(lambda: current(app) == "summary")
    puppet(app).show(None)
    await until(lambda: current(app) == "start")


async def test_a_message_is_a_sheet_two_frames_later(app: ColoniesApp) -> None:
    assert app.shell is not None
    began = Clock.frames
    puppet(app).show(between.dialog_table("owner"))
    await until(lambda: app.shell.sheet.parent is not None and app.shell.sheet.ids.panel.height > 200)  # type: ignore[union-attr]  # it runs
    assert Clock.frames - began <= 2


async def test_an_equal_table_draws_nothing(app: ColoniesApp) -> None:
    await frames(10)
    drawn: list[int] = []
    Window.bind(on_draw=lambda *_: drawn.append(1))
    puppet(app).show(evolve(samples.TABLE))
    await frames(30)
    assert drawn == []


async def test_keys(app: ColoniesApp) -> None:
    press(ENTER)
    press(0, "z", ("ctrl",))
    assert puppet(app).actions == [actions.Next(), actions.Undo()]
    press(0, "3")
    assert current(app) == "detail"
    press(ESCAPE)
    assert current(app) == "colony"
    press(0, "h")
    assert current(app) == "history"
    puppet(app).show(settled.summary_table(0))
    press(RIGHT)
    assert puppet(app).actions[-1] == actions.TurnPage(1)


async def test_keys_wait_behind_a_question(app: ColoniesApp) -> None:
    puppet(app).show(between.dialog_table("next"))
    press(ENTER)
    assert puppet(app).actions == []


async def test_notices_leave_by_themselves(app: ColoniesApp) -> None:
    assert app.shell is not None
    puppet(app).show(between.NOTICES)
    await frames(2)
    timers = app.shell.toasts.timers
    assert {id: timer.timeout for id, timer in timers.items()} == {1: 4, 2: 7}
    timers[1].get_callback()(0)
    assert puppet(app).actions == [actions.DismissNotice(1)]


async def test_notices_of_the_page_before_go_when_it_is_turned(app: ColoniesApp) -> None:
    assert app.shell is not None
    plain = Notice(5, NoticeKind.INFO, "Nothing to see here.")
    came = Clock.get_time()
    puppet(app).show(evolve(samples.TABLE, notices=(between.NOTICES.notices[0], plain)))
    await frames(2)
    puppet(app).show(evolve(settled.summary_table(0), notices=(between.NOTICES.notices[0], plain)))
    await until(lambda: actions.DismissNotice(5) in puppet(app).actions)
    assert actions.DismissNotice(1) not in puppet(app).actions
    assert HELD - (Clock.get_time() - came) <= app.shell.toasts.timers[1].timeout <= HELD


async def test_large_letters_and_the_other_side_of_the_table(app: ColoniesApp) -> None:
    assert app.shell is not None
    before = app.shell.screens.get_screen("colony")
    puppet(app).keep_settings(Settings(TextSize.LARGE, reduce_motion=True, is_flipped=True))
    await frames(3)
    assert app.shell.screens.get_screen("colony") is not before
    assert Window.rotation == 180
    puppet(app).keep_settings(Settings(reduce_motion=True))
    await frames(3)
    assert Window.rotation == 0


async def test_screens_are_built_when_first_shown(app: ColoniesApp) -> None:
    assert app.shell is not None
    assert app.shell.screens.screen_names == ["colony"]


async def test_turning_the_window_stacks_the_cards(app: ColoniesApp) -> None:
    assert app.shell is not None
    body = app.shell.screens.get_screen("colony").ids.body
    assert len(body.children) == 2
    Window.size = (800, 1280)
    await until(lambda: len(body.children) == 4)
