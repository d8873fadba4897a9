"""Certificates: what stands in them, that they are the same twice, and that nobody changes one unseen."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from studio.errors import BadInputError
from studio.games import HOUSE_GAMES, find_game
from studio.pay_tables import pay_table_of
from studio.proof.certificate.digest import code_digest, code_of, table_digest
from studio.proof.certificate.folder import Certificates, save_certificate
from studio.proof.certificate.page import certificate_page
from studio.proof.certificate.record import Certificate, _digest, certify, read_certificate, write_certificate
from studio.rulebook.game import Game
from studio.settlement.payout import payout_minor

ROOT = Path(__file__).parents[2]
KNIGHTS = find_game("three_knights")


@pytest.fixture(scope="module")
def knights() -> Certificate:
    return certify(KNIGHTS, {}, date="2026-01-02", seconds=1.25)


def test_a_certificate_says_what_was_proved_of_which_table_by_which_code(knights: Certificate) -> None:
    assert (knights.game, knights.title, knights.version) == ("three_knights", "Three Knights", 1)
    assert knights.rules == {"six": "six_pays_half"}
    assert [figure.bet for figure in knights.figures] == list(KNIGHTS.betting.bets)
    three_knights = next(figure for figure in knights.figures if figure.bet == "player2_three_knights")
    assert (three_knights.fraction, three_knights.percent) == ("11/65", 16.923077)
    assert (three_knights.published_percent, three_knights.difference) == (None, None)
    assert three_knights.deals == 22_100 * 18_424
    assert (knights.date, knights.seconds) == ("2026-01-02", 1.2)


def test_the_prizes_of_a_figure_add_up_to_it(knights: Certificate) -> None:
    for figure in knights.figures:
        back = sum(Fraction(prize.returns) * prize.deals for prize in figure.prizes)
        assert back / sum(prize.deals for prize in figure.prizes) == Fraction(figure.fraction)


def test_the_digest_of_the_code_is_what_sha256sum_says_of_its_files(knights: Certificate) -> None:
    for name, digest in knights.code.items():
        assert hashlib.sha256((ROOT / name).read_bytes()).hexdigest() == digest
    listed = "".join(f"{digest}  {name}\n" for name, digest in knights.code.items())
    assert hashlib.sha256(listed.encode()).hexdigest() == knights.code_digest == code_digest("three_knights")


@pytest.mark.parametrize("game", [game.key for game in HOUSE_GAMES])
def test_the_code_of_a_game_is_its_hands_its_rulebook_its_proof_and_the_payout(game: str) -> None:
    files = set(code_of(game))
    assert {f"studio/games/{game}.py", f"studio/proof/returns/{game}.py", "studio/proof/returns/figure.py"} <= files
    assert Path(payout_minor.__code__.co_filename).relative_to(ROOT).as_posix() in files
    ranks_hands = "from studio.hands." in (ROOT / f"studio/games/{game}.py").read_text(encoding="utf-8")
    assert any(name.startswith("studio/hands/") for name in files) or not ranks_hands
    silent = {"studio/rulebook/script.py", "studio/rulebook/game.py", "studio/errors.py", "studio/cards/sealed.py"}
    assert not silent & files


def test_the_same_proof_is_the_same_certificate_but_for_day_and_seconds(knights: Certificate) -> None:
    again = certify(KNIGHTS, {"six": "six_pays_half"}, date="2027-03-04", seconds=9)
    assert again.digest == knights.digest
    as_before = msgspec.structs.replace(again, date=knights.date, seconds=knights.seconds)
    assert write_certificate(as_before) == write_certificate(knights)


def test_a_certificate_that_was_changed_is_known(knights: Certificate) -> None:
    text = write_certificate(knights)
    assert read_certificate(text, "here") == knights
    with pytest.raises(BadInputError, match="was changed after it was made"):
        read_certificate(text.replace(b"96.944", b"97.944"), "here")
    with pytest.raises(BadInputError, match="no certificate of a pay table"):
        read_certificate(b"{}", "here")


@pytest.mark.parametrize("prize", [False, True], ids=["return", "prize"])
def test_a_certificate_whose_numbers_nobody_can_hold_is_refused(knights: Certificate, prize: bool) -> None:
    """Also one that was signed over again: whoever makes one up can do that, too."""
    first, *rest = knights.figures
    absurd = "1e999999999"
    prizes = (msgspec.structs.replace(first.prizes[0], returns=absurd), *first.prizes[1:])
    figure = msgspec.structs.replace(first, **({"prizes": prizes} if prize else {"fraction": absurd}))
    made_up = msgspec.structs.replace(knights, figures=(figure, *rest))
    text = write_certificate(msgspec.structs.replace(made_up, digest=_digest(made_up)))
    with pytest.raises(BadInputError, match="is no number that can be read"):
        read_certificate(text, "here")


def test_a_table_is_known_however_its_options_are_written() -> None:
    bonus = find_game("holdem_bonus")
    assert table_digest(bonus, {}) == table_digest(bonus, {"first5": "flush 40"})
    assert table_digest(bonus, {}) == table_digest(bonus, {"first5_pot": 500_000})
    assert table_digest(bonus, {}) != table_digest(bonus, {"first5": "flush 41"})


def test_how_cards_are_turned_is_no_part_of_the_pay_table() -> None:
    baccarat = find_game("baccarat")
    assert table_digest(baccarat, {}) == table_digest(baccarat, {"squeeze": "on", "after_cut": "none_more"})
    assert table_digest(baccarat, {}) != table_digest(baccarat, {"decks": "6"})
    assert table_digest(baccarat, {}) != table_digest(baccarat, {"banker": "six_pays_half"})


def test_a_changed_table_has_a_certificate_of_its_own(knights: Certificate, tmp_path: Path) -> None:
    commission = certify(KNIGHTS, {"six": "commission"}, date="2026-01-02")
    for one in (knights, commission):
        save_certificate(one, tmp_path)
    found = Certificates.of(tmp_path)
    assert found.find(KNIGHTS, {}) == knights
    assert found.find(KNIGHTS, {"six": "commission"}) == commission
    assert found.find(KNIGHTS, {"six": "even"}) is None


def test_a_certificate_of_other_code_proves_nothing(knights: Certificate) -> None:
    other = msgspec.structs.replace(knights, code_digest="0" * 64)
    assert Certificates([other]).find(KNIGHTS, {}) is None
    assert Certificates([knights]).find(KNIGHTS, {}) == knights


def test_even_money_on_both_sides_is_just_not_more_than_all() -> None:
    even = certify(KNIGHTS, {"six": "even"}, date="2026-01-02")
    assert (even.highest.bet, even.highest.whole, even.over) == ("player1_win", 1, ())


@pytest.mark.long
def test_a_bet_that_gives_back_more_than_all_is_named_on_the_first_page() -> None:
    generous = certify(find_game("kkclash"), {"draw": "25", "pocket_pair": "9"}, date="2026-01-02")
    assert generous.over == ("draw", "pocket_pair")
    assert "More than 100 % of the stake comes back on: draw, pocket_pair." in certificate_page(generous)


@pytest.mark.parametrize("game", HOUSE_GAMES, ids=lambda game: game.key)
def test_the_words_of_a_pay_table_speak_of_every_bet(game: Game) -> None:
    told = " ".join(line.bet for line in tuple(pay_table_of(game.key).lines(game.options.defaults)))
    assert {
        bet for bet in game.betting.bets if not any(_alike(bet, word) for word in told.replace(",", " ").split())
    } == set()


def _alike(bet: str, told: str) -> bool:
    """`{n}` stands for the number of a box."""
    return bet in [told.replace("{n}", str(number)) for number in range(1, 8)]


def test_the_page_holds_everything_and_needs_nothing_else(knights: Certificate) -> None:
    page = certificate_page(knights)
    for told in (knights.digest, knights.table_digest, *knights.code.values(), "96.944019", "11/65"):
        assert told in page
    assert all(word not in page for word in ("<script", "http://", "https://", "src=", "<link"))
