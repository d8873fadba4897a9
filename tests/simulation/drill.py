"""A simulated table at which a recipe is played: the hands and the faults of the demo, in memory, on one thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dealer_ui.frame.incident_menu import MenuAnswer, menu_of
from dealer_ui.rehearsal.check.night import Checker
from dealer_ui.rehearsal.night import Night, NightOptions
from dealer_ui.rehearsal.own_hands.act import do
from dealer_ui.rehearsal.own_hands.breakage import Breakage
from dealer_ui.rehearsal.own_hands.hands import Hands
from dealer_ui.rehearsal.person.dealer import SimDealer
from dealer_ui.rehearsal.practice.recipe import Practice, row_for
from dealer_ui.rehearsal.practice.step import DealStep, GoOn, PitSays, Restart, Say, Step
from studio.errors import RefusedError
from studio.tables import command as c
from studio.tables.event.record import read_body
from studio.tables.event.table import IncidentOpened, IncidentRuled
from studio.views import TableView

STEPS_MAX = 8_000
PAUSE_MS = 700
"""Between two steps of a recipe: time for the devices to speak."""
_TOLD = (IncidentOpened.__name__, IncidentRuled.__name__)
FOREVER_MS = 1 << 60


@dataclass(slots=True)
class Seen:
    """What came of a recipe: the incidents opened, by id, and the rulings."""

    opened: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    ruled: dict[str, str] = field(default_factory=dict)

    def has(self, practice: Practice, game: str) -> bool:
        return (practice.kind, practice.row, row_for(practice, game).text) in self.opened.values()


class _Moment:
    """Stands beside the dealer until the moment of a recipe has come; then he rests."""

    def __init__(self, at: str, night: Night) -> None:
        self.came = False
        self._at = at
        self._night = night

    def play(self, dealer: SimDealer, view: TableView, now_ms: int) -> bool:
        self.came = self.came or is_moment(self._at, self._night)
        if self.came:
            dealer.rest(FOREVER_MS)
        return self.came


class Drill:
    """One recipe at one table."""

    def __init__(self, practice: Practice, game: str, seed: int = 3, *, bettors: int = 6) -> None:
        self.practice = practice
        self.night = Night(NightOptions(game, seed, bettors=bettors))
        self.checker = Checker(self.night)
        self.hands = Hands(self.night.rig, self.night.view, card_ms=400)
        self.breakage = Breakage(self.night.rig, self)
        self.seen = Seen()
        self._reader = self.night.store.reader()
        self._seq = 0

    # --- the camera, as the fault menu spoils it ------------------------------------------------------

    def plug(self, *, on: bool) -> None:
        self.night.eye.link(up=on)

    def spoil(self, how: str) -> None:
        self.night.eye.blind(how) if how else self.night.eye.see()

    # --- playing --------------------------------------------------------------------------------------

    def play(self) -> None:
        """Come to the moment, do what the recipe says, and wait for the incident."""
        self.begin()
        self._until(lambda: self._look().has(self.practice, self.night.options.game), "the incident never came")

    def begin(self) -> None:
        """Come to the moment and do what the recipe says."""
        self.night.dealer.trick = moment = _Moment(self.practice.at, self.night)
        self._until(lambda: moment.came, "the moment never came")
        self.night.dealer.trick = None
        self._look()
        self.seen = Seen()
        self.night.pit.rest(FOREVER_MS)
        for step in self.practice.steps:
            for _ in range(step.cards if isinstance(step, DealStep) else 1):
                self._do(step)
                self._wait(PAUSE_MS)

    def resolve(self) -> None:
        """Mend what is broken, let the people rule, and come to the end of the round."""
        night = self.night
        self.breakage.mend_everything()
        for slot in night.rig.felt.view().hands:
            night.rig.felt.hand_over(*slot, on=False)
        self.go_on()

    def go_on(self) -> None:
        """Everybody works again, to the end of the round."""
        night = self.night
        night.dealer._free_at_ms = night.pit._free_at_ms = night.now_ms
        rounds = self.checker.rounds
        self._until(lambda: self.checker.rounds > rounds, "the round never ended")
        self._look()

    def close(self) -> None:
        self._reader.close()
        self.night.close()

    def _do(self, step: Step) -> None:
        if isinstance(step, Say):
            self._say(step)
        elif isinstance(step, PitSays):
            self.night.command(c.ReportIncident(actor=self.night.people[0], kind=step.kind))
        elif isinstance(step, GoOn):
            self.night.dealer._free_at_ms = self.night.now_ms
        elif isinstance(step, Restart):
            self.night.restart()
        else:
            assert step.form is not None
            self._with_patience(step)

    def _with_patience(self, step: Step) -> None:
        """As a person does: when it cannot be done yet, he waits a little and tries again."""
        for _ in range(40):
            try:
                return do(self.hands, self.breakage, dict(step.form or {}))
            except RefusedError:
                self._wait(200)
        return do(self.hands, self.breakage, dict(step.form or {}))

    def _say(self, step: Say) -> None:
        choice = next(
            one for one in menu_of(self.night.options.game) if (one.kind, one.variant) == (step.kind, step.variant)
        )
        words = f"answer.{step.kind}.{step.answer}"
        answer = next((one for one in choice.answers if one.words == words), choice.answers[:1] or None)
        told = answer.told if isinstance(answer, MenuAnswer) else self._of_a_box(choice.answers)
        found = tuple((name.removeprefix("with."), value) for name, value in told)
        self.night.command(c.ReportIncident(actor=self.night.dealer.actor, kind=step.kind, circumstances=found))

    def _of_a_box(self, answers: tuple[MenuAnswer, ...]) -> tuple[tuple[str, str], ...]:
        """Where a box is asked for: the first that plays."""
        round = self.night.state.round
        boxes = round.stakes.boxes if round is not None else ()
        return next((one.told for one in answers if one.box.removeprefix("box.") in boxes), ())

    def _wait(self, wait_ms: int) -> None:
        until_ms = self.night.now_ms + wait_ms
        while self.night.now_ms < until_ms:
            self._step()

    def _step(self) -> None:
        self.night.step()
        self.hands.step(self.night.now_ms)
        self.checker.watch()

    def _until(self, done: Callable[[], bool], otherwise: str) -> None:
        for _ in range(STEPS_MAX):
            if done():
                return
            self._step()
        raise AssertionError(f"{otherwise}: {self.practice.key}, {self.seen.opened}, {self.night.view().now.act}")

    def _look(self) -> Seen:
        """Take in the incidents on record."""
        for row in self._reader.events(after_seq=self._seq, kinds=_TOLD):
            self._seq = row.seq
            event = read_body(row.body).event
            if isinstance(event, IncidentOpened):
                self.seen.opened[event.id] = (event.incident, event.row, event.text)
            elif isinstance(event, IncidentRuled):
                self.seen.ruled[event.id] = event.ruling
        return self.seen


def is_moment(at: str, night: Night) -> bool:
    """Whether the table has come to this moment of a recipe."""
    round, view = night.state.round, night.view()
    key = view.now.act.key
    if night.state.held or round is None:
        return False
    match at:
        case "between":
            return round.over and key == "act.start_round"
        case "burning":
            return key == "act.burn" and len(round.deal.cards) == 2
        case "burned":
            return key == "act.open_bets" and round.live
        case "bets":
            return view.bets.open and not view.bets.deciding
        case "card" | "first_card":
            return key in ("act.deal", "act.deal_down") and round.live and (at == "card" or not _in_boxes(view))
        case "down":
            return key == "act.deal_down"
        case "dealing":
            return key == "act.deal" and _in_boxes(view) >= 1
        case "late":
            return key == "act.deal" and _open(view) >= 1
        case "deciding":
            return key == "act.decide"
        case "turn":
            return key == "act.turn"
        case "dealt":
            return key == "act.declare_result"
        case "settled":
            return round.over and key == "act.clear_felt"
    raise AssertionError(at)


def _open(view: TableView) -> int:
    return sum(place.face is not None for box in view.boxes for place in box.places)


def _in_boxes(view: TableView) -> int:
    return sum(
        place.state not in ("empty", "awaited") for box in view.boxes if box.key != "burn" for place in box.places
    )
