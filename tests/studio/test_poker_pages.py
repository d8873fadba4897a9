"""The rules of the poker room's pages: their form, and those that short-deck and Omaha have for themselves."""

from __future__ import annotations

import pytest
from rulebook_page import cited, defined, page

from studio.errors import BadInputError
from studio.games import find_game
from studio.histories.phh import play_phh, read_phh

KEYS = ("nlh", "short_deck", "plo", "ofc")


@pytest.mark.parametrize("key", KEYS)
def test_each_page_has_its_title_its_key_and_numbers_without_a_gap(key: str) -> None:
    game = find_game(key)
    assert page(key).startswith(f"# {game.title}\n")
    assert f"Key `{key}`. Rulebook version {game.edition.version}." in page(key)
    letters, numbers = defined(key)
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert set(cited(letters)) <= set(numbers)


@pytest.mark.parametrize("key", ["short_deck", "plo"])
def test_a_page_names_every_house_option_of_its_game(key: str) -> None:
    for option in find_game(key).options.defaults:
        assert f"`{option}`" in page(key), option


def stacks_of(variant: str, blinds: str, actions: str, antes: str = "0, 0, 0") -> tuple[int, ...]:
    least = 200 if variant == "NS" else 100
    head = f'variant = "{variant}"\nante_trimming_status = true\nantes = [{antes}]\nblinds_or_straddles = [{blinds}]\n'
    lines = ", ".join(f'"{line.strip()}"' for line in actions.split(";"))
    return play_phh(
        read_phh(f"{head}min_bet = {least}\nstarting_stacks = [9000, 9000, 9000]\nactions = [{lines}]")
    ).stacks


PLO = "d dh p1 As2c2d2h; d dh p2 KhKd9c8c; d dh p3 ????????; p3 cc; p1 cc; p2 cc; d db KsQs7s"


def test_pl_2_one_spade_in_the_hand_and_four_on_the_board_are_no_flush() -> None:
    checked = "p1 cc; p2 cc; p3 cc"
    end = f"{checked}; d db 3s; {checked}; d db 4d; {checked}; p1 sm As2c2d2h; p2 sm KhKd9c8c; p3 sm"
    assert stacks_of("PO", "50, 100, 0", f"{PLO}; {end}") == (8900, 9200, 8900)  # three kings, not the ace of spades


def test_pl_3_the_most_is_what_is_owed_and_the_pot_once_that_is_paid() -> None:
    to_900 = f"{PLO}; p1 cbr 200; p2 cbr 900; p3 f; p1 f"
    assert stacks_of("PO", "50, 100, 0", to_900) == (8700, 9400, 8900)
    with pytest.raises(BadInputError, match="from 400 to 900"):
        stacks_of("PO", "50, 100, 0", to_900.replace("900", "901"))


def test_sd_2_and_sd_3_all_ante_the_button_has_the_blind_and_the_seat_at_its_left_begins() -> None:
    dealt = "d dh p1 ????; d dh p2 ????; d dh p3 ????"
    blind = ("NS", "0, 0, 200")
    assert stacks_of(*blind, f"{dealt}; p1 f; p2 f", "100, 100, 100") == (8900, 8900, 9200)
    with pytest.raises(BadInputError, match="from 400 to"):
        stacks_of(*blind, f"{dealt}; p1 cbr 300", "100, 100, 100")
    flop = f"{dealt}; p1 cc; p2 cc; p3 cc; d db 6c7c8c; p1 cbr"
    assert stacks_of(*blind, f"{flop} 200; p2 f; p3 f", "100, 100, 100") == (9600, 8700, 8700)
    with pytest.raises(BadInputError, match="from 200 to"):
        stacks_of(*blind, f"{flop} 199", "100, 100, 100")


@pytest.mark.parametrize(
    ("first", "second", "board"),
    [("Ah9h", "KdKs", "KhQh8h8d6c"), ("9h6c", "KdKs", "Ah7d8cKcTs"), ("JdTd", "Ac6d", "7h8s9c9hQd")],
    ids=["flush over full house", "straight over three of a kind", "any straight over the lowest"],
)
def test_sd_4_and_sd_5_ranks(first: str, second: str, board: str) -> None:
    dealt = f"d dh p1 {first}; d dh p2 {second}; d dh p3 ????; p1 cc; p2 cc; p3 f; d db {board[:6]}"
    checked = "p1 cc; p2 cc"
    end = f"{checked}; d db {board[6:8]}; {checked}; d db {board[8:]}; {checked}; p1 sm {first}; p2 sm {second}"
    assert stacks_of("NS", "0, 0, 200", f"{dealt}; {end}", "100, 100, 100") == (9600, 8700, 8700)
