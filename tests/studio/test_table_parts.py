"""A round is settled in parts: pairs after the initial deal, even money at once [BJ-11] [BJ-21], each exactly once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest
from blackjack_bench import BLACKJACK as BLACKJACK_TABLE
from blackjack_bench import OWN_ROWS, Boxes, boxes
from correction_bench import correct, replaced
from table_bench import PIT
from test_audit_boxes import found, told_otherwise

from studio.games.blackjack import BLACKJACK
from studio.journal import Unit
from studio.money import Transfer, bettor_account, operator_account
from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.payment import part_payment
from studio.tables.state.round import Stage

BROUGHT = 100_000
PAIR = {"3:main": 1_000, "3:perfect_pair": 100}
STAKED = 1_100
MIXED = 600
"""What a pair of one rank and two colours returns on its hundred."""


@pytest.fixture
def table() -> Iterator[Boxes]:
    with boxes(claw_back={"north": "allow_negative"}, own_rows=OWN_ROWS) as made:
        yield made


def dealt(table: Boxes, cards: str = "8h 7c 8s", **also: int) -> Boxes:
    """Box 3 has a mixed pair against a seven."""
    return table.bet_on(PAIR | also).no_more_bets().cards(cards)


def of_bet(table: Boxes, key: str, *kinds: str) -> list[tuple[str, int, int]]:
    """What moved for the bet on that key: kind, amount, revision."""
    ids = {one.bet_id for placed in table.rows("BetsPlaced") for one in placed.bets if one.bet == key}  # type: ignore[union-attr]
    with table.store.reader() as reader:
        moved = [one for one in reader.transfers(table.round.id) if one.bet in ids and one.kind != "reserve"]
    return [(one.kind, one.amount_minor, one.revision) for one in moved if not kinds or one.kind in kinds]


def told(table: Boxes) -> list[e.PartSettled]:
    return [one for one in table.rows("PartSettled") if isinstance(one, e.PartSettled)]


def ruled(table: Boxes, ruling: str, *arguments: str) -> None:
    """Carry the ruling out, as a row of the studio's own has it."""
    table.report("exposed_card", PIT)
    table.rule(ruling, PIT, *arguments)


def override(table: Boxes, slot: tuple[str, int], card: str) -> None:
    """Two people say that the card is another one."""
    given = {"box": slot[0], "place": slot[1], "card": card, "reason_code": "seen", "words": "It is another."}
    table.do(c.OverrideCard, table.pin(PIT), **given)
    table.approve()
    table.lay(*slot, card)


def back_up(table: Boxes) -> None:
    """The program dies and comes back; the pit boss lets the round go on."""
    table.restart()
    table.links()
    for slot, fact in sorted(table.round.deal.cards.items()):
        table.lay(*slot, fact.face)  # type: ignore[union-attr]
    while table.state.incidents.open:
        table.rule("continue", PIT)


def test_a_pair_is_paid_after_the_initial_deal_and_once(table: Boxes) -> None:
    dealt(table)
    assert table.round.parts.returns == {}
    table.pay()
    assert table.balance() == BROUGHT - STAKED + MIXED
    assert table.round.parts.returns == {"3:perfect_pair": Fraction(6)}
    assert of_bet(table, "3:perfect_pair") == [("post", 100, 0), ("return", MIXED, 0)]
    table.pay()
    table.chosen("3 stand").cards("Tc").finish()
    assert table.balance() == BROUGHT - STAKED + MIXED
    assert Counter(table.kinds())["PartOpened"] == 1
    assert of_bet(table, "3:perfect_pair") == [("post", 100, 0), ("return", MIXED, 0)]
    [settled] = table.rows("RoundSettled")
    assert (settled.bets, settled.stake_minor, settled.returns_minor) == (2, STAKED, MIXED)  # type: ignore[union-attr]


def test_a_side_bet_that_lost_is_collected_after_the_initial_deal(table: Boxes) -> None:
    dealt(table, "8h 7c 9s").pay()
    assert of_bet(table, "3:perfect_pair") == [("post", 100, 0)]
    assert table.balance() == BROUGHT - STAKED


def test_even_money_is_paid_at_once_before_any_card_more(table: Boxes) -> None:
    table.bet_on({"3:main": 1_000, "4:main": 1_000}).no_more_bets().cards("Ah 9c As Kd 8c")
    table.pay()
    assert table.balance() == BROUGHT - 2_000
    table.offered("3 even_money")
    table.pay()
    assert table.balance() == BROUGHT - 2_000 + 2_000
    assert of_bet(table, "3:main") == [("post", 1_000, 0), ("return", 2_000, 0)]
    table.chosen("4 stand").cards("Kc").finish()  # the dealer has a blackjack
    assert table.balance() == BROUGHT


def test_nothing_is_paid_while_an_eye_has_not_agreed_or_the_table_is_held(table: Boxes) -> None:
    table.bet_on(PAIR).no_more_bets().cards("8h 7c")
    table.draw("8s")
    table.pay()
    assert table.balance() == BROUGHT - STAKED
    table.report("malfunction", PIT)
    table.lay("3", 2, "8s")
    table.pay()
    assert table.balance() == BROUGHT - STAKED


def test_a_void_round_takes_back_what_it_paid(table: Boxes) -> None:
    dealt(table).pay()
    table.report("malfunction", PIT)
    table.rule("void_round", PIT)
    table.pay()
    assert (table.round.stage, table.balance()) == (Stage.VOIDED, BROUGHT)
    assert of_bet(table, "3:perfect_pair") == [
        ("post", 100, 0), ("return", MIXED, 0), ("reverse_return", MIXED, 1), ("reverse_post", 100, 1), ("void", 100, 1)
    ]  # fmt: skip


def test_money_that_is_gone_meanwhile_is_owed_as_the_operator_has_it(table: Boxes) -> None:
    dealt(table).pay()
    account, at_operator = bettor_account("north", "ann"), operator_account("north")
    all_of_it = Transfer("", "w1", "withdraw", account, at_operator, table.balance(), "EUR")
    table.writer.commit(Unit(transfers=(all_of_it,)))
    table.report("malfunction", PIT)
    table.rule("void_round", PIT)
    table.pay()
    assert table.balance() == BROUGHT - all_of_it.amount_minor
    [short] = [one for part in told(table) for one in part.shorts]
    assert (short.amount_minor, short.policy) == (MIXED - 100, "allow_negative")


def test_a_void_hand_has_its_bets_back_and_what_they_were_paid(table: Boxes) -> None:
    """BJ7: the pair of box 5 was paid, and its box counts no more; what box 3 was paid stands."""
    table.bet_on({"5:main": 1_000, "5:perfect_pair": 100})
    dealt(table, "8h Td 7c 8s Th").pay()
    assert table.balance() == BROUGHT - 2 * STAKED + MIXED + 1_300
    ruled(table, "void_hand", "5")
    table.pay()
    assert table.round.parts.returns == {"3:perfect_pair": Fraction(6)}
    assert {kind for kind, _, _ in of_bet(table, "5:perfect_pair")} == {
        "post", "return", "reverse_return", "reverse_post", "void"
    }  # fmt: skip
    assert of_bet(table, "3:perfect_pair") == [("post", 100, 0), ("return", MIXED, 0)]
    assert table.balance() == BROUGHT - STAKED + MIXED
    for place in (1, 2):
        table.lift("5", place)
    table.tick()
    table.chosen("3 stand").cards("Tc").finish()
    assert table.balance() == BROUGHT - STAKED + MIXED


def test_another_card_changes_the_pair_and_only_the_difference_moves(table: Boxes) -> None:
    dealt(table).pay()
    override(table, ("3", 2), "8d")  # of one colour
    table.pay()
    assert table.round.parts.returns == {"3:perfect_pair": Fraction(13)}
    assert of_bet(table, "3:perfect_pair") == [
        ("post", 100, 0), ("return", MIXED, 0), ("reverse_return", MIXED, 1), ("return", 1_300, 1)
    ]  # fmt: skip
    table.chosen("3 stand").cards("Tc").finish()
    assert table.balance() == BROUGHT - STAKED + 1_300


def test_a_correction_after_the_end_counts_on_from_the_parts(table: Boxes) -> None:
    dealt(table).pay()
    override(table, ("3", 2), "8d")
    table.pay()
    table.chosen("3 stand").cards("Tc").finish()
    correct(table, replaced(table, "3", 2, "8c"))
    assert table.state.aftermath.corrections.revisions[table.round.id] == 2
    assert table.balance() == BROUGHT - STAKED + MIXED
    correct(table, void=True)
    assert table.balance() == BROUGHT


def test_a_deal_that_is_dealt_again_pays_again_what_it_decides(table: Boxes) -> None:
    dealt(table).pay()
    ruled(table, "reshuffle_and_redeal")
    table.pay()
    assert (table.round.parts.returns, table.balance()) == ({}, BROUGHT - STAKED)
    table.clear()
    table.load("deck-2")
    table.do(c.OpenBetting)
    table.cards("8h 7c 9s").pay()
    assert of_bet(table, "3:perfect_pair") == [
        ("post", 100, 0), ("return", MIXED, 0), ("reverse_return", MIXED, 1), ("reverse_post", 100, 1), ("post", 100, 1)
    ]  # fmt: skip
    table.chosen("3 hit").cards("Td").finish()
    assert table.balance() == BROUGHT - STAKED


@pytest.mark.parametrize("kills", range(1, 9))
def test_a_part_cut_off_anywhere_goes_on_and_pays_once(
    table: Boxes, kills: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(part_payment, "CHUNK_BETS", 2)
    table.bet_on(PAIR | {"4:main": 1_000, "4:perfect_pair": 100, "5:main": 1_000, "5:perfect_pair": 100})
    table.no_more_bets().cards("8h 9h Th 7c 8s 9s Tc")
    for _ in range(kills):
        table.table.pay(table.now)
        back_up(table)
    table.pay()
    for box in "345":
        assert of_bet(table, f"{box}:perfect_pair") == [("post", 100, 0), ("return", MIXED, 0)]
    assert [part.over for part in told(table)] == [False, False, True]


def test_a_round_of_the_rulebook_before_is_paid_at_its_end(table: Boxes, monkeypatch: pytest.MonkeyPatch) -> None:
    before = replace(BLACKJACK, edition=replace(BLACKJACK.edition, version=1))
    monkeypatch.setattr("studio.games.GAMES", (before,))
    table.bet_on(PAIR)
    monkeypatch.undo()
    assert table.round.version == 1
    table.no_more_bets().cards("8h 7c 8s").pay()
    assert table.balance() == BROUGHT - STAKED
    table.chosen("3 stand").cards("Tc").finish()
    assert table.balance() == BROUGHT - STAKED + MIXED
    assert "PartOpened" not in table.kinds()


# --- the audit -------------------------------------------------------------------------------------------


@pytest.fixture
def lying() -> Iterator[Boxes]:
    """An open table whose journal is told something else than what happened."""
    made = Boxes(BLACKJACK_TABLE)
    made.deposit()
    made.open()
    yield made
    made.close()


@pytest.mark.parametrize(
    ("kind", "old", "new", "sentence"),
    [
        ("PartOpened", '"3:perfect_pair":"6"', '"3:perfect_pair":"21"', "do not decide"),
        ("PartSettled", '"returns_minor":600', '"returns_minor":601', "not what its facts make it"),
        ("PartSettled", '"cursor":2', '"cursor":3', "more bets than there are"),
    ],
)
def test_a_part_that_is_told_otherwise_is_found(lying: Boxes, kind: str, old: str, new: str, sentence: str) -> None:
    dealt(lying)
    lying.tamper = told_otherwise(kind, old, new)
    lying.pay()
    assert sentence in found(lying)


def test_a_result_before_its_parts_are_paid_is_found(lying: Boxes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studio.tables.payment.round_payment.owes_part", lambda state: False)
    dealt(lying).chosen("3 stand").cards("Tc")
    lying.finish()
    assert "decided earlier" in found(lying)
