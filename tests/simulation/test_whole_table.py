"""A whole table as a state machine: people, hands, machines and cables in any order, beside an independent model.

After each step: no cent lost or doubled, every round as the model says, no sealed face anywhere. At the end: the table
finds its way out by the buttons shown, `verify` finds nothing wrong, and every grave ruling has its record.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from watched_night import DEPOSIT_MINOR, REASON, Table, actor

from dealer_ui.frame.incident_menu import menu_of
from dealer_ui.rehearsal.own_hands.breakage import BREAKS
from dealer_ui.rehearsal.own_hands.mistake import MISTAKES
from studio.cards import DECK
from studio.procedures.incident import KINDS
from studio.procedures.meaning import RULINGS
from studio.tables import command as c

PIT = st.sampled_from(("pit", "second"))
ANYBODY = st.sampled_from(("dealer", "pit", "second"))
SIMPLE = {
    "start": c.StartRound, "open_bets": c.OpenBetting, "close_bets": c.CloseBetting, "declare": c.DeclareResult,
    "felt_clear": c.ConfirmFeltClear, "load": c.LoadShoe, "freeze": c.FreezeTable, "call": c.CallPit,
    "answer": c.AnswerCall, "pause": c.PauseTable, "resume": c.ResumeTable, "close": c.CloseTable,
}  # fmt: skip
WITH_MORE = {
    "release": (c.ReleaseTable, REASON),
    "withdraw": (c.WithdrawShoe, REASON),
    "dealer": (c.ChangeDealer, {"dealer": "d2", "dealer_name": "Dian"}),
    "open": (c.OpenTable, {"dealer": "d1", "dealer_name": "Dewi"}),
    "verify": (c.VerifyDeck, {"deck_id": "by-hand", "words": "Counted, 52 of one back."}),
}
RULING_KEYS = (*(one.key for one in RULINGS), "shoe", "camera", "manual")


class WholeTable(RuleBasedStateMachine):
    """`data` of a rule is drawn from what the table shows, so that most of what is asked makes sense."""

    table: Table | None = None
    games: tuple[str, ...] = ("three_knights", "kkclash", "blackjack")

    @initialize(game=st.sampled_from(("three_knights", "kkclash", "blackjack")), seed=st.integers(1, 10_000),
                moment=st.integers(0, 500))  # fmt: skip
    def opens(self, game: str, seed: int, moment: int) -> None:
        self.table = Table(game, seed)
        self.table.work(dealer=True, pit=True)
        self.table.run(moment)
        self.table.work(dealer=False, pit=False)

    # --- time -----------------------------------------------------------------------------------------

    @rule(steps=st.integers(1, 120))
    def the_dealer_works(self, steps: int) -> None:
        self.table.work(dealer=True, pit=False)
        self.table.run(steps)
        self.table.work(dealer=False, pit=False)

    @rule(steps=st.integers(1, 60))
    def the_pit_works(self, steps: int) -> None:
        self.table.work(dealer=False, pit=True)
        self.table.run(steps)
        self.table.work(dealer=False, pit=False)

    @rule(steps=st.sampled_from((2, 30, 120, 420)))
    def nobody_works(self, steps: int) -> None:
        self.table.run(steps)

    # --- the hands and the machines ---------------------------------------------------------------------

    @rule(what=st.sampled_from([one.key for one in MISTAKES]))
    def a_mistake(self, what: str) -> None:
        self.table.do(act="mistake", what=what)
        self.table.run(20)

    @rule(act=st.sampled_from(("deal", "lay", "clear", "put_right")))
    def the_hands(self, act: str) -> None:
        self.table.do(act=act)
        self.table.run(20)

    @rule(what=st.sampled_from([one.key for one in BREAKS if one.plain]), steps=st.integers(1, 60))
    def something_breaks(self, what: str, steps: int) -> None:
        self.table.do(act="break", what=what)
        self.table.run(steps)

    @rule()
    def everything_is_mended(self) -> None:
        self.table.breakage.mend_everything()
        self.table.run(20)

    # --- people -----------------------------------------------------------------------------------------

    @rule(who=ANYBODY, what=st.sampled_from(sorted(SIMPLE)))
    def a_button(self, who: str, what: str) -> None:
        self.table.ask(SIMPLE[what](actor=actor(who, self.table.night.now_ms)))

    @rule(who=ANYBODY, what=st.sampled_from(sorted(WITH_MORE)), pin=st.booleans())
    def a_button_with_more(self, who: str, what: str, pin: bool) -> None:
        made, given = WITH_MORE[what]
        self.table.ask(made(actor=actor(who, self.table.night.now_ms, pin=pin), **given))

    @rule(who=ANYBODY, data=st.data())
    def a_report(self, who: str, data: st.DataObject) -> None:
        menu = menu_of(self.table.game)
        kind = data.draw(st.sampled_from([one.key for one in KINDS]))
        answers = [answer for choice in menu if choice.kind == kind for answer in choice.answers]
        told = data.draw(st.sampled_from(answers)).told if answers else ()
        found = tuple((name.removeprefix("with."), value) for name, value in told)
        box, place = data.draw(st.sampled_from([("", 0), *sorted(self.table.night.rig.felt.view().top())]))
        self.table.ask(c.ReportIncident(actor=actor(who, self.table.night.now_ms), kind=kind, circumstances=found,
                                        box=box, place=place))  # fmt: skip
        self.table.run(2)

    @precondition(lambda self: self.table.night.view().incidents.open)
    @rule(who=ANYBODY, pin=st.booleans(), data=st.data())
    def a_ruling(self, who: str, pin: bool, data: st.DataObject) -> None:
        incident = data.draw(st.sampled_from(self.table.night.view().incidents.open))
        offered = (*incident.row.options, incident.row.ruling)
        ruling = data.draw(st.sampled_from(offered) | st.sampled_from(RULING_KEYS))
        arguments: tuple[str, ...] = incident.row.arguments
        if ruling == "manual":
            arguments = (str(data.draw(st.sampled_from(DECK))),)
            self.table.hidden.discard(arguments[0])
        if ruling not in offered and ruling != "pit_decides":
            self._not_offered(incident.id, ruling, who)
            return
        self.table.ask(c.RuleIncident(actor=actor(who, self.table.night.now_ms, pin=pin), incident=incident.id,
                                      ruling=ruling, arguments=arguments, **REASON))  # fmt: skip
        self.table.run(2)

    def _not_offered(self, incident: str, ruling: str, who: str) -> None:
        asked = c.RuleIncident(actor=actor(who, self.table.night.now_ms), incident=incident, ruling=ruling, **REASON)
        assert not self.table.ask(asked), f"{ruling} was carried out, and the row does not offer it"

    @precondition(lambda self: any(one.asked.by for one in self.table.night.view().incidents.open))
    @rule(who=ANYBODY, yes=st.booleans())
    def a_second_person(self, who: str, yes: bool) -> None:
        incident = next(one for one in self.table.night.view().incidents.open if one.asked.by)
        by = actor(who, self.table.night.now_ms)
        approved = c.ApproveRuling(actor=by, incident=incident.id, asked=incident.asked.mark)
        self.table.ask(approved if yes else c.DeclineRuling(actor=by, incident=incident.id))
        self.table.run(2)

    @rule(who=ANYBODY, card=st.sampled_from(DECK), data=st.data())
    def an_override(self, who: str, card: object, data: st.DataObject) -> None:
        shown = [(box.key, one.place) for box in self.table.night.view().boxes for one in box.places]
        box, place = data.draw(st.sampled_from(shown))
        self.table.hidden.discard(str(card))
        asked = c.OverrideCard(
            actor=actor(who, self.table.night.now_ms), box=box, place=place, card=str(card), **REASON
        )
        if self.table.ask(asked):
            shown_now = self.table.night.view().incidents.open
            found = [
                one
                for one in shown_now
                if (one.where.box, one.where.place, one.asked.arguments) == (box, place, (str(card),))
            ]
            assert [one.asked.by for one in found] == [asked.actor.id], "a card was overridden by one person"
            self.table.model.asked[found[0].id] = ("manual", (str(card),), asked.actor.id)

    @precondition(lambda self: self.table.model.paid)
    @rule(who=ANYBODY, second=ANYBODY, data=st.data())
    def a_settled_round_is_corrected(self, who: str, second: str, data: st.DataObject) -> None:
        round = data.draw(st.sampled_from(sorted(self.table.model.paid)))
        places = [
            (box, n) for box, cards in self.table.model.paid[round].hands.items() for n in range(1, len(cards) + 1)
        ]
        slot = data.draw(st.sampled_from([None, *places]))
        change = None if slot is None else (*slot, str(data.draw(st.sampled_from(DECK))))
        self.table.correct(who, second, round, change)

    # --- the program ------------------------------------------------------------------------------------

    @rule()
    def a_restart(self) -> None:
        self.table.restart()
        self.table.run(10)

    @rule(steps=st.integers(1, 40))
    def the_disk_is_full(self, steps: int) -> None:
        self.table.night.disk_full = True
        self.table.run(steps)
        self.table.night.disk_full = False
        self.table.run(10)

    @rule()
    def a_way_out(self) -> None:
        self.table.find_a_way_out()

    # --- always -----------------------------------------------------------------------------------------

    @invariant()
    def the_model_holds(self) -> None:
        if self.table is not None:
            self.table.check()

    def teardown(self) -> None:
        if self.table is None:
            return
        try:
            self.table.find_a_way_out()
            self.table.verify()
        finally:
            self.table.close()


def _profile(examples: int, steps: int) -> settings:
    return settings(
        max_examples=examples, stateful_step_count=steps, deadline=None, print_blob=True, database=None,
        suppress_health_check=list(HealthCheck), derandomize=examples < 100,
    )  # fmt: skip


class TestWholeTable(WholeTable.TestCase):  # type: ignore[misc,name-defined]
    settings = _profile(8, 14)


@pytest.mark.night
@pytest.mark.timeout(900)
class TestWholeTableForLong(WholeTable.TestCase):  # type: ignore[misc,name-defined]
    settings = _profile(60, 30)


# --- that the machine has teeth -------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["three_knights", "kkclash", "blackjack"])
def test_the_model_follows_a_plain_round_and_its_corrections_to_the_cent(game: str) -> None:
    table = Table(game, 7)
    try:
        table.work(dealer=True, pit=True)
        assert table.run(6_000, until=lambda: bool(table.model.paid) and table.night.view().round.stage == "settled")
        table.check()
        [(round, paid)] = table.model.paid.items()
        assert paid.bets
        before = dict(table.model.wallet)
        table.correct("pit", "pit", round, None)
        table.correct("pit", "dealer", round, None)
        assert table.model.wallet == before
        table.correct("dealer", "second", round, None)
        table.check()
        assert table.model.wallet == dict.fromkeys(table.model.wallet, DEPOSIT_MINOR)
        table.verify()
    finally:
        table.close()


def test_a_cent_too_much_is_noticed() -> None:
    table = Table("three_knights", 7)
    try:
        table.model.wallet["ann"] += 1
        with pytest.raises(AssertionError):
            table.check()
    finally:
        table.close()


def test_a_hidden_card_on_the_screen_is_noticed() -> None:
    table = Table("kkclash", 7)
    try:
        table.work(dealer=True, pit=True)
        table.run(3_000, until=lambda: len(table.hidden) == 4)
        table.check()
        table.night.told = f"The card {min(table.hidden)} lies there."
        with pytest.raises(AssertionError, match="refusal"):
            table.check()
    finally:
        table.close()
