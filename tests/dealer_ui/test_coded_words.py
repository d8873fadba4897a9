"""Every code that the record can hold has its word in every language; what was before and after is said in words."""

from __future__ import annotations

import re
import ssl
from datetime import UTC
from html import unescape
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from test_words_of_every_page import english_in

from dealer_ui.frame.template import EVERYWHERE, templates
from dealer_ui.pages.report.cell import Speaker
from dealer_ui.past import coded
from dealer_ui.past.change import ChangeWords
from dealer_ui.past.old_change import read_old
from dealer_ui.words.language import LANGUAGES, Languages
from devices import tls
from devices.camera.source import live
from devices.driver import Instant
from devices.link import LineSettings, LinkLostError, _unplugged, _why_not_opened, open_link
from devices.order import OrderQueue
from devices.shoe import angel_eye_order
from devices.shuffler import generic_order
from devices.shuffler.generic import GenericDriver
from studio.cards import Sealer
from studio.device_address import Trust
from studio.games import GAMES
from studio.money import KINDS
from studio.people import LICENCE
from studio.pit.complaint import OUTCOMES
from studio.ports import HostCommand
from studio.tables import command as c

CODES = """
CardDoubted why              unsure gone contradiction reread
CardSetAside why             early extra held idle exposed
CardDisposed to              discard next_burn next dealt
CameraLostCard direction     left right top bottom
CameraBlind reason           dark glare colourless unsharp frozen moved covered resized no_picture
ShoeErrorRaised error        unread overdraw button reverse_exit reverse_midway card_code draw_timeout other
ShufflerAlarm alarm          jam cover misread reverse double_feed deck_count overdraw timeout power
ShufflerState state          idle loading shuffling verifying ready error
DeckVerified verdict         ok short over duplicate foreign
CountEnded verdict           ok short over duplicate unread broken_off
UnreadableFrame reason       bcc no_etx cut_short noise unknown sequence
SeatAway why                 asked idle
SignInEnded why              ended next idle restart changed barred
SignInRefused reason         unknown_badge wrong_pin wrong_code wrong_passkey code_over locked_out barred wrong_at_work
AccessRefused why            role sender
DealerStoodDown why          barred retired roles
CheckpointSigned why         start hour shift asked archive stop
CompensationDecided pays     full each none
DeviceServiced service       self_test calibration recording enrolment
KeyRotated what              pepper signing wrapping
ShoeWithdrawn why            replace_deck reshuffle_and_redeal void_shoe
"""
"""As the events' own docstrings list them."""

CHANGES = (
    "no round", "t1-0000002 dealing", "t1-0000002 voiding: burn 1 = sealed a850558b061004a2, player1 2 = 6d",
    "blackjack-1-0000005 settled: 5 2 = Td; no bet went back", "t1-0000002 dealing: board 5 = 7d, camera says unsure",
    "t1-0000001: player1 3 = Ts, burn 2 taken out", "player1 and banker exchanged (no money changes)",
    "player1 3 = 6d (north: 1 bettor, 0.00 EUR back, 20.00 EUR out; the pot is won after all)", "t1-0000001: settled",
    "void flush (north: 2 bettors, 1.50 EUR back, 0.00 EUR out)", "t1-0000001: burn 2, deal 2 = sealed", "burn 2 = 4h",
    "set aside = 4h", "never proved", "allowed to deal", "more than 100 % on player1_win, at most 101.5 %",
    "seat3: ann of north, 12.00 EUR", "paid out", "C-1: no prize on the cards, 12.00 EUR lost",
    "12.00 EUR paid to 3 bettors", "Three Knights; its usual rules; player1_win 100–100000 minor units of EUR; 15 s",
    "Three Knights; its usual rules; * 100–5000, at most 50000 lost in a round, minor units of EUR; 15 s",
)  # fmt: skip


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_code_has_its_word(tag: str) -> None:
    language = Languages().speak(tag)
    lines = (line.split() for line in CODES.strip().splitlines())
    codes = [(kind, field, code) for kind, field, *codes in lines for code in codes]
    codes += [("PersonActed", "act", one.__name__) for one in c.COMMANDS]
    codes += [("ComplaintAnswered", "outcome", one) for one in OUTCOMES]
    codes += [("PaperIssued", "paper", one) for one in (LICENCE, *(game.key for game in GAMES))]
    assert [one for one in codes if not coded.word(language, one[1], one[2], one[0])] == []


def test_a_reason_keeps_the_words_behind_it_and_other_words_are_no_code() -> None:
    english = Languages().speak("en")
    assert coded.word(english, "why", "card_damaged: a corner", "ShoeWithdrawn") == "A damaged card: a corner"
    assert coded.word(english, "why", "because of the rain", "ShoeWithdrawn") == ""
    assert coded.detail(english, "dealer, pit_boss") == "Dealer, Pit boss"
    assert coded.person(english, "Petra") == ""


@pytest.mark.parametrize("text", CHANGES)
def test_what_was_and_what_is_are_said_in_japanese(text: str) -> None:
    said = ChangeWords(Languages().speak("ja")).say(text)
    assert said != text
    assert english_in(said) == []


@pytest.mark.parametrize("text", CHANGES)
def test_a_text_of_an_old_record_says_what_a_new_record_holds_as_values(text: str) -> None:
    situation = read_old(text)
    assert situation is not None
    assert str(situation) == text
    for tag in LANGUAGES:
        words = ChangeWords(Languages().speak(tag))
        assert words.say(situation) == words.say(text)


@pytest.mark.parametrize("text", ["", "of another form, 12", "t1-0000002 dealing: something new"])
def test_a_text_of_another_form_stays_as_it_was_written(text: str) -> None:
    assert ChangeWords(Languages().speak("ja")).say(text) == text


def test_what_a_lost_link_says_is_said_in_the_language() -> None:
    errors = (OSError(2, ""), OSError(13, ""), OSError(16, ""), OSError(21, ""), OSError(5, ""))
    told = [_unplugged("/dev/ttyUSB0"), *(_why_not_opened("/dev/ttyUSB0", one) for one in errors)]
    told += [_why_lost(url) for url in ("sim://none", "socket://[::1]:1", "/dev/tty*none*")]
    told += [sentence.format("http://eye/") for sentence in (live._NO_PICTURE, live._NO_STREAM, live._DENIED)]
    silent = GenericDriver("machine-1", Sealer(Random(1).randbytes))
    silent.turn(b"", Instant(0, 0))
    told.append(silent.turn(b"", Instant(60_000, 60_000)).silent)
    english = Languages().speak("en")
    assert [coded.said_by_device(english, one) for one in told] == told
    assert "/dev/ttyUSB0 のケーブル" in coded.said_by_device(Languages().speak("ja"), told[0])


def _why_lost(url: str) -> str:
    with pytest.raises(LinkLostError) as lost:
        open_link(url, LineSettings())
    return lost.value.sentence


def test_why_a_device_by_tls_is_not_spoken_to_is_said_in_the_language() -> None:
    named = Trust(ca="ca.pem")
    whys = [TimeoutError(), *(_unproved(code) for code in (10, 9, 62, 19)), _broken("TLSV1_ALERT_X"), _broken("ODD")]
    told = [tls._why(one, named) for one in whys]
    with pytest.raises(tls.TlsError) as unread:
        tls._context(Trust(ca="nowhere.pem"))
    with pytest.raises(tls.TlsError) as other:
        tls._need_this(SimpleNamespace(getpeercert=lambda **_: b"", close=lambda: None), "")  # type: ignore[arg-type]
    told += [unread.value.sentence, other.value.sentence]
    begun = ("The device server at eye is not spoken to.", "The camera at eye is not looked through.")
    told = [f"{first} {one}" for first in begun for one in told]
    english, japanese = Languages().speak("en"), Languages().speak("ja")
    assert [coded.said_by_device(english, one) for one in told] == told
    said = [coded.said_by_device(japanese, one) for one in told]
    assert all(one.startswith(("デバイスサーバー eye", "カメラ eye")) for one in said)
    assert not [one for one in said if re.search("ertificate [iw]|nswers|efuses|another|cannot|came", one)]


def _unproved(code: int) -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError()
    error.verify_code, error.verify_message = code, "said"
    return error


def _broken(reason: str) -> ssl.SSLError:
    error = ssl.SSLError()
    error.reason = reason
    return error


def test_what_a_device_says_of_an_order_is_said_in_the_language() -> None:
    told = [*angel_eye_order._REFUSED.values(), *_unanswered(angel_eye_order.AngelEyeOrders("shoe", _ALL))]
    told += _unanswered(generic_order.GenericOrders("shuffler", _ALL))
    told += _unanswered(generic_order.GenericOrders("shuffler", _ALL), refused=True)
    told += [one.reason for one in OrderQueue("shoe", _ALL, _ALL).drop(EJECT)]
    english, japanese = Languages().speak("en"), Languages().speak("ja")
    assert len(told) == 14
    assert [coded.said_by_device(english, one).lower() for one in told] == [one.lower() for one in told]
    assert [set(english_in(coded.said_by_device(japanese, one))) - ORDER_NAMES for one in told] == [set()] * len(told)


_ALL = frozenset({"eject", "lock"})
EJECT = HostCommand("eject")
ORDER_NAMES = {"shoe", "shuffler", "eject", "STX"}


def _unanswered(desk: Any, *, refused: bool = False) -> list[str]:
    """Why an order that a device never carries out is given up."""
    desk.take(EJECT if isinstance(desk, generic_order.GenericOrders) else HostCommand("lock"))
    for run_ms in range(0, 10_000, 100):
        now = Instant(run_ms, run_ms)
        if told := desk.time_out(now):
            return [one.reason for one in told]
        desk.outgoing(now)
        if refused:
            desk.answer(accepted=False)
    raise AssertionError("it was never given up")


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_kind_of_transfer_has_its_words(tag: str) -> None:
    language = Languages().speak(tag)
    assert [one for one in KINDS if not language.knows(f"money.{one}") or not language.knows(f"posting.{one}")] == []


@pytest.mark.parametrize(("tag", "rake"), [("en", "€1.50"), ("ja", "€1.50"), ("id", "€1,50")])
def test_a_pot_of_a_past_hand_tells_its_rake(tag: str, rake: str) -> None:
    pots = templates(Languages().speak(tag), EVERYWHERE).from_string(
        "{% import 'oval.html' as oval %}{{ oval.pots(room, 'EUR') }}"
    )
    pot = SimpleNamespace(amount_minor=4_850, winners=(), rake_minor=150, seats=("seat1", "seat2"))
    room = SimpleNamespace(street="", pots=(pot,), in_play_minor=0)
    assert rake in unescape(pots.render(room=room)).replace("\xa0", "")


def test_a_report_names_the_bets_of_a_numbered_box() -> None:
    speaker = Speaker(Languages().speak("ja"), UTC)
    assert [english_in(speaker.word("bet", key)) for key in ("3:main", "3:perfect_pair", "player1_win")] == [[], [], []]
    assert speaker.word("bet", "3:main").startswith("3 · ")


def test_accounts_are_named() -> None:
    titles = {"t1": "Table 1"}
    for key, words in {
        "bettor:north:ann": "ann (north)", "bettor:north:ann/t1": "chips of ann (north) at Table 1",
        "house:t1": "the house at Table 1", "house:pot/first5": "the house's purse for the pot first5",
        "escrow:t1-0000001": "stakes of t1-0000001", "operator:north": "operator north", "elsewhere": "elsewhere",
    }.items():  # fmt: skip
        assert coded.account(Languages().speak("en"), key, titles) == words
