"""A poker table as a state machine: seats, acts, time, faults, rulings, voids and restarts in any order.

After each step no chip is lost or made and no sealed face is told; at the end the table finds its way out by rulings
that are offered, and `verify` finds nothing wrong.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from poker_bench import CHIPS, PokerBench
from table_bench import DEALER, PIT, PIT_TOO

from studio.cards import DECK, Card
from studio.errors import RefusedError, StorageError
from studio.money import bettor_account, house_account
from studio.ports import CardFace
from studio.procedures.incident import KINDS
from studio.rounds import CardDealt
from studio.rulebook.script import Burn, Deal, Reveal, Shuffle, Turn
from studio.tables import command as c
from studio.tables.config import TableConfig
from studio.tables.irregularity.outstanding import left_to_do
from studio.tables.state.round import Stage
from studio.tables.state.table import Status, awaited

BETTORS = "ann bob cy dee"
DEPOSIT = 100_000
REASON = {"reason_code": "seen", "words": "As we saw it."}


class PokerTable(RuleBasedStateMachine):
    """The model is what each stack was when the hand began, and that all money is what was deposited."""

    @initialize(game=st.sampled_from(("nlh", "short_deck", "plo")), rake=st.booleans(), seed=st.integers(1, 99))
    def opens(self, game: str, rake: bool, seed: int) -> None:
        rules = {"rake_percent": "5", "rake_cap": 300} if rake else {}
        self.bench = PokerBench(BETTORS, TableConfig(key="p1", title="Table", game=game, rules=rules), seed=seed).open()
        self.before: dict[str, int] = {}
        self.decks = 0
        self.round = ""

    # --- the dealer ---------------------------------------------------------------------------------------

    @rule(cards=st.permutations(DECK))
    def a_hand_begins(self, cards: list[Card]) -> None:
        self._begin(cards)

    def _begin(self, cards: list[Card]) -> None:
        bench = self.bench
        if bench.state.game.shoe.deck_cards < len(DECK):
            cards = [card for card in cards if card.rank not in "2345"]
        stacks = {one.bettor: one.stack_minor for one in bench.state.room.players.values()}
        if self._try(lambda: bench.do(c.StartRound)):
            bench.deck, self.before, self.round = list(cards), stacks, bench.round.id

    @rule(steps=st.integers(1, 30))
    def cards_are_dealt(self, steps: int) -> None:
        for _ in range(steps):
            if not self._deal_one():
                return

    def _deal_one(self) -> bool:
        bench, now = self.bench, awaited(self.bench.state)
        if now is None or bench.state.held or bench.disk_full:
            return False
        if bench.state.deck is None or not bench.deck:
            bench.clear()
            return self._try(bench.load) and self._new_deck()
        match now.step:
            case Deal(box=box, face=face) if bench.deck:
                card = bench.deck.pop(0)
                bench.draw(card)
                bench.lay(box, now.place, card if face is CardFace.UP else None)
            case Burn() if bench.deck:
                bench.draw(bench.deck.pop(0))
                place = next(n for n in range(1, 9) if ("burn", n) not in bench.state.felt.looks)
                bench.lay("burn", place)
            case Reveal(box=box):
                bench.turn_up(box)
            case Shuffle():
                return self._try(lambda: bench.do(c.ShuffleStub))
            case _:
                return False
        return True

    def _new_deck(self) -> bool:
        """Every deck is another order, and the whole of it; gives True."""
        self.decks += 1
        bench = self.bench
        bench.deck = [card for card in DECK if bench.state.game.shoe.deck_cards == len(DECK) or card.rank not in "2345"]
        random.Random(self.decks).shuffle(bench.deck)
        return True

    @rule(steps=st.integers(5, 120), data=st.data())
    def the_table_plays(self, steps: int, data: st.DataObject) -> None:
        rng = data.draw(st.randoms(use_true_random=False))
        self._settle_down(rng)
        if awaited(self.bench.state) is None:
            cards = list(DECK)
            rng.shuffle(cards)
            self._finish_and_begin(cards)
        for _ in range(steps):
            if self._deal_one():
                continue
            now = awaited(self.bench.state)
            if now is None or self.bench.state.held or not isinstance(now.step, Turn):
                return
            options = [one for one in now.step.options if one != "fold" or rng.random() < 0.4]
            option, to = rng.choice(options or ["fold"]), 0
            if option in ("bet", "raise"):
                least, most = now.step.to_minor or (0, 0)
                to = rng.choice((least, most, rng.randint(least, most)))
            self.bench.act_alone(option, to)

    @rule(steps=st.integers(20, 120), data=st.data())
    def the_table_plays_on(self, steps: int, data: st.DataObject) -> None:
        self.the_table_plays(steps, data)

    @rule(data=st.data())
    def the_hand_is_played_out(self, data: st.DataObject) -> None:
        self.the_table_plays(200, data)

    def _plug_in(self) -> None:
        """The links are back, and the camera says what lies on the felt."""
        bench = self.bench
        bench.links()
        round = bench.state.round
        if round is not None and round.live:
            for (zone, place), fact in sorted(round.deal.cards.items()):
                face = fact.face if isinstance(fact, CardDealt) else None
                bench.lay(zone, place, face)

    def _settle_down(self, rng: random.Random) -> None:
        """What holds the table is put right as a pit would, by a ruling that is offered."""
        bench = self.bench
        if not all(bench.state.devices.links.get(device) for device in bench.config.devices):
            self._plug_in()
        if bench.state.pit.freeze.by:
            self._try(lambda: bench.do(c.ReleaseTable, bench.pin(PIT), **REASON))
        for incident in bench.state.incidents.open:
            ruling = rng.choice((*incident.ruling.options, incident.ruling.ruling))
            self._rule(incident.id, ruling, incident.ruling.arguments)
        bench.pay()

    def _finish_and_begin(self, cards: list[Card]) -> None:
        self.the_pots_are_pushed()
        self.the_felt_is_cleared()
        self._begin(cards)

    @rule()
    def the_pots_are_pushed(self) -> None:
        if self._try(lambda: self.bench.do(c.DeclareResult)):
            self.bench.pay()

    @rule()
    def the_felt_is_cleared(self) -> None:
        self.bench.clear()
        if self._try(self.bench.load):
            self._new_deck()

    # --- the seats ------------------------------------------------------------------------------------------

    @precondition(lambda self: isinstance(getattr(awaited(self.bench.state), "step", None), Turn))
    @rule(data=st.data())
    def a_seat_acts(self, data: st.DataObject) -> None:
        if self.bench.disk_full:
            return
        turn = self.bench.turn
        option, to = data.draw(st.sampled_from(turn.options)), 0
        if option in ("bet", "raise"):
            least, most = turn.to_minor or (0, 0)
            to = data.draw(st.integers(least, most) | st.sampled_from((least, most)))
        self.bench.act_alone(option, to)

    @rule(act=st.sampled_from(("sit", "buy", "leave", "away", "back", "post")), bettor=st.sampled_from(BETTORS.split()),
          seat=st.integers(1, 9), amount=st.sampled_from((4_000, CHIPS, 20_000, 1)))  # fmt: skip
    def a_seat_asks(self, act: str, bettor: str, seat: int, amount: int) -> None:
        if self.bench.disk_full:
            return
        told = self.bench.ask(act, bettor, seat=f"seat{seat}", amount_minor=amount)
        if told.status == "accepted" and act == "sit":
            self.bench.seats[bettor] = f"seat{seat}"

    @rule(seconds=st.sampled_from((1, 4, 20, 60)))
    def time_passes(self, seconds: int) -> None:
        self._try(lambda: self.bench.wait(seconds))
        self.bench.pay()

    # --- the world ------------------------------------------------------------------------------------------

    @rule(data=st.data(), what=st.sampled_from(("lift", "lose", "show", "extra", "unread", "stray", "unplug", "plug")))
    def something_happens(self, data: st.DataObject, what: str) -> None:
        bench = self.bench
        slots = sorted(bench.state.felt.looks) or [("board", 1)]
        zone, place = data.draw(st.sampled_from(slots))
        match what:
            case "lift":
                bench.lift(zone, place)
            case "lose":
                bench.lose(zone, place, identified=data.draw(st.booleans()))
            case "show" if bench.state.round is not None:
                fact = bench.round.deal.cards.get((zone, place))
                if fact is not None and fact.card.has_key:
                    self.seen.add(fact.card.card())
                    bench.lay(zone, place, fact.card.card())
            case "extra" if bench.deck:
                bench.draw(bench.deck.pop(0))
            case "unread":
                bench.draw_unread()
            case "stray":
                bench.lay("board", data.draw(st.integers(1, 5)))
            case "unplug":
                bench.links(up=False, only=(data.draw(st.sampled_from(bench.config.devices)),))
            case "plug":
                bench.links()

    @property
    def seen(self) -> set[Card]:
        return self.__dict__.setdefault("_seen", set())  # type: ignore[no-any-return]

    @rule()
    def the_program_dies(self) -> None:
        self.bench.disk_full = False
        self.bench.restart()

    @rule()
    def the_disk_is_full_for_a_moment(self) -> None:
        self.bench.disk_full = True
        self._try(lambda: self.bench.do(c.DeclareResult))
        if self.bench.deck:
            self.bench.draw(self.bench.deck.pop(0))
        self.bench.disk_full = False
        self._try(self.bench.tick)
        self._try(lambda: self.bench.do(c.ReleaseTable, self.bench.pin(PIT), **REASON))

    # --- people ---------------------------------------------------------------------------------------------

    @rule(data=st.data(), pit=st.booleans())
    def a_report(self, data: st.DataObject, pit: bool) -> None:
        kind = data.draw(st.sampled_from([one.key for one in KINDS]))
        box, place = data.draw(st.sampled_from([("", 0), *sorted(self.bench.state.felt.looks)]))
        told = (("count", str(data.draw(st.integers(1, 2)))),)
        actor = PIT if pit else DEALER
        self._try(lambda: self.bench.do(c.ReportIncident, actor, kind=kind, circumstances=told, box=box, place=place))

    @precondition(lambda self: self.bench.state.incidents.open)
    @rule(data=st.data())
    def a_ruling(self, data: st.DataObject) -> None:
        incident = data.draw(st.sampled_from(self.bench.state.incidents.open))
        ruling = data.draw(st.sampled_from((*incident.ruling.options, incident.ruling.ruling)))
        self._rule(incident.id, ruling, incident.ruling.arguments)
        self.bench.pay()

    @rule(freeze=st.booleans())
    def the_pit_freezes(self, freeze: bool) -> None:
        if freeze:
            self._try(lambda: self.bench.do(c.FreezeTable, PIT))
        else:
            self._try(lambda: self.bench.do(c.ReleaseTable, self.bench.pin(PIT), **REASON))

    def _rule(self, incident: str, ruling: str, arguments: tuple[str, ...]) -> bool:
        bench = self.bench
        given = {"incident": incident, "ruling": ruling, "arguments": arguments, **REASON}
        done = self._try(lambda: bench.do(c.RuleIncident, bench.pin(PIT), **given))
        found = bench.state.incident(incident)
        if done and found is not None and found.asked is not None:
            self._try(lambda: bench.do(c.ApproveRuling, bench.pin(PIT_TOO), incident=incident, asked=found.asked.mark))
        return done

    def _try(self, act: Callable[[], object]) -> bool:
        try:
            act()
        except RefusedError as refused:
            if refused.key == "our_error" or not refused.sentence.endswith("."):
                raise AssertionError(refused) from refused
            return False
        except StorageError:
            return False
        return True

    # --- what must hold ---------------------------------------------------------------------------------------

    @invariant()
    def no_chip_is_lost_or_made(self) -> None:
        bench = self.__dict__.get("bench")
        if bench is None or bench.storage_is_failing:
            return
        held = bench.store.connection.execute(
            "SELECT coalesce(sum(amount), 0) FROM balance WHERE account LIKE 'bettor:%' OR account LIKE 'escrow:%' "
            "OR account = ?", (house_account("p1"),)
        ).fetchone()[0]  # fmt: skip
        assert held == DEPOSIT * len(BETTORS.split())
        for player in bench.state.room.players.values():
            assert bench.stack(player.bettor) == player.behind_minor >= 0
        round = bench.state.round
        if round is not None and round.id == self.round and round.stage is Stage.VOIDED:
            buyers = {asked.bettor for asked in bench.state.room.asked if asked.act == "buy"}
            for player in bench.state.room.players.values():
                if player.bettor in self.before and player.bettor not in buyers:
                    assert player.stack_minor == self.before[player.bettor]

    @invariant()
    def no_sealed_face_is_told(self) -> None:
        bench = self.__dict__.get("bench")
        if bench is None or bench.state.round is None:
            return
        told = repr(bench.state)
        for fact in bench.round.deal.cards.values():
            down = not isinstance(fact, CardDealt) or fact.face is None
            if down and fact.card.has_key and fact.card.card() not in self.seen:
                assert f"'{fact.card.card()}'" not in told

    def teardown(self) -> None:
        if "bench" not in self.__dict__:
            return
        try:
            self._way_out()
            self.bench.check()
        finally:
            self.bench.close()

    def _way_out(self) -> None:
        """By the rulings that are offered, what the dealer and the clock do, and a void, the table is free again."""
        bench = self.bench
        bench.disk_full = False
        bench.tick()
        self._plug_in()
        for _ in range(80):
            if bench.state.pit.freeze.by:
                self._try(lambda: bench.do(c.ReleaseTable, bench.pin(PIT), **REASON))
            for incident in bench.state.incidents.open:
                for ruling in ("void_round", incident.ruling.ruling, *incident.ruling.options):
                    if (
                        ruling in (incident.ruling.ruling, *incident.ruling.options)
                        and bench.state.incident(incident.id) is not None
                    ):
                        self._rule(incident.id, ruling, incident.ruling.arguments)
            if any(not one.ruled.ruling for one in bench.state.incidents.open) and bench.state.round is not None:
                self._try(lambda: bench.do(c.ReportIncident, PIT, kind="void_called"))  # as the refusal says
            for incident in bench.state.incidents.open:
                for slot in left_to_do(bench.state, incident):
                    bench.lift(*slot)
            bench.pay()
            round = bench.state.round
            if (round is None or round.over) and not bench.state.held:
                return
            if not self._deal_one():
                self._try(lambda: bench.do(c.DeclareResult))
                bench.pay()
                bench.wait(30)
                if bench.state.status is Status.CLOSED:
                    return
        raise AssertionError(f"No way out: {bench.state.incidents.open}, {awaited(bench.state)}")


PokerTable.TestCase.settings = settings(
    max_examples=6, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
TestPokerTable = PokerTable.TestCase


class LongPokerTable(PokerTable):
    pass


LongPokerTable.TestCase.settings = settings(
    max_examples=40, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
TestLongPokerTable = pytest.mark.night(pytest.mark.timeout(600)(LongPokerTable.TestCase))


def test_what_a_bettor_owns_is_named_apart() -> None:
    assert bettor_account("north", "ann/p1").startswith("bettor:north:ann/")
