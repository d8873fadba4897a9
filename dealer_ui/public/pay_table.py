"""The pay tables as the public reads them: each line's odds, limits and theoretical return.

Odds come from the constants of the rulebook that settles; nothing is written down twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from studio.games import blackjack, holdem_bonus, kkclash, three_card_poker, ultimate_holdem
from studio.games import three_knights as knights
from studio.games.pay_ladder import Ladder, read_ladder
from studio.hands.three_card import ThreeCard


@dataclass(frozen=True, slots=True)
class Pays:
    """One line: what has to happen (a key of the catalogue, empty for the plain case) and the odds paid.

    Odds are `8:1`, the gain beside the stake; `x30`, all that comes back; `+4:1`, paid beside the rest; or empty, where
    the words say it all.
    """

    when: str
    odds: str


@dataclass(frozen=True, slots=True)
class PayLine:
    """One kind of bet. `bets` are its keys; their return in percent lies between `rtp_least` and `rtp_most`,
    None for a bet that has none of its own.
    """

    kind: str
    pays: tuple[Pays, ...]
    bets: tuple[str, ...]
    rtp_least: float | None
    rtp_most: float | None
    least_minor: int
    most_minor: int


def odds_of(returned: Fraction) -> str:
    """What a return says as odds: the stake comes back beside it.

    >>> odds_of(Fraction(9)), odds_of(Fraction(3, 2)), odds_of(Fraction(195, 100))
    ('8:1', '1:2', '0.95:1')
    """
    gain = returned - 1
    if gain.denominator == 2:
        return f"{gain.numerator}:2"
    return f"{gain.numerator}:1" if gain.denominator == 1 else f"{float(gain):g}:1"


def pay_table(
    game: str, rules: Mapping[str, object], rtp: Mapping[str, float], limits: Mapping[str, tuple[int, int]]
) -> tuple[PayLine, ...]:
    """A line for every kind of bet of the table, in the order of the rulebook."""
    kinds: dict[str, list[str]] = {}
    for bet in limits:
        kinds.setdefault(_kind(bet), []).append(bet)
    pays = _GAMES[game](rules) if game in _GAMES else {}
    return tuple(_line(kind, bets, pays.get(kind, ()), rtp, limits) for kind, bets in kinds.items())


def pay_rows(lines: Sequence[PayLine]) -> tuple[tuple[tuple[str, ...], PayLine], ...]:
    """The lines as a screen shows them: neighbours without a return of their own that pay alike are one row."""
    rows: list[tuple[tuple[str, ...], PayLine]] = []
    for line in lines:
        kinds, above = rows[-1] if rows else ((), None)
        if above is not None and above.rtp_least is None and replace(line, kind=above.kind, bets=above.bets) == above:
            rows[-1] = ((*kinds, line.kind), above)
        else:
            rows.append(((line.kind,), line))
    return tuple(rows)


def _line(
    kind: str, bets: list[str], pays: tuple[Pays, ...], rtp: Mapping[str, float], limits: Mapping[str, tuple[int, int]]
) -> PayLine:
    percents = [rtp[bet] for bet in (*bets, kind) if bet in rtp]
    least, most = zip(*(limits[bet] for bet in bets), strict=True)
    return PayLine(
        kind, pays, tuple(bets), min(percents, default=None), max(percents, default=None), min(least), max(most)
    )


def _kind(bet: str) -> str:
    """
    >>> _kind("player1_pair_plus"), _kind("ante"), _kind("3:main")
    ('pair_plus', 'ante', 'main')
    """
    if ":" in bet:
        return bet.partition(":")[2]
    box, _, kind = bet.partition("_")
    return kind if box in knights.BOXES else bet


def _kkclash(rules: Mapping[str, object]) -> Mapping[str, tuple[Pays, ...]]:
    """The game shows what comes back, the stake included."""
    return {bet: (Pays("", f"x{returned}"),) for bet, returned in kkclash.check_rules(rules).items()}


def _three_knights(rules: Mapping[str, object]) -> Mapping[str, tuple[Pays, ...]]:
    six = str(rules.get("six", "six_pays_half"))
    even = Pays("", odds_of(knights.LESS_COMMISSION if six == "commission" else knights.EVEN_MONEY))
    won = (even, Pays("pays.with_six", odds_of(knights.HALF_PAID))) if six == "six_pays_half" else (even,)
    return {
        "win": won,
        "lose": won,
        "tie": (Pays("", odds_of(knights.TIE_PAID)),),
        "three_knights": (Pays("", odds_of(knights.THREE_KNIGHTS_PAID)),),
        "pair_plus": tuple(
            Pays(f"pays.{hand.value}", odds_of(knights.PAIR_PLUS[hand]))
            for hand in _PAIR_PLUS
            if knights.PAIR_PLUS[hand]
        ),
    }


def _blackjack(rules: Mapping[str, object]) -> Mapping[str, tuple[Pays, ...]]:
    ladders = {option: read_ladder(text) for option, text in blackjack.check_rules(rules).items()}
    natural = Pays("pays.blackjack", odds_of(ladders["pays"]["blackjack"]))
    return {
        "main": (EVEN, natural, Pays("pays.surrendered", "")),
        "perfect_pair": _rungs(ladders["perfect_pair"], "pays"),
        "insurance": (Pays("", odds_of(ladders["pays"]["insurance"])),),
    }


def _three_card_poker(rules: Mapping[str, object]) -> Mapping[str, tuple[Pays, ...]]:
    ladders = {option: read_ladder(text) for option, text in three_card_poker.check_rules(rules).items()}
    bonus = (Pays(f"poker.{hand}", f"+{times}:1") for hand, times in ladders["ante_bonus"].items())
    return {
        "ante": (EVEN, *bonus),
        "play": (Pays("pays.dealer_queen", EVEN.odds), BACK),
        "pair_plus": _rungs(ladders["pair_plus"]),
        "six_card": _rungs(ladders["six_card"]),
    }


def _ultimate_holdem(rules: Mapping[str, object]) -> Mapping[str, tuple[Pays, ...]]:
    ladders = {option: read_ladder(text) for option, text in ultimate_holdem.check_rules(rules).items()}
    return {
        "ante": (Pays("pays.dealer_pair", EVEN.odds), BACK),
        "blind": (*_rungs(ladders["blind"]), BACK),
        "play": (EVEN,),
        "trips": _rungs(ladders["trips"]),
    }


def _holdem_bonus(rules: Mapping[str, object]) -> Mapping[str, tuple[Pays, ...]]:
    checked = holdem_bonus.check_rules(rules)
    first5 = (Pays(f"poker.{hand}", f"x{paid}") for hand, paid in read_ladder(checked["first5"]).items())
    return {
        "ante": (Pays("pays.straight_or_better", EVEN.odds), BACK),
        **dict.fromkeys(holdem_bonus.RAISES, (EVEN,)),
        "bonus": _rungs(read_ladder(checked["bonus"]), "pays"),
        "first5": (Pays("pays.royal_pot", ""), *first5),
    }


EVEN: Final = Pays("", "1:1")
BACK: Final = Pays("pays.else_back", "")


def _rungs(ladder: Ladder, family: str = "poker") -> tuple[Pays, ...]:
    return tuple(Pays(f"{family}.{hand}", odds_of(paid)) for hand, paid in ladder.items())


_PAIR_PLUS: Final = tuple(hand for hand in sorted(knights.PAIR_PLUS, key=knights.PAIR_PLUS.__getitem__, reverse=True))
assert ThreeCard.PAIR in _PAIR_PLUS

_GAMES: Final[Mapping[str, Callable[[Mapping[str, object]], Mapping[str, tuple[Pays, ...]]]]] = {
    "three_knights": _three_knights,
    "kkclash": _kkclash,
    "blackjack": _blackjack,
    "three_card_poker": _three_card_poker,
    "ultimate_holdem": _ultimate_holdem,
    "holdem_bonus": _holdem_bonus,
}
