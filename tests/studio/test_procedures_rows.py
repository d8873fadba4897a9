"""Every row under its own id, as the printed tables say it: who asks `rule`, and which row answers what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest

from studio.games import find_game
from studio.procedures import BY_GAME, PIT_DECIDES, PROCEDURES, rule

HOUSE = "holdem_bonus"

# row, kind, phase, what is given, ruling (after "pit:" what it decides between; after "/" the way out),
# approval (after "+" what goes back)

ROWS = """\
[three_knights]
TK2   burn_error          shuffling  -                             reshuffle_and_redeal                   pit_boss
TK2   burn_error          burning    -                             reshuffle_and_redeal                   pit_boss
TK2   burn_error          betting    -                             reshuffle_and_redeal                   pit_boss
TK2   burn_error          dealing    player1_cards=0               reshuffle_and_redeal                   pit_boss
TK2   burn_error          dealing    player1_cards=1               reshuffle_and_redeal                   pit_boss
TK3   burn_error          dealing    player1_cards=2               pit: void_round/continue               pit_boss
TK3   burn_error          dealing    player1_cards=3               pit: void_round/continue               pit_boss
TK3   burn_error          dealing    -                             pit: void_round/continue               pit_boss
TK3   burn_error          dealing    banker_cards=1                pit: void_round/continue               pit_boss
TK3   burn_error          betting    player1_cards=2               pit: void_round/continue               pit_boss
TK3   burn_error          result     -                             pit: void_round/continue               pit_boss
TK3   burn_error          settled    -                             pit: void_round/continue               pit_boss
TK4   exposed_card        betting    -                             void_round                             pit_boss+all
TK4   exposed_card        betting    revealed=yes count=2          void_round                             pit_boss+all
TK5   exposed_card        shuffling  -                             pit: continue/reshuffle/replace_deck   pit_boss
TK5   exposed_card        shuffling  count=3                       pit: continue/reshuffle/replace_deck   pit_boss
TK6   extra_card          result     -                             continue                               dealer
TK6   extra_card          result     revealed=true moment=street   continue                               dealer
TK7   dropped_card        shuffling  -                             reuse_card                             dealer
TK7   dropped_card        burning    identified=no                 reuse_card                             dealer
TK7   dropped_card        result     -                             reuse_card                             dealer
TK7   dropped_card        settled    -                             reuse_card                             dealer
TK8   dropped_card        dealing    identified=true               reuse_card                             dealer
TK9   dropped_card        dealing    identified=false              void_round                             pit_boss+all
TK9   dropped_card        dealing    -                             void_round                             pit_boss+all
TK10  wrong_order         burning    -                             move_card                              dealer
TK10  wrong_order         betting    pattern=reversed              move_card                              dealer
TK10  misplaced_card      betting    -                             move_card                              dealer
TK10  misplaced_card      dealing    bets_in=false                 move_card                              dealer
TK11  wrong_order         dealing    pattern=reversed              swap_hands/void_round                  pit_boss
TK11  wrong_order         result     pattern=reversed              swap_hands/void_round                  pit_boss
TK11  wrong_order         settled    pattern=reversed              swap_hands/void_round                  two_people
TK11  wrong_order         betting    pattern=reversed bets_in=yes  swap_hands/void_round                  pit_boss
TK13  shuffler_jam        shuffling  -                             pit: void_round/continue/replace_deck  pit_boss
TK13  shuffler_jam        dealing    harmed=false                  pit: void_round/continue/replace_deck  pit_boss
TK12  wrong_order         dealing    -                             pit: void_round/continue/move_card     pit_boss
TK12  wrong_order         result     pattern=other                 pit: void_round/continue/move_card     pit_boss
TK12  misplaced_card      dealing    -                             pit: void_round/continue/move_card     pit_boss
TK12  misplaced_card      dealing    next_dealt=no                 pit: void_round/continue/move_card     pit_boss
TK12  wrong_count         dealing    -                             pit: void_round/continue/move_card     pit_boss
HG7   wrong_count         dealing    revealed=no                   pit: move_card/void_round              pit_boss
HG8   wrong_count         dealing    revealed=yes                  void_round                             pit_boss+all
HG8   wrong_count         result     revealed=yes                  void_round                             two_people+all
HG6   extra_card          dealing    revealed=no                   card_to_discard                        dealer
HG6b  extra_card          dealing    revealed=yes moment=last      continue                               dealer
HG6b  extra_card          dealing    revealed=yes moment=street    void_round                             pit_boss+all
-     extra_card          dealing    -                             pit: void_round/continue               pit_boss
-     exposed_card        dealing    -                             pit: void_round/continue               pit_boss
-     dropped_card        betting    -                             pit: void_round/continue               pit_boss
EV1   device_lost         dealing    -                             continue                               dealer
EV2   shoe_error          dealing    -                             continue                               dealer
EV2   shoe_error          dealing    expected=yes                  continue                               none
EV3   cut_card            dealing    -                             continue                               dealer
EV4   shoe_restart        dealing    -                             continue                               dealer
EV5   conflicting_reread  dealing    -                             pit: shoe/camera/manual/void_round     pit_boss
EV6   deck_unverified     shuffling  -                             pit: reshuffle/replace_deck            pit_boss
EV7   restart             dealing    -                             pit: continue/void_round               pit_boss
EV8   video_lost          betting    -                             void_round                             pit_boss+all
EV8   video_lost          dealing    -                             continue                               dealer
EV9   disconnected        betting    -                             continue                               dealer
EV10  malfunction         dealing    -                             void_round                             pit_boss+all
EV10  malfunction         result     -                             void_round                             two_people+all
EV11  device_changed      dealing    -                             accept_device                          pit_boss
EV12  void_called         dealing    -                             pit: void_round/continue               pit_boss
[holdem_bonus]
HG1   early_card          betting    revealed=no                   card_is_next_card/card_to_discard      dealer
HG1   early_card          betting    revealed=no read=no           card_to_discard                        dealer
HG1   early_card          betting    revealed=no next_dealt=yes    card_to_discard                        dealer
HG2   early_card          betting    revealed=yes                  void_round                             pit_boss+all
HG2   exposed_card        betting    -                             void_round                             pit_boss+all
HG3   exposed_card        dealing    -                             void_round                             pit_boss+all
HG3   exposed_card        deciding   count=1                       void_round                             pit_boss+all
HG4   misplaced_card      dealing    next_dealt=no                 move_card                              dealer
HG5   misplaced_card      dealing    next_dealt=yes                pit: move_card/void_round              pit_boss
HG5   misplaced_card      dealing    next_dealt=yes read=yes       pit: move_card/void_round              pit_boss
HG5   wrong_order         deciding   -                             pit: move_card/void_round              pit_boss
-     wrong_order         deciding   read=no                       pit: void_round/continue               pit_boss
HG6   extra_card          dealing    revealed=no                   card_to_discard                        dealer
HG6b  extra_card          dealing    revealed=yes moment=last      continue                               dealer
HG6b  extra_card          dealing    revealed=yes moment=street    void_round                             pit_boss+all
HG7   wrong_count         dealing    revealed=no                   pit: move_card/void_round              pit_boss
HG8   wrong_count         revealing  revealed=yes                  void_round                             pit_boss+all
HG9   boxed_card          dealing    count=1                       card_to_discard                        dealer
HG9   boxed_card          dealing    -                             card_to_discard                        dealer
HG10  boxed_card          dealing    count=2                       void_round                             pit_boss+all
HG10  boxed_card          burning    count=5                       void_round                             pit_boss+all
HG11  fouled_deck         dealing    -                             void_round                             pit_boss+all
HG11  fouled_deck         settled    -                             void_round                             two_people+all
HG12  shoe_empty          dealing    -                             void_round                             pit_boss+all
HG13  unread_card         dealing    read=yes                      continue                               dealer
HG13  unread_card         dealing    read=yes revealed=yes         continue                               dealer
HG14  unread_card         dealing    -                             reread_all/void_round                  two_people
HG14  unread_card         dealing    read=no                       reread_all/void_round                  two_people
HG14  unread_card         dealing    read=yes revealed=no          reread_all/void_round                  two_people
HG15  card_mismatch       dealing    -                             pit: shoe/camera/manual/void_round     pit_boss
HG16  dropped_card        dealing    identified=1                  reuse_card                             dealer
HG16  dropped_card        dealing    identified=0                  void_round                             pit_boss+all
HG16  dropped_card        dealing    -                             void_round                             pit_boss+all
HG17  cleared_early       result     -                             relay_from_discard/void_round          pit_boss
-     cleared_early       settled    -                             pit: void_round/continue               pit_boss
HG18  shuffler_jam        shuffling  -                             replace_deck                           pit_boss
HG18  shuffler_jam        shuffling  harmed=no player_cards=0      replace_deck                           pit_boss
HG19  shuffler_jam        dealing    harmed=no                     continue                               dealer
HG19  shuffler_jam        shuffling  player_cards=2 harmed=no      continue                               dealer
HG19  shuffler_jam        dealing    harmed=yes                    pit: void_round/continue               pit_boss
HG19  shuffler_jam        dealing    -                             pit: void_round/continue               pit_boss
HG20  prize_lost          dealing    -                             void_round                             pit_boss+all
HG21  camera_unsure       dealing    -                             continue/void_round                    dealer
[kkclash]
KC1   exposed_card        betting    -                             void_round                             pit_boss+all
KC1   exposed_card        dealing    bets_in=no                    void_round                             pit_boss+all
HG3   exposed_card        dealing    bets_in=yes                   void_round                             pit_boss+all
KC2   wrong_order         dealing    bets_in=no                    move_card                              dealer
KC2   wrong_order         betting    -                             move_card                              dealer
KC3   wrong_order         dealing    -                             pit: void_round/continue               pit_boss
KC3   wrong_order         dealing    bets_in=yes                   pit: void_round/continue               pit_boss
KC4   extra_card          dealing    board_cards=5                 card_to_discard                        dealer
KC4   extra_card          dealing    board_cards=6 revealed=yes    card_to_discard                        dealer
KC4   extra_card          revealing  -                             card_to_discard                        dealer
KC4   extra_card          dealing    revealed=yes moment=last      card_to_discard                        dealer
HG6   extra_card          dealing    board_cards=3 revealed=no     card_to_discard                        dealer
KC5   early_card          betting    -                             void_round                             pit_boss+all
HG4   misplaced_card      dealing    next_dealt=no                 move_card                              dealer
EV8   video_lost          dealing    bets_in=no                    void_round                             pit_boss+all
[andar_bahar]
AB1   misplaced_card      dealing    -                             move_card                              dealer
AB1   misplaced_card      dealing    next_dealt=yes read=yes       move_card                              dealer
AB1   wrong_order         dealing    -                             move_card                              dealer
AB1   wrong_count         dealing    revealed=yes                  move_card                              dealer
AB1   extra_card          dealing    revealed=yes                  card_is_next_card                      dealer
AB2   misplaced_card      result     -                             move_card                              pit_boss
AB2   wrong_order         result     read=yes                      move_card                              pit_boss
AB2   wrong_count         result     -                             move_card                              pit_boss
-     wrong_order         result     read=no                       pit: void_round/continue               pit_boss
AB3   extra_card          result     revealed=yes                  card_to_discard                        dealer
AB4   shoe_empty          dealing    -                             void_round                             pit_boss+all
AB4   fouled_deck         dealing    -                             void_round                             pit_boss+all
AB4   fouled_deck         result     -                             void_round                             two_people+all
AB5   dropped_card        betting    -                             void_round                             pit_boss+all
AB5   dropped_card        dealing    identified=no                 void_round                             pit_boss+all
AB5   dropped_card        result     -                             void_round                             two_people+all
HG16  dropped_card        dealing    identified=yes                reuse_card                             dealer
HG2   early_card          betting    revealed=yes                  void_round                             pit_boss+all
[blackjack]
BJ1   boxed_card          dealing    -                             card_to_discard                        dealer
BJ2   extra_card          deciding   revealed=no                   card_is_next_card                      dealer
BJ3   extra_card          deciding   revealed=yes                  card_is_next_card/card_is_next_burn    dealer
BJ3   extra_card          deciding   revealed=yes moment=last      card_is_next_burn                      dealer
-     extra_card          dealing    revealed=yes 3_cards=1        pit: void_round/continue               pit_boss
BJ4   extra_card          deciding   refused=yes                   card_is_next_card/card_is_next_burn    dealer
BJ4   extra_card          deciding   refused=yes revealed=yes      card_is_next_card/card_is_next_burn    dealer
BJ5   extra_card          deciding   dealer_total=17 revealed=yes  card_to_discard                        dealer
BJ5   extra_card          result     revealed=yes                  card_to_discard                        dealer
BJ3   extra_card          deciding   dealer_total=16 revealed=yes  card_is_next_card/card_is_next_burn    dealer
BJ6   wrong_order         dealing    -                             continue                               dealer
BJ6   wrong_order         dealing    dealer_cards=0                continue                               dealer
-     wrong_order         dealing    dealer_cards=1                pit: void_round/continue               pit_boss
BJ7   wrong_count         dealing    3_cards=0                     void_hand                              pit_boss+hand
BJ7   wrong_count         deciding   box3_cards=0 dealer_cards=1   void_hand                              pit_boss+hand
BJ8   wrong_count         dealing    3_cards=1 4_cards=2           continue                               dealer
HG8   wrong_count         dealing    3_cards=3 revealed=yes        void_round                             pit_boss+all
BJ9   misplaced_card      dealing    next_dealt=no                 card_is_next_card                      dealer
BJ9   misplaced_card      dealing    next_dealt=yes                pit: move_card/void_round              pit_boss
BJ10  shoe_empty          dealing    -                             reshuffle                              pit_boss
BJ11  unread_card         dealing    -                             reread_all/void_round                  pit_boss
BJ11  unread_card         deciding   harmed=yes read=yes           reread_all/void_round                  pit_boss
HG13  unread_card         dealing    read=yes                      continue                               dealer
HG14  unread_card         dealing    harmed=no                     reread_all/void_round                  two_people
BJ12  disconnected        deciding   -                             continue                               dealer
HG11  fouled_deck         dealing    -                             void_round                             pit_boss+all
[baccarat]
BC1   boxed_card          dealing    -                             card_to_discard                        dealer
BC1   boxed_card          dealing    count=2                       card_to_discard                        dealer
BC2   extra_card          result     revealed=no                   card_is_next_card                      dealer
BC3   extra_card          dealing    revealed=yes player_cards=3   card_is_next_card/card_to_discard      dealer
BC3   extra_card          dealing    revealed=yes drawn_for=player  card_is_next_card/card_to_discard     dealer
BC3   extra_card          result     revealed=yes drawn_for=player moment=last  card_to_discard           dealer
BC4   extra_card          result     revealed=yes drawn_for=banker player_cards=3  card_to_discard        dealer
BC4   extra_card          result     revealed=yes banker_cards=3   card_to_discard                        dealer
BC5   wrong_order         dealing    -                             move_card                              dealer
BC5   misplaced_card      result     next_dealt=yes                move_card                              dealer
BC6   wrong_count         dealing    banker_cards=2 moment=street  continue                               dealer
BC6   wrong_count         result     count=2                       continue                               dealer
HG7   wrong_count         dealing    revealed=no banker_cards=1    pit: move_card/void_round              pit_boss
BC7   misdeal_claimed     result     -                             reread_all/void_round                  pit_boss
BC7   misdeal_claimed     settled    -                             continue                               two_people
BC8   shoe_empty          dealing    -                             void_round                             pit_boss+all
BC9   dropped_card        result     identified=yes                reuse_card                             dealer
BC9   dropped_card        result     -                             void_round                             two_people+all
BC10  cut_card            dealing    pattern=other                 pit: continue/void_shoe                pit_boss
EV3   cut_card            dealing    -                             continue                               dealer
BC10  burn_error          burning    -                             pit: continue/void_shoe                pit_boss
BC11  exposed_card        betting    -                             void_round                             pit_boss+all
BC11  early_card          betting    revealed=yes                  void_round                             pit_boss+all
HG1   early_card          betting    revealed=no                   card_is_next_card/card_to_discard      dealer
BC12  exposed_card        dealing    -                             continue                               dealer
[dragon_tiger]
BC2   extra_card          result     revealed=no                   card_is_next_card                      dealer
HG6b  extra_card          result     revealed=yes moment=last      continue                               dealer
BC9   dropped_card        result     identified=yes                reuse_card                             dealer
HG3   exposed_card        dealing    -                             void_round                             pit_boss+all
[nlh]
PK1   exposed_card        dealing    card_number=1                 reshuffle_and_redeal                   pit_boss
PK1   exposed_card        dealing    card_number=2                 reshuffle_and_redeal                   pit_boss
PK1   exposed_card        dealing    card_number=7 count=2         reshuffle_and_redeal                   pit_boss
PK1   boxed_card          dealing    count=2                       reshuffle_and_redeal                   pit_boss
PK2   exposed_card        dealing    card_number=3                 card_is_next_burn                      dealer
PK2   exposed_card        dealing    count=1                       card_is_next_burn                      dealer
PK3   extra_card          dealing    -                             card_is_next_burn                      dealer
PK3   extra_card          dealing    count=2                       reshuffle_and_redeal                   pit_boss
PK4   misdeal_claimed     deciding   -                             continue                               dealer
PK4   misdeal_claimed     dealing    action=yes                    continue                               dealer
PK13  misdeal_claimed     dealing    -      pit: reshuffle_and_redeal/continue/void_round  pit_boss
PK5   boxed_card          dealing    -                             card_to_discard                        dealer
PK6   fouled_deck         dealing    -                             void_round                             pit_boss+all
PK7   extra_card          dealing    board_cards=4                 reshuffle                              pit_boss
PK7   extra_card          dealing    board=flop                    reshuffle                              pit_boss
PK8   early_card          deciding   board=flop                    reshuffle                              pit_boss
PK8   early_card          deciding   board_cards=3                 reshuffle                              pit_boss
PK9   early_card          deciding   board=turn                    reshuffle                              pit_boss
PK9   early_card          deciding   board_cards=4                 reshuffle                              pit_boss
PK10  early_card          deciding   board=river                   reshuffle                              pit_boss
PK10  early_card          deciding   board_cards=5                 reshuffle                              pit_boss
PK11  burn_error          dealing    -                             move_card                              dealer
PK11  burn_error          deciding   -                             continue                               dealer
-     burn_error          dealing    revealed=yes                  pit: void_round/continue               pit_boss
PK12  misplaced_card      dealing    board=flop next_dealt=no      move_card                              dealer
PK12  misplaced_card      deciding   board=turn                    pit: move_card/continue/void_round     pit_boss
PK14  shoe_empty          burning    -                             void_round                             pit_boss+all
PK14  shoe_empty          deciding   -                             void_round                             pit_boss+all
PK14  shoe_empty          revealing  -                             void_round                             pit_boss+all
HG12  shoe_empty          dealing    -                             void_round                             pit_boss+all
-     exposed_card        deciding   -                             pit: void_round/continue               pit_boss
[plo]
PK1   exposed_card        dealing    seat1_cards=1 seat2_cards=1   reshuffle_and_redeal                   pit_boss
[short_deck]
PK1   misplaced_card      dealing    -                             reshuffle_and_redeal                   pit_boss
[ofc]
OF1   timed_out           dealing    revealed=no                   continue                               dealer
OF1   timed_out           dealing    seat2_cards=0                 continue                               dealer
OF2   timed_out           deciding   -                             continue                               dealer
OF2   timed_out           deciding   rows_open=1                   continue                               dealer
OF3   exposed_card        dealing    -                             card_to_discard                        dealer
OF3   exposed_card        revealing  -                             continue                               dealer
OF4   misplaced_card      revealing  -                             move_card                              dealer
"""


@dataclass(frozen=True, slots=True)
class Line:
    """What is asked, and what is answered."""

    row: str
    game: str
    kind: str
    phase: str
    given: Mapping[str, str]
    ruling: str
    options: list[str]
    approval: str
    refund: str


def read_lines(text: str) -> Iterator[Line]:
    game = ""
    for line in text.splitlines():
        if line.startswith("["):
            game = line.strip("[]")
            continue
        row, kind, phase, found, ruling, agreed = re.split(r" {2,}", line)
        given = dict(pair.split("=") for pair in found.split()) if found != "-" else {}
        choices = ruling.removeprefix("pit: ").split("/")
        key = PIT_DECIDES if ruling.startswith("pit: ") else choices[0]
        options = choices if key == PIT_DECIDES or len(choices) > 1 else []
        approval, _, refund = agreed.partition("+")
        yield Line(row.strip("-"), game, kind, phase, given, key, options, approval, refund or "none")


TABLE = tuple(read_lines(ROWS))


def named(line: Line) -> str:
    return " ".join((line.row or "no row", line.game, line.kind, line.phase, *map("=".join, line.given.items())))


@pytest.mark.parametrize("line", TABLE, ids=named)
def test_the_row_rules_as_printed(line: Line) -> None:
    answer = rule(line.game, line.kind, line.phase, line.given)
    assert answer.plain() == {
        "row": line.row,
        "ruling": line.ruling,
        "options": line.options,
        "approval": line.approval,
        "refund": line.refund,
        "text": answer.text,
    }
    assert answer.text.endswith(".")


def test_every_row_has_its_line_in_this_table() -> None:
    printed = {row.id for procedures in PROCEDURES for row in procedures.rows}
    assert printed - {"TK1"} == {line.row for line in TABLE} - {""}


def test_the_printed_ids_are_all_here() -> None:
    printed = [f"TK{n}" for n in range(1, 14)] + [f"HG{n}" for n in range(1, 22)] + ["HG6b"]
    printed += [f"KC{n}" for n in range(1, 6)] + [f"BJ{n}" for n in range(1, 13)] + [f"PK{n}" for n in range(1, 15)]
    printed += [f"AB{n}" for n in range(1, 6)] + [f"BC{n}" for n in range(1, 13)]
    printed += [f"OF{n}" for n in range(1, 4)] + [f"EV{n}" for n in range(1, 13)]
    printed.append("OF4")  # ours: nothing is printed of a card that was set and lies in another row
    assert {row.id for procedures in PROCEDURES for row in procedures.rows} == set(printed)


DAGGERS = frozenset(
    re.findall(r"\S+", "HG1 HG6 HG6b HG7 HG8 HG9 HG10 HG11 HG12 HG13 HG14 HG15 HG16 HG17 HG18 HG19 HG21")
)


@pytest.mark.parametrize("game", list(BY_GAME))
def test_dagger_rows_serve_every_game_and_the_others_the_house_games(game: str) -> None:
    house = {row.id for row in BY_GAME[game].rows if row.id.startswith("HG")}
    dagger_alone = game in ("three_knights", "blackjack") or find_game(game).peers is not None
    assert house == DAGGERS | (set() if dagger_alone else {"HG2", "HG3", "HG4", "HG5", "HG20"})


@pytest.mark.parametrize("line", [line for line in TABLE if line.row in DAGGERS], ids=named)
def test_a_dagger_row_rules_alike_at_every_game_that_has_no_row_of_its_own(line: Line) -> None:
    for procedures in PROCEDURES:
        own = {one.id for one in procedures.rows if line.kind in one.kinds and not one.every_game}
        if own or any("_cards" in name for name in line.given):
            continue
        answer = rule(procedures.game, line.kind, line.phase, line.given)
        assert (answer.row, answer.ruling) == (line.row, line.ruling), procedures.game


def test_three_knights_swaps_player_1_and_player_3() -> None:
    assert rule("three_knights", "wrong_order", "result", {"pattern": "reversed"}).arguments == ("player1", "player3")


def test_blackjack_voids_the_hand_of_the_box_without_a_card() -> None:
    found = {"1_cards": 2, "4_cards": 0, "dealer_cards": 0}
    assert rule("blackjack", "wrong_count", "dealing", found).arguments == ("4",)


@pytest.mark.parametrize(
    ("kind", "given_too", "afterwards"),
    [
        ("boxed_card", {"count": 2}, ("replace_deck",)),
        ("fouled_deck", {}, ("replace_deck",)),
        ("cut_card", {}, ("change_shoe",)),
        ("prize_lost", {}, ("compensate",)),
        ("deck_unverified", {}, ("verify_deck",)),
    ],
)
def test_what_has_to_follow_is_said(kind: str, given_too: dict[str, int], afterwards: tuple[str, ...]) -> None:
    assert rule(HOUSE, kind, "dealing", given_too).afterwards == afterwards


def test_three_knights_burns_four_before_every_hand() -> None:
    (normal,) = [row for row in BY_GAME["three_knights"].rows if row.id == "TK1"]
    assert not normal.kinds
    assert "four cards" in normal.text
