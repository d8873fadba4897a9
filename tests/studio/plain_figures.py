"""The figures of the reports, worked out a second time: from the rows, with no line of ours.

Nothing here imports the studio. A figure is told by the keys of the report's own rows, money in minor units.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

SEATS = {f"seat{number}" for number in range(1, 11)}
MISTAKES = {
    "burn_error", "exposed_card", "extra_card", "dropped_card", "wrong_order", "misplaced_card", "wrong_count",
    "early_card", "cleared_early",
}  # fmt: skip
ENDS = ("RoundSettled", "RoundRefunded")


class Row(NamedTuple):
    seq: int
    at: int
    kind: str
    table: str
    round: str
    event: dict[str, Any]


class Entry(NamedTuple):
    round: str
    bet: str
    kind: str
    debit: str
    credit: str
    amount: int
    currency: str


class Books:
    """Everything that lies in the database of one night."""

    def __init__(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            told = connection.execute("SELECT seq, at, kind, body FROM journal ORDER BY seq").fetchall()
            entries = connection.execute(
                "SELECT round, bet, kind, debit, credit, amount, currency FROM ledger ORDER BY seq"
            ).fetchall()
            bets = connection.execute('SELECT id, "table", round, bet FROM bet').fetchall()
            self.free = dict(connection.execute("SELECT id, free FROM bet WHERE free <> ''").fetchall())
            self.operators = dict(connection.execute("SELECT id, operator FROM bet").fetchall())
            self.kept = {
                (account, currency): amount
                for account, currency, amount in connection.execute("SELECT account, currency, amount FROM balance")
            }
        self.rows = [_row(*one) for one in told]
        self.ledger = [Entry(*one) for one in entries]
        self.bets = {id: (table, round, bet) for id, table, round, bet in bets}
        self.end = max(row.at for row in self.rows)

    def of(self, *kinds: str) -> Iterator[Row]:
        return (row for row in self.rows if row.kind in kinds)


def _row(seq: int, at: int, kind: str, text: str) -> Row:
    body = json.loads(text)
    return Row(seq, at, kind, body.get("table", ""), body.get("round", ""), body.get("event", {}))


# --- money --------------------------------------------------------------------------------------------------


def operators(books: Books) -> dict[tuple[str, str], dict[str, int]]:
    """By operator and currency: what came to his bettors and went from them."""
    names = {
        "deposit": "deposits", "withdraw": "withdrawals", "reserve": "stakes", "void": "voids", "return": "returns",
        "reverse_return": "clawed_back", "share": "jackpot", "reverse_share": "jackpot", "compensate": "compensated",
        "advance": "receivables", "repay": "receivables", "write_off": "receivables",
    }  # fmt: skip
    found: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for entry in books.ledger:
        for account, sign in ((entry.debit, -1), (entry.credit, 1)):
            if account.startswith("bettor:"):
                own = found[account.split(":")[1], entry.currency]
                own[names.get(entry.kind, "other")] += sign * entry.amount
    for (account, currency), amount in books.kept.items():
        if account.startswith("bettor:"):
            found[account.split(":")[1], currency]["closing"] += amount
    assert all(sums.pop("other", 0) == 0 for sums in found.values())  # chips go from a bettor's purse to his own
    return {side: dict(sums) for side, sums in found.items()}


def chips(books: Books) -> dict[tuple[str, str, str], dict[str, int]]:
    """By table, operator and currency, of the stacks alone."""
    names = {"buy_in": "bought", "reserve": "put_in", "void": "voids", "return": "taken", "cash_out": "paid_out"}
    found: defaultdict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for entry in books.ledger:
        for account, sign in ((entry.debit, -1), (entry.credit, 1)):
            if account.startswith("bettor:") and "/" in account:
                _, operator, rest = account.split(":")
                found[rest.split("/")[1], operator, entry.currency][names[entry.kind]] += sign * entry.amount
    for side, sums in found.items():
        sums["closing"] = sum(sums.values())
        table, operator, currency = side
        assert sums["closing"] == sum(
            amount
            for (account, kept), amount in books.kept.items()
            if account.startswith(f"bettor:{operator}:") and account.endswith(f"/{table}") and kept == currency
        )
    return {side: dict(sums) for side, sums in found.items()}


def money(books: Books) -> dict[tuple[str, str], dict[str, int]]:
    """By table and currency: handle and what came back of it."""
    found: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    signs = {"post": ("handle", 1), "reverse_post": ("handle", -1), "return": ("returns", 1), "share": ("returns", 1),
             "free_return": ("returns", 1), "reverse_return": ("returns", -1), "reverse_share": ("returns", -1),
             "reverse_free_return": ("returns", -1)}  # fmt: skip
    for entry in books.ledger:
        if entry.kind in signs and entry.bet in books.bets:
            name, sign = signs[entry.kind]
            found[books.bets[entry.bet][0], entry.currency][name] += sign * entry.amount
    return {side: dict(sums) for side, sums in found.items()}


def revenue(books: Books) -> dict[tuple[str, str], dict[str, int]]:
    """By operator and currency, transfer by transfer: whose money each of them took and gave, and to whom it went."""
    found: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for entry in books.ledger:
        if entry.bet not in books.bets or books.bets[entry.bet][2] in SEATS:
            continue
        own, free = found[books.operators[entry.bet], entry.currency], entry.bet in books.free
        kind, sign = entry.kind.removeprefix("reverse_"), -1 if entry.kind.startswith("reverse_") else 1
        to = entry.debit if sign < 0 else entry.credit
        if kind == "post":
            own["handle"] += sign * entry.amount
            own["free_stakes"] += sign * entry.amount * free
        elif kind in ("return", "share", "free_return"):
            own["returns"] += sign * entry.amount
            own["free_won"] += sign * entry.amount * (free and to.startswith("bettor:"))
            own["free_back"] += sign * entry.amount * to.startswith("promotion:")
    for own in found.values():
        own["revenue"] = own["handle"] - own["returns"]
        bettors_own, given = own["handle"] - own["free_stakes"], own["returns"] - own["free_back"]
        own["own_revenue"] = bettors_own - given
    return {side: dict(sums) for side, sums in found.items() if any(sums.values())}


def grants(books: Books) -> dict[tuple[str, str], dict[str, int]]:
    """By operator and currency: what was granted of free bets, what became of it, what is left."""
    names = {"grant": "granted", "ungrant": "taken_back", "reserve": "stakes", "void": "good_again",
             "free_return": "good_again", "reverse_free_return": "good_again"}  # fmt: skip
    found: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for entry in books.ledger:
        for account, sign in ((entry.debit, -1), (entry.credit, 1)):
            if account.startswith("promotion:") and "/" in account:
                found[account.split(":")[1], entry.currency][names[entry.kind]] += sign * entry.amount
    for (account, currency), amount in books.kept.items():
        if account.startswith("promotion:") and "/" in account:
            found[account.split(":")[1], currency]["closing"] += amount
    return {side: dict(sums) for side, sums in found.items()}


def rake(books: Books) -> Counter[str]:
    """By table: as the hands themselves declared it, while they were settled."""
    declared: dict[str, int] = {}
    found: Counter[str] = Counter()
    for row in books.rows:
        if row.kind == "ResultDeclared":
            declared[row.round] = row.event["outcome"].get("rake", 0)
        elif row.kind == "RoundSettled" and declared.get(row.round):
            found[row.table] += declared[row.round]
        elif row.kind == "RoundResettled":
            found[row.table] -= row.event["before"].get("rake", 0)
            found[row.table] += 0 if row.event["void"] else row.event["outcome"].get("rake", 0)
    return found


# --- tables, dealers, devices -------------------------------------------------------------------------------


def rounds(books: Books) -> dict[str, dict[str, int]]:
    """By table: how many ended, and how many of these were void; how often one was dealt again."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    begun: Counter[str] = Counter()
    for row in books.of("RoundStarted", "RedealOrdered", *ENDS):
        if row.kind == "RedealOrdered":
            begun[row.round] += 1
        elif row.kind in ENDS:
            found[row.table]["rounds"] += 1
            found[row.table]["void"] += row.kind == "RoundRefunded"
            found[row.table]["dealt_again"] += begun[row.round]
    return {table: dict(counts) for table, counts in found.items()}


def open_ms(books: Books) -> Counter[str]:
    """By table: how long it was open, up to the last row."""
    since: dict[str, int] = {}
    found: Counter[str] = Counter()
    for row in books.of("TableOpened", "TableClosed"):
        if row.kind == "TableOpened":
            since.setdefault(row.table, row.at)
        elif row.table in since:
            found[row.table] += row.at - since.pop(row.table)
    for table, at in since.items():
        found[table] += books.end - at
    return found


def incidents(books: Books) -> list[dict[str, Any]]:
    """Each incident: where, of what kind, by which row, how long it held, whether it is open."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in books.of("IncidentOpened", "IncidentRuled", "IncidentClosed"):
        key = (row.table, row.event["id"])
        if row.kind == "IncidentOpened":
            found[key] = {
                "at": row.at, "table": row.table, "kind": row.event["incident"], "row": row.event["row"],
                "end": books.end, "open": True, "holds": row.event.get("holds", False),
            }  # fmt: skip
        elif row.kind == "IncidentRuled":
            found[key]["row"] = row.event.get("row") or found[key]["row"]
        else:
            found[key] |= {"end": row.at, "open": False}
    return list(found.values())


def by_kind(books: Books) -> dict[str, tuple[int, int, int, int, int | None, int | None]]:
    """Count, holding, open, held, middle and longest, by kind of incident."""
    found: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for one in incidents(books):
        found[one["kind"]].append(one)
    told = {}
    for kind, group in found.items():
        held = [one["end"] - one["at"] for one in group if one["holds"]]
        told[kind] = (
            len(group), len(held), sum(one["open"] for one in group), sum(held),
            round(median(held)) if held else None, max(held, default=None),
        )  # fmt: skip
    return told


def dealers(books: Books) -> dict[str, dict[str, int]]:
    """By dealer: cards, rounds, mistakes and incidents while he stood there."""
    standing: dict[str, str] = {}
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    dealt_by: dict[str, str] = {}
    for row in books.rows:
        if row.kind in ("TableOpened", "DealerChanged"):
            standing[row.table] = row.event["dealer"]
        elif row.kind == "RoundStarted":
            dealt_by[row.round] = row.event["dealer"]
        dealer = standing.get(row.table, "")
        if row.kind in ("CardDealt", "CardBurned"):
            found[dealer]["cards"] += 1
        elif row.kind in ENDS:
            found[dealt_by[row.round]]["rounds"] += 1
            found[dealt_by[row.round]]["void"] += row.kind == "RoundRefunded"
        elif row.kind == "IncidentOpened":
            found[dealer]["incidents"] += 1
            found[dealer]["mistakes"] += row.event["incident"] in MISTAKES
    return {dealer: dict(counts) for dealer, counts in found.items() if dealer}


def links(books: Books, begin: int) -> dict[tuple[str, str], dict[str, int]]:
    """By device and table: time up, time down, times lost."""
    state: dict[tuple[str, str], tuple[bool | None, int]] = {}
    found: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)

    def turn(key: tuple[str, str], up: bool | None, at: int) -> None:
        was, since = state.get(key, (None, begin))
        if was is not None:
            found[key]["up" if was else "down"] += at - since
        if was is True and up is False:
            found[key]["outages"] += 1
        state[key] = (up, at)

    for row in books.of("LinkUp", "LinkDown", "TableRestarted"):
        if row.kind == "TableRestarted":
            for key in [key for key in state if key[1] == row.table]:
                turn(key, None, row.at)
        else:
            seen = row.event["observation"]
            turn((seen["device"], row.table), row.kind == "LinkUp", row.at)
    for key in list(state):
        turn(key, None, books.end)
    return {key: dict(sums) for key, sums in found.items()}


def deck_uses(books: Books) -> dict[tuple[str, str], dict[str, int]]:
    """By table and name of a deck, without its running number: approved, refused, loaded."""
    names = {"DeckApproved": "approved", "DeckRefused": "refused", "ShoeLoaded": "loads"}
    found: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in books.of(*names):
        deck = row.event["deck_id"]
        found[row.table, deck.rstrip("0123456789") or deck][names[row.kind]] += 1
    return {key: dict(counts) for key, counts in found.items()}


# --- returns and cards --------------------------------------------------------------------------------------


def returns(books: Books) -> dict[tuple[str, str], tuple[int, int, int]]:
    """By game and bet key: the rounds it was settled in, what was staked, what came back; no seats' games."""
    games = {row.round: row.event["game"] for row in books.of("RoundStarted")}
    settled = {row.round for row in books.of("RoundSettled")}
    staked: Counter[tuple[str, str, str]] = Counter()
    back: Counter[tuple[str, str, str]] = Counter()
    for entry in books.ledger:
        if entry.bet not in books.bets:
            continue
        _, round, bet = books.bets[entry.bet]
        if round not in settled or bet in SEATS:
            continue
        key = (round, games[round], bet)
        sign = -1 if entry.kind.startswith("reverse") else 1
        if entry.kind in ("post", "reverse_post"):
            staked[key] += sign * entry.amount
        elif entry.kind.removeprefix("reverse_") in ("return", "share", "free_return"):
            back[key] += sign * entry.amount
    found: dict[tuple[str, str], tuple[int, int, int]] = {}
    for (round, game, bet), stake in staked.items():
        if stake > 0:
            count, handle, came = found.get((game, bet), (0, 0, 0))
            found[game, bet] = (count + 1, handle + stake, came + back[round, game, bet])
    return found


def boards(books: Books, game: str) -> list[dict[str, str]]:
    """The cards by their ids that were dealt face up in hands of a poker game and did not go back into the stub; deck
    by deck as they were loaded."""
    games = {row.round: row.event["game"] for row in books.of("RoundStarted")}
    found: list[dict[str, str]] = []
    lying: dict[str, dict[str, str]] = {}
    for row in books.rows:
        if row.kind == "ShoeLoaded":
            lying[row.table] = {}
            found.append(lying[row.table])
        fact = row.event.get("fact", {})
        if games.get(row.round) != game or not fact:
            continue
        seen = lying[row.table]
        if row.kind == "CardDealt" and fact["face"]:
            seen[fact["card"][0]] = fact["face"]
        elif row.kind == "CardReplaced" and fact["id"] in seen:
            seen[fact["id"]] = fact["face"]
        for id in [fact["id"]] if row.kind == "CardReturned" else fact.get("ids", []):
            seen.pop(id, None)
    return [one for one in found if one]


def chi_square(decks: list[dict[str, str]], faces: int) -> float:
    """Of what was seen of each deck of so many cards, each dealt without replacement."""
    counts = Counter(face for deck in decks for face in deck.values())
    seen = sum(counts.values())
    expected = seen / faces
    strayed = sum((count - expected) ** 2 for count in counts.values()) + (faces - len(counts)) * expected**2
    variance = sum(len(deck) * (faces - len(deck)) / (faces - 1) for deck in decks) / faces
    return strayed / variance
