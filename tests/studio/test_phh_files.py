"""Hand histories as they come from elsewhere: odd, broken, several in a file, and told in units of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from studio.cli.hands import command
from studio.errors import BadInputError
from studio.histories.phh import in_file_units, play_phh, read_phh

HAND = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000]
actions = [
  "d dh p1 TcQc", "d dh p2 8s4c", "d dh p3 9c3d",
  "p3 cbr 300", "p1 f", "p2 cc",
  "d db 7d5h9d", "p2 cc", "p3 cc", "d db 7c", "p2 cc", "p3 cc", "d db Qh", "p2 cc", "p3 cc",
  "p2 sm 8s4c", "p3 sm 9c3d",
]
"""
STACKS = [9950, 9700, 10350]


def stacks_of(text: str) -> list[int | float]:
    history = read_phh(text)
    return [in_file_units(stack, history.scale) for stack in play_phh(history).stacks]


def changed(old: str, new: str) -> str:
    assert old in HAND
    return HAND.replace(old, new, 1)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("7d5h9d", "7d5h9c", "The card 9c is dealt twice"),
        ('"d db 7c"', '"d db 7d"', "The card 7d is dealt twice"),
        ("TcQc", "TcTc", "The card Tc is dealt twice"),
        ("TcQc", "TcQcAs", "a seat has 2 cards; the file deals 3 to p1"),
        ("TcQc", "Tc", "a seat has 2 cards; the file deals 1 to p1"),
        ("p2 sm 8s4c", "p2 sm AsAd", "shows other cards than p2 was dealt"),
        ("7d5h9d", "7d5h9dAs", "deals As to the board where it is the turn of p2"),
        ("7d5h9d", "7d5h", "lets p2 act where the next card of the board is missing"),
        ("7d5h9d", "7d5h??", "A card of the board is not known"),
        ('"d db 7c"', '"d db 7c", "d dh p1 AsAh"', "deals to a seat after the first act"),
        ("10000, 10000, 10000", "inf, inf, inf", "inf, which is not known"),
        ("10000, 10000, 10000", "1e400, 1, 1", "more than 15 digits"),
        ("10000, 10000, 10000", "9" * 5000 + ", 1, 1", "a number in it cannot be read"),
        ("cbr 300", "cbr 1e999999999", "more than 15 digits"),
        ("cbr 300", "cbr 1e-999999999", "more than nine decimal places"),
        ("cbr 300", "cbr \\u001b[31m", "cannot be printed"),
        ('"NT"', '["NT"]', "names no variant"),
        ('"NT"', '"NS"', "not in the deck of short_deck"),
        ("min_bet", "_rake_percent = 101\n_rake_cap = 1\nmin_bet", "more than 100 percent"),
        ("[50, 100, 0]", "[0, 0, 0]", "cannot have gone so"),
        ("[10000, 10000, 10000]", "[10000]", "From 2 to 10 seats can be dealt in; the hand has 1"),
    ],
)
def test_a_hand_that_cannot_have_been_so_is_refused_in_a_sentence(old: str, new: str, sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence):
        stacks_of(changed(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("d dh p1 TcQc", "d dh p1 ????"),
        ("d dh p2 8s4c", "d dh p2 ??4c"),
        ('"d dh p1 TcQc", ', ""),
        ("p2 sm 8s4c", "p2 sm -"),
        ("p2 sm 8s4c", "p2 sm ????"),
        ("p2 sm 8s4c", "p2 sm 4c8s # turned over"),
        ('"p1 f"', '"# looks around", "p1 f"'),
        ("min_bet", "bring_in = 10\n_note = [1]\nmin_bet"),
    ],
)
def test_a_file_may_know_less_or_say_more(old: str, new: str) -> None:
    assert stacks_of(changed(old, new)) == STACKS


def test_finishing_stacks_of_half_a_chip_say_what_the_smallest_unit_is() -> None:
    split = changed("cbr 300", "cbr 225").replace("8s4c", "7h4c").replace("9c3d", "7s3d")
    assert stacks_of(split) == [9950, 10025, 10025]
    odd = split.replace("p1 f", "p1 cc").replace('"p2 cc", "p3 cc"', '"p1 f", "p2 cc", "p3 cc"', 1)
    assert stacks_of(odd) == [9775, 10113, 10112]
    assert stacks_of(odd + "finishing_stacks = [9775, 10112.5, 10112.5]") == [9775, 10112.5, 10112.5]
    assert stacks_of(odd + "finishing_stacks = ['?', inf]") == [9775, 10113, 10112]


def test_what_nobody_called_goes_back_to_who_bet_it_and_not_to_who_paid_an_ante_for_all() -> None:
    """The big blind put in 34 in all, and yet the 11 that nobody called are the raiser's."""
    short = """
variant = "NT"
antes = [0, 17, 0]
blinds_or_straddles = [8, 17, 0]
min_bet = 17
starting_stacks = [4, 383, 28]
actions = [
  "d dh p1 Kc4d", "d dh p2 5hKh", "d dh p3 QcTc", "p3 cbr 28", "p2 f",
  "p3 sm QcTc", "p1 sm Kc4d", "d db 4c7sTh", "d db 2s", "d db 6h",
]
"""
    assert stacks_of(short) == [0, 349, 66]


def test_a_fold_for_nothing_is_played_and_chips_that_nobody_could_win_are_not() -> None:
    folded = HAND.split('"p2 sm', maxsplit=1)[0].replace('"p2 cc", "p3 cc",\n', '"p2 cc", "p3 f",\n') + "]\n"
    assert stacks_of(folded) == [9950, 10350, 9700]
    nobodys = """
variant = "PO"
antes = [0, 0, 0, 0]
blinds_or_straddles = [3, 6, -6, 0]
min_bet = 6
starting_stacks = [2, 3, 20, 32]
actions = [
  "d dh p1 AcJs3c5s", "d dh p2 9sKd9h4d", "p3 cc", "p4 cc", "d db 4hJhAh", "p3 cc", "p4 cc",
  "d db 9d", "p3 cc", "p4 cc", "d db Ad", "p3 f", "p4 f",
]
"""
    with pytest.raises(BadInputError, match="cannot have gone so"):
        stacks_of(nobodys)


def test_a_bad_hand_among_several_is_named_and_the_others_are_played(tmp_path: Path) -> None:
    file = tmp_path / "night.phhs"
    hands = [HAND, changed('"NT"', '"FT"'), HAND.replace('variant = "NT"', ""), changed("cbr 300", "cbr 150"), HAND]
    file.write_text("\ufeffsource = 'elsewhere'\n" + "".join(f"[{at}]{hand}" for at, hand in enumerate(hands, 1)))
    told = CliRunner().invoke(command, [str(file), "--json"])
    lines: list[dict[str, Any]] = [json.loads(line) for line in told.output.splitlines()]
    assert told.exit_code == 1
    assert [(line["hand"], line.get("finishing_stacks")) for line in lines] == [
        ("1", STACKS), ("2", None), ("3", None), ("4", None), ("5", STACKS),
    ]  # fmt: skip
    assert "names no variant" in lines[2]["error"]
    words = CliRunner().invoke(command, [str(file)]).output.splitlines()
    assert words[4] == f"{file}, hand 5: NT, finishing stacks 9950, 9700, 10350"
