"""Searches everything a running studio emits for the faces of cards. Used by the tests of what is sealed."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import unescape
from typing import Any, Final

from running_studio import API_KEY, TABLE, House

from studio.cards import DECK, Card, parse_cards
from studio.people import Pin
from studio.people.staffing import NewStaff
from studio.procedures.incident import KINDS as INCIDENTS
from studio.reports import KINDS as REPORTS

HIDDEN = parse_cards("8s 9h Kh 7s")
"""Hearts and spades: their letters are no hexadecimal digits, so no digest reads like one of them by chance."""

STAFF = (
    ("d1", "1001", "4826", "dealer"), ("p1", "2001", "730162", "pit_boss"), ("u1", "3001", "590427", "auditor"),
    ("t1", "4001", "604718", "technician"), ("a1", "9001", "915374", "admin"),
)  # fmt: skip
NAMES = {"dealer": "Dana", "pit_boss": "Petra", "auditor": "Ute", "technician": "Tom", "admin": "Ada"}
STREAMS = ("dealer", "pit", "display", "technician", "audit")
ROLES = ("shoe", "shuffler", "camera")
ALIKE = ("/reports", "/audit", "/procedure", "/staff", "/decks", "/devices", "/shift", "/evidence")
"""Pages that say the same to everybody who may look: an auditor does, and an administrator where he may not."""
_SKIPPED = ("/static/", "/api/v1/openapi.json", "/api/v1/docs")
"""What is the same in every studio; cards in it are examples."""


def spellings(card: Card) -> re.Pattern[str]:
    """Any way this house writes a card, not as part of a longer word or number."""
    suit, signs = {"s": ("spades", "♠♤"), "h": ("hearts", "♥♡")}[card.suit]
    rank = {"K": "(?:K|king)", "Q": "(?:Q|queen)"}.get(card.rank, card.rank)
    return re.compile(
        rf"(?<![\w.#-]){rank}(?:{card.suit}|\ufe0e?[{signs}]| of {suit}|[-_ ]{suit})(?!\w)", re.IGNORECASE
    )


def sign_up(house: House) -> None:
    """One person of every role."""
    for id, badge, pin, role in STAFF:
        if id in house.floor.staff.register.people:
            continue
        house.floor.staff.add(NewStaff(id, badge, NAMES[role], (role,), Pin(pin)))


def told(house: House, *, token: str = "") -> Iterator[tuple[str, str]]:
    """Everything anybody can get out of the studio, by where it came from: every page of every role, and the insides.

    The pages are those the application routes, so that a new one is searched without being named here.
    """
    yield from _pages(house, token, _everybody)
    yield from insides(house)


def told_in_turn(house: House, *, token: str = "") -> Iterator[tuple[str, str]]:
    """The same, but a page that was once asked for by everybody is read by two of those who may: the first of them,
    and the others one search after another."""
    turn = next(_TURNS)
    yield from _pages(house, token, lambda page, visitors: _two_of(page, visitors, turn))
    yield from insides(house)


_Visitor = tuple[str, Any, dict[str, str]]
_TURNS = itertools.count()
_LET_IN: dict[str, list[str]] = {}
"""Who was not turned away from a page when everybody asked for it: that hangs on the role, not on the moment."""


def _visitors(house: House) -> list[_Visitor]:
    """Whoever may ask: each person is signed in."""
    visitors: list[_Visitor] = [("nobody", house.api, {})]
    visitors.append(("operator", house.api, {"Authorization": f"Bearer {API_KEY}"}))
    for _, badge, pin, role in STAFF:
        client = house.api
        assert client.post("/sign-in", data={"badge": badge, "pin": pin}).status_code == 303
        visitors.append((role, client, {}))
    return visitors


def _everybody(_: str, visitors: list[_Visitor]) -> list[_Visitor]:
    return visitors


def _two_of(page: str, visitors: list[_Visitor], turn: int) -> list[_Visitor]:
    let_in = _LET_IN.get(page)
    if let_in is None:
        return visitors
    chosen = {let_in[0], let_in[turn % len(let_in)]} if let_in else set()
    return [visitor for visitor in visitors if visitor[0] in chosen]


def _pages(
    house: House, token: str, choose: Callable[[str, list[_Visitor]], list[_Visitor]]
) -> Iterator[tuple[str, str]]:
    visitors = _visitors(house)
    for path in paths(house, token):
        said, let_in = "", []
        name = re.sub(r"[0-9a-f]{64}", "<digest>", path.replace(token, "<token>") if token else path)
        asking = choose(name, visitors)
        for who, client, headers in asking:
            if path.startswith(ALIKE) and (said or who not in ("auditor", "admin")):
                continue
            status, said = _got(client, path, headers)
            let_in += [who] if status not in (401, 403) else []
            yield f"{path} for {who}", said
            if who == "admin":
                continue
            for link in sorted(set(re.findall(r'href="([^"]+\.csv[^"]*)"', said))):
                yield f"{link} for {who}", _got(client, unescape(link), headers)[1]
        if asking is visitors:
            _LET_IN[name] = let_in


def insides(house: House) -> Iterator[tuple[str, str]]:
    """What the studio is made of, and every row of its journal."""
    runtime = house.studio.workers[0].runtime
    yield "state", repr(runtime.state)
    yield "view", repr(house.view)
    yield "book", repr(runtime.book)
    yield "studio", repr(house.studio.floor) + repr(house.studio.workers)
    for row in house.floor.reader().events():
        yield f"journal {row.seq}", row.body.decode()


def _got(client: Any, path: str, headers: dict[str, str]) -> tuple[int, str]:
    """What the address answers, its first piece where it never ends; nothing where it refuses."""
    answer = client.get(path, headers=headers)
    try:
        return answer.status_code, without_choices(first_of(answer)) if answer.status_code == 200 else ""
    finally:
        answer.close()


def paths(house: House, token: str) -> Iterator[str]:
    """Every address that can be read, with the table, the round and the bettor at hand filled in."""
    given = {
        "table": TABLE,
        "round": house.view.round.id,
        "bettor": "ann",
        "client_id": "k1",
        "bet": "",
        "token": token,
        "day": "2026-01-31",
        "movement": "1",
        "transaction": "none",
    }
    for rule in house.studio.app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.rule.startswith(_SKIPPED) or rule.rule.endswith(".csv"):
            continue  # the files are found by the links of their pages
        open_ones = [name for name in sorted(rule.arguments) if name not in given]
        for chosen in itertools.product(*(_choices(house, rule.rule, name) for name in open_ones)):
            values = {**given, **dict(zip(open_ones, chosen, strict=True))}
            yield re.sub(r"<(?:\w+:)?(\w+)>", lambda found, values=values: values[found[1]], rule.rule)  # type: ignore[misc]


def _choices(house: House, rule: str, name: str) -> Sequence[str]:
    """Every value of a part of an address; one that nobody thought of fails here, and is added below."""
    match name:
        case "name":
            return STREAMS
        case "role" | "part":
            return ROLES
        case "digest":
            return [file.stem for file in evidence(house)]
        case "kind":
            return [kind.key for kind in REPORTS] if rule.startswith("/reports/") else [INCIDENTS[0].key]
        case "id":
            return list(house.floor.staff.register.people)
        case "deck":
            return [deck.id for deck in house.view.shoe.decks] or ["deck-1"]
    raise AssertionError(f"the search does not know what to write for '{name}' in {rule}")


def evidence(house: House) -> list[Any]:
    folder = house.database.parent / "evidence"
    return sorted(file for file in folder.rglob("*") if file.is_file()) if folder.exists() else []


def first_of(answer: Any) -> str:
    """A page whole; of a stream its first words; of a picture nothing."""
    if answer.mimetype.startswith("image/"):
        return ""
    if not answer.is_streamed or answer.mimetype != "text/event-stream":
        return str(answer.get_data(as_text=True))
    words = iter(answer.response)
    told = 2 if answer.request.path.startswith("/api/") else 3  # before it waits for its next beat
    return b"".join(next(words) for _ in range(told)).decode()


EVERY_CARD = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r'{"card": "(?P<card>[2-9TJQKA][cdhs])", "strays": [^}]*}',
        r"<tr><td>(?P<card>[2-9TJQKA][cdhs])</td>",
        r"^(?P<card>[2-9TJQKA][cdhs]),",
        r'<label class="pick"><input type="radio" [^>]* value="(?P<card>[2-9TJQKA][cdhs])">.*?</label>',
    )
)
"""How a report on cards lists each of the 52 alike, whatever was dealt: drawn, in its table, in its file; and how a
form offers each of them to be chosen."""


PIN_HASH: Final = re.compile(r"\$argon2id\$[\w+/=,$]+")
"""Chance letters, among which any card comes up one day."""


def without_choices(page: str) -> str:
    """A form in which any of the 52 cards can be chosen, or one is an example, says nothing of the felt."""
    page = re.sub(r'<option[^>]*>[^<]*</option>|placeholder="[^"]*"', "", page)
    for every in EVERY_CARD:
        if {found.group("card") for found in every.finditer(page)} == set(map(str, DECK)):
            page = every.sub("", page)
    return page


def files(house: House) -> Iterator[tuple[str, bytes]]:
    """The bytes of the database and of everything beside it, the keys and the secret of the PINs excepted."""
    for file in sorted(house.database.parent.glob("studio.db*")):
        if not file.name.endswith((".keys", ".pepper")) and not file.is_socket():
            yield file.name, file.read_bytes()


def assert_nowhere(house: House, cards: Iterable[Card], words: str = "", *, token: str = "") -> None:
    """None of these faces is in anything the studio says, writes or is made of; `words` are what it logged."""
    places = [
        ("logged", words),
        *told_in_turn(house, token=token),
        *(("evidence", str(file)) for file in evidence(house)),
    ]
    assert len(places) > 60
    places = [(where, PIN_HASH.sub("", text)) for where, text in places]
    stored = list(files(house))
    for card in cards:
        for where, text in places:
            found = spellings(card).search(text)
            assert found is None, f"{card} in {where}: …{text[max(0, found.start() - 60) : found.end() + 20]}…"
        face = str(card).encode()
        for name, data in stored:
            lies = re.search(rb"[\s\"'(\[,:]" + face + rb"[\s\"')\],.:]", data)
            assert lies is None, f"{card} in {name}: {data[max(0, lies.start() - 60) : lies.end() + 60]!r}"
            assert bytes((len(face),)) + face + bytes(8) not in data, f"{card} in {name}"
