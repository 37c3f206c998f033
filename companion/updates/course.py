"""The update that runs over one link: begins it, goes on with it after a lost link, and says what became of it.

Rules: a lost link leads to waiting, and the next session goes on; an ARC that has it all restarts, and what runs when it is
reached again is how it ended, be it after people were told that it stays away; only the modules that are not through are begun again. Pure: time comes by `tick`.
"""

from collections.abc import Callable, Iterable, Sequence

from companion.link import news, updating
from companion.link.conversations import NO_LINK, Conversations
from companion.link.talks import read_modules
from companion.link.updating import Outcome, Progress, Version, see_restart, update_arc, update_modules, version_in
from companion.screens.controller import UpdateStage
from companion.updates.run import Run, Status, text_of, version_of
from protocol.events import MODULE_REBOOTED, Booted, Event, ModuleAttached, ModuleNoticed
from protocol.messages import Info, ModuleStatus
from protocol.update_image import Image

CONFIRMED = "The ARC runs {version} and is connected again: the new firmware stays."
WENT_BACK = "The ARC runs {version} again: the new firmware did not start, or was not reached within three starts. Nothing is lost."
RESTARTS = "Everything is there. The ARC restarts into {version} and connects again by itself."
NOT_BACK = (
    "The ARC has all of {version} and was not reached for two minutes after its restart. Switch it off and on, up to three times: if the new "
    "firmware does not work, the old one runs again by itself. If it stays dark, flash it over its cable."
)
WAITS = "The ARC is out of reach. The update goes on where it stopped as soon as it is back."
BREAKS = (
    "The link broke again and again at the same place. Where the new firmware is not whole the old one runs: "
    "try again nearer to the ARC, or over USB."
)
STOPPED = (
    "Stopped. What was sent is kept, and the next update goes on where this one stopped. "
    "Where the new firmware is not whole the old one runs until then."
)
"""Both of an ARC and of modules, of which some may be through."""
MODULES_RESTART = "The modules that have everything start again by themselves, and are asked what they run."
ALL_UPDATED = ("The module is updated.", "All {n} modules are updated.")
"""For one and for several."""
NONE_UPDATED = ("The module was not updated.", "None of the {n} modules was updated.")
SOME_UPDATED = "{done} of {n} modules updated."
KEEPS_OLD = ("It keeps its old firmware.", "They keep their old firmware.")
OTHERS_KEEP_OLD = ("The other one keeps its old firmware.", "The others keep their old firmware.")
MOST_BREAKS = 3
"""Lost links in a row without one byte more on the board: then it is given up."""
RESTARTS_WITHIN_MS = 3_000
"""An ARC that has switched is gone by then; before that it would refuse to begin anew."""
BACK_WITHIN_MS = 120_000


class Updates:
    """Of one link; `handle` gets its news after `talk` did. `info`, `token` of an ARC by its device id: as the link knows them.
    `on_bus` are the modules; `over` is called when an update has come to its end by itself."""

    def __init__(
        self,
        talk: Conversations,
        info: Callable[[], Info | None],
        token: Callable[[bytes], bytes | None],
        on_bus: Callable[[], Iterable[int]] = tuple,
        over: Callable[[Status], None] = lambda _: None,
    ) -> None:
        self._talk, self._info, self._token = talk, info, token
        self._on_bus, self._over = on_bus, over
        self._run: Run | None = None
        self._away: Run | None = None
        """Of an ARC that stays away: it has ended for people, and its ARC may come back still."""
        self._now_ms = 0
        self._has_looked = False
        self._statuses: dict[int, ModuleStatus] = {}
        self._believed: dict[int, Version] = {}
        """Of modules that an older ARC cannot ask: what they were sent."""
        self.status: Status | None = None

    @property
    def versions(self) -> dict[int, Version]:
        """What modules run, as far as they were asked."""
        return self._believed | {instance: version_in(status) for instance, status in self._statuses.items()}

    def look(self) -> None:
        """Asks all modules what they run, and from now on each that comes."""
        self._has_looked = True
        self._read(self._on_bus())

    def _read(self, instances: Iterable[int]) -> None:
        self._talk.begin(read_modules(tuple(instances), self._seen), lambda _: None, lambda _: None)

    def update_arc(self, image: Image) -> None:
        self._start(image, ())

    def update_modules(self, image: Image, instances: tuple[int, ...]) -> None:
        """One after another, in this order."""
        if instances and self._run is None:
            self._has_looked = True
            self._read(instances)
            self._start(image, instances)

    def stop(self) -> None:
        """An ARC that restarts into its new firmware cannot be stopped any more."""
        run = self._run
        if run is None or run.restarts_since_ms is not None:
            return
        if run.talk:
            self._talk.stop(run.talk)
        self._end(UpdateStage.STOPPED, STOPPED)

    def handle(self, message: news.News) -> None:
        match message:
            case Event(body=ModuleAttached() as module):
                self._statuses.pop(module.instance, None)
                self._believed.pop(module.instance, None)
                self._look_again(module.instance)
            case Event(body=ModuleNoticed() as noticed) if noticed.code == MODULE_REBOOTED:
                self._look_again(noticed.instance)
            case news.Resumed() | news.Snapshot():
                self._look_again(*(instance for instance in self._on_bus() if instance not in self._statuses))
        if run := self._run or self._away:
            self._handle(run, message)

    def _look_again(self, *instances: int) -> None:
        if self._has_looked:
            self._read(instances)

    def _seen(self, instance: int, status: ModuleStatus) -> None:
        self._statuses[instance] = status

    def _handle(self, run: Run, message: news.News) -> None:
        """What tells that the ARC is back: as what it was, or as what it was to become."""
        if not self._is_its_arc(run):
            return
        match message:
            case news.Resumed() if run.restarts_since_ms is None:
                self._resume(run)
            case news.Resumed() if run.has_come(self._runs()):
                self._judge(run)
            case Event(body=Booted()) | news.Skipped() if run.restarts_since_ms is not None:
                self._judge(run)

    def _resume(self, run: Run) -> None:
        """An OK that was lost with the link, the last one perhaps, is answered by what runs now."""
        if not run.progress.is_checking:
            self._send(run)
        elif (instance := run.progress.instance) is not None:
            talk = run.talk = read_modules((instance,), self._seen)
            self._talk.begin(talk, lambda _: self._send_unless_there(run, instance), self._failed)
        elif run.has_come(self._runs()):
            self._judge(run)
        else:
            run.due_ms = self._now_ms + RESTARTS_WITHIN_MS

    def _send_unless_there(self, run: Run, instance: int) -> None:
        # one that had this version before shows nothing by it
        if self.versions.get(instance) == run.image.head.version != run.had.get(instance):
            run.sent(Outcome(instance), boots=None)
        self._send(run)

    def tick(self, now_ms: int) -> None:
        """Shows what has come since; a clock for how long it takes."""
        self._now_ms = now_ms
        run = self._run
        if run is None or self.status is None:
            return
        if run.restarts_since_ms is not None:  # the ARC itself
            if now_ms - run.restarts_since_ms > BACK_WITHIN_MS:
                self._end(UpdateStage.AWAY, NOT_BACK.format(version=text_of(run.image.head.version)))
                self._away = run
        elif run.due_ms is not None and now_ms >= run.due_ms:
            self._send(run)
        elif self.status.stage in (UpdateStage.SENDING, UpdateStage.CHECKING):
            self._show(UpdateStage.CHECKING if run.progress.is_checking else UpdateStage.SENDING)

    # one run

    def _start(self, image: Image, instances: tuple[int, ...]) -> None:
        if self._run is None:
            progress = Progress(0, len(image.data), instance=instances[0] if instances else None)
            self._run, self._away = Run(image, instances, self._runs(), progress, had=self.versions), None
            self._send(self._run)

    def _send(self, run: Run) -> None:
        """From where the board says; the modules that are through are not begun again."""
        info = self._info()
        token = self._token(info.device) if info and self._is_its_arc(run) else None
        if info is None or token is None:
            self._show(UpdateStage.WAITING, WAITS)
            return
        run.device = info.device
        run.measured_from = run.due_ms = None
        if run.instances and not run.left:
            self._see_restart(run)
            return
        self._show(UpdateStage.SENDING)
        if run.instances:
            run.talk = talk = update_modules(run.image, token, run.left, self._progressed, self._sent)
            self._talk.begin(talk, lambda _: self._see_restart(run), self._failed, is_long=True)
        else:
            run.talk = arc_talk = update_arc(run.image, token, self._progressed)
            self._talk.begin(arc_talk, lambda _: self._arc_done(run), self._failed, is_long=True)

    def _is_its_arc(self, run: Run) -> bool:
        """Is it the ARC that this began with? People may have gone on with another, or one next door has answered."""
        info = self._info()
        return info is not None and run.device in (None, info.device)

    def _progressed(self, progress: Progress) -> None:
        if self._run:
            self._run.moved_to(progress, self._now_ms)

    def _sent(self, outcome: Outcome) -> None:
        status = self._statuses.get(outcome.instance)
        if self._run:
            self._run.sent(outcome, status.boots if status else None)

    def _see_restart(self, run: Run) -> None:
        self._show(UpdateStage.RESTARTING, MODULES_RESTART)
        run.talk = talk = see_restart(tuple(run.restarting), run.boots, run.image.head.version, self._seen, self._back)
        self._talk.begin(talk, lambda _: self._modules_done(run), self._failed, is_long=True)

    def _back(self, outcome: Outcome) -> None:
        run = self._run
        if run:
            run.restarting.remove(outcome.instance)
            run.outcomes.append(outcome)
            if not outcome.why:
                self._believed[outcome.instance] = run.image.head.version

    def _arc_done(self, run: Run) -> None:
        run.talk, run.restarts_since_ms = None, self._now_ms
        self._show(UpdateStage.RESTARTING, RESTARTS.format(version=text_of(run.image.head.version)))

    def _modules_done(self, run: Run) -> None:
        run.talk = None
        is_well = not any(outcome.why for outcome in run.outcomes)
        self._end(UpdateStage.DONE if is_well else UpdateStage.FAILED, modules_text(run.outcomes))

    def _failed(self, why: str) -> None:
        run = self._run
        if run is None:
            return
        run.talk = run.due_ms = None
        if why != NO_LINK:
            self._end(UpdateStage.FAILED, why)
            return
        run.breaks = 1 if run.has_moved else run.breaks + 1
        run.has_moved = False
        if run.breaks > MOST_BREAKS:
            self._end(UpdateStage.FAILED, BREAKS)
        else:
            self._show(UpdateStage.WAITING, WAITS)

    def _judge(self, run: Run) -> None:
        """The ARC was reached after it has started again, which is what confirms a new firmware."""
        self._run, self._away = run, None
        version = self._runs()
        if version == run.image.head.version:
            self._end(UpdateStage.DONE, CONFIRMED.format(version=text_of(version)))
        else:
            self._end(UpdateStage.FAILED, WENT_BACK.format(version=text_of(version)))

    def _end(self, stage: UpdateStage, text: str) -> None:
        self._show(stage, text)
        self._run = None
        if self.status and stage is not UpdateStage.STOPPED:
            self._over(self.status)

    def _show(self, stage: UpdateStage, text: str = "") -> None:
        if self._run:
            self.status = self._run.status(stage, text, self._now_ms)

    def _runs(self) -> Version | None:
        return version_of(self._info())


def modules_text(outcomes: Sequence[Outcome]) -> str:
    """How it went with all of them; why not, stands with each."""
    count, failed = len(outcomes), [outcome.why for outcome in outcomes if outcome.why]
    if not failed:
        return _of(ALL_UPDATED, count)
    is_none = len(failed) == count
    text = _of(NONE_UPDATED, count) if is_none else SOME_UPDATED.format(done=count - len(failed), n=count)
    if updating.NOT_BACK in failed:  # nobody knows what that one runs
        return text
    return f"{text} {_of(KEEPS_OLD if is_none else OTHERS_KEEP_OLD, len(failed))}"


def _of(texts: tuple[str, str], n: int) -> str:
    """That for one, or that for several."""
    return texts[n > 1].format(n=n)
