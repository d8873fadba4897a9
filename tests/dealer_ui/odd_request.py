"""Requests nobody's own page sends: odd paths, odd queries, odd bodies, made from one seed.

Names of fields, acts and commands are read out of the house's own sources, so that a new one is sent without being
named here.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from dealer_ui.frame.command_form import COMMANDS
from dealer_ui.pages.pit.door import ACTS

ROOM = Path(__file__).parent.parent.parent / "dealer_ui"
LONGEST_NAME = 32
_READERS = {"get", "getlist", "_text", "_number", "read_number"}

ODD_TEXT = (
    "", " ", "\x00", "a\x00b", "\r\nSet-Cookie: x=1", "/pit\r\nX-Odd: 1", "/\t/elsewhere", "//elsewhere",
    "/\\elsewhere",
    "http://[", "//[", "/%0d%0aX: 1", "\ud800", "\udfff\ud800", "é" * 40, "𝟘", "٣", "²", "-1", "0", "1e9", "NaN",
    "inf", "-inf", "1e999", "9" * 19, "9" * 400, "0x10", "1_000", "true", "null", "None", "{}", "[]", "'", '"', "<b>",
    "{0.__class__}", "%s%n", "../../etc/passwd", "a" * 999, "a" * 5_000, "\u202e", "\ufeff", "2026-02-30", "0000-00-00",
    "9999-12-31", "10000-01-01",
)  # fmt: skip
ODD_JSON: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 1e308, 10**18, 10**30, float("nan"), float("inf"), [], {}, [[]], [{}], {"a": {}},
    [None], ["x", 1], "", "\ud800", "\x00", "a" * 5_000, {"": ""}, [1] * 50,
)  # fmt: skip
LIKELY = (
    "t1", "t9", "1", "2", "yes", "player1", "banker", "player1 1", "burn", "Qd", "As", "other", "void_round", "d1",
    "z1",
    "deck-1", "shoe", "60", "12.50", "begin", "end", "open", "close", "As I saw it.", "sh", "k1", "ann", "k1:1", "EUR",
    "play", "seat1", "sit", "2026-01-01", "2026-12-31", "licence", "three_knights", "resettle", "ja", "*", "decline",
)  # fmt: skip
"""What belongs somewhere, so that more than the first check of a form is passed."""

_BET: dict[str, Any] = {"client_id": "k1", "bettor": "ann", "bet": "player1_win", "stake": 100}
_CHOICE: dict[str, Any] = {
    "client_id": "k2", "bettor": "ann", "option": "play", "box": "1", "to": 5, "rows": ["top", "top"],
}  # fmt: skip
TEMPLATES: Mapping[str, dict[str, Any]] = {
    "bets": {"bets": [_BET, {**_BET, "client_id": "k9"}], "currency": "EUR"},
    "decisions": {"decisions": [_CHOICE, {**_CHOICE, "client_id": "k8"}]},
    "ready": {"bettor": "ann"},
    "seats": {"client_id": "k3", "bettor": "ann", "act": "sit", "seat": "seat1", "amount": 500},
    "deposits": {"client_id": "k4", "amount": 100, "currency": "EUR"},
    "withdrawals": {"client_id": "k5", "amount": 100, "currency": "EUR"},
    "pages": {"table": "t1", "valid_s": 60, "language": "en"},
    "complaints": {"client_id": "k6", "round": "t1-0000001", "words": "My card was another."},
    "propose": {"corners": [[0, 0], [1, 0], [1, 1], [0, 1]]},
    "save": {"corners": [[0, 0], [1, 0], [1, 1], [0, 1]]},
}
"""What is sent to an address that ends so, before one thing in it is made odd."""


@dataclass(frozen=True, slots=True)
class OddRequest:
    """`path` is percent-encoded, as it goes over the wire; so is `query`."""

    method: str
    path: str
    query: str = ""
    body: bytes = b""
    content_type: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def environ(self) -> dict[str, str]:
        """As a server tells it to the application: the path's bytes, one a character."""
        return {
            "PATH_INFO": unquote_to_bytes(self.path).decode("latin-1"),
            "QUERY_STRING": self.query,
            "REQUEST_URI": f"{self.path}?{self.query}" if self.query else self.path,
        }


@cache
def names_read_in(path: Path) -> frozenset[str]:
    """The names under which a file reads fields of a form, a query or a body."""
    names: set[str] = set()
    text = path.read_text()
    if not any(f"{reader}(" in text for reader in _READERS):
        return frozenset()  # it need not be parsed
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and _called(node.func) in _READERS:
            names |= {
                one.value for one in node.args[:2] if isinstance(one, ast.Constant) and isinstance(one.value, str)
            }
    return frozenset(name for name in names if name.isidentifier() and len(name) < LONGEST_NAME)


@cache
def names_of(module: str) -> Sequence[str]:
    """Those of the room a route lives in; of a file beside the rooms, those of all files there."""
    file = ROOM.parent / f"{module.replace('.', '/')}.py"
    return sorted({name for path in file.parent.glob("*.py") for name in names_read_in(path)})


def _called(func: ast.AST) -> str:
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


@cache
def all_acts() -> Sequence[str]:
    """What may stand in `act`: the keys of every table of acts."""
    found = set(ACTS)
    for path in sorted(ROOM.rglob("*route.py")):
        text = path.read_text()
        for node in ast.walk(ast.parse(text)) if "_ACTS" in text else ():
            if (
                isinstance(node, ast.AnnAssign)
                and isinstance(node.value, ast.Dict)
                and "_ACTS" in ast.unparse(node.target)
            ):
                found |= {key.value for key in node.value.keys if isinstance(key, ast.Constant)}
    return (*sorted(str(one) for one in found), "open", "close", "acknowledge", "begin", "end")


@cache
def all_names() -> Sequence[str]:
    """Read when the first request is made: whoever only collects the tests need not read the house."""
    return sorted({name for path in ROOM.rglob("*.py") for name in names_read_in(path)})


class OddRequests:
    """Makes them, one door at a time; the same of the same seed. `given`: a good value of each argument of a path."""

    def __init__(self, seed: int, given: Mapping[str, str]) -> None:
        self._random = Random(seed)
        self._given = given
        self._names: Sequence[str] = all_names()

    def at(self, method: str, rule: str, module: str, count: int, who: tuple[str, str]) -> Iterator[OddRequest]:
        """`module`: where the route lives; `who`: badge and PIN of who sends it, so that a form is read further."""
        for _ in range(count):
            self._names = names_of(module) if self._random.random() < 0.9 else all_names()
            path = self._path(rule)
            query = self._query() if method == "GET" or self._random.random() < 0.1 else ""
            body, kind = (b"", "") if method == "GET" and self._random.random() < 0.9 else self._body(rule, who)
            yield OddRequest(method, path, query, body, kind, self._headers())

    def _path(self, rule: str) -> str:
        path = rule
        for name, good in self._given.items():
            odd = self._random.random() < 0.3
            path = path.replace(f"<{name}>", self._quoted(self._odd_path() if odd else good))
        return path

    def _odd_path(self) -> str:
        return self._random.choice(
            (*ODD_TEXT, "t9", "%ff%fe", "%ed%a0%80", "%00", "%0d%0aX-Odd:1", "..%2f..", "%c0%af")
        )

    @staticmethod
    def _quoted(text: str) -> str:
        return text if text.startswith("%") else quote(text.encode("utf-8", "surrogatepass"), safe="")

    def _query(self) -> str:
        some = self._random.choices(self._names or all_names(), k=self._random.randint(0, 4))
        return "&".join(f"{name}={self._quoted(self._text())}" for name in some)

    def _text(self) -> str:
        return self._random.choice(ODD_TEXT if self._random.random() < 0.5 else LIKELY)

    def _body(self, rule: str, who: tuple[str, str]) -> tuple[bytes, str]:
        template = TEMPLATES.get(rule.rsplit("/", 1)[-1])
        match self._random.random():
            case chance if chance < 0.15:
                return self._raw(), self._random.choice(
                    ("application/json", "text/plain", "multipart/form-data", "a/b; charset=é")
                )
            case chance if chance < 0.75 and template is not None:
                return _json(self._spoiled(template)), "application/json"
            case chance if chance < 0.55:
                return _json(
                    self._fields(*who)
                    | {self._random.choice(self._names or all_names()): self._random.choice(ODD_JSON)}
                ), "application/json"
        pairs = [f"{name}={self._quoted(str(value))}" for name, value in self._fields(*who).items()]
        return "&".join(pairs).encode(), "application/x-www-form-urlencoded"

    def _raw(self) -> bytes:
        deep = self._random.choice((100, 5_000, 200_000))
        return self._random.choice(
            (
                b"", b"null", b"[]", b"3", b'"x"', b"{", b"\xff\xfe", b"\x00", b"[" * deep, b'{"a":' * deep,
                b"[" * deep + b"]" * deep, b'{"act":' + b"9" * 5_000 + b"}", b'{"act": NaN, "command": Infinity}',
                '{"act":"x"}'.encode("utf-16"), b'{"bets":[' + b"{}," * 999 + b"{}]}", b'{"command":"\\ud800"}',
                b'{"decisions": {"a": 1}}', b"--x\r\nContent-Disposition: form-data; name=act\r\n\r\nadd\r\n--x--",
                b'{"bets":[[[' + b"[" * deep, b'{"decisions":[{"rows":' + b"[" * deep + b"]" * deep + b"}]}",
            )
        )  # fmt: skip

    def _fields(self, badge: str, pin: str) -> dict[str, Any]:
        found: dict[str, Any] = {
            name: self._text()
            for name in self._random.choices(self._names or all_names(), k=self._random.randint(0, 12))
        }
        if self._random.random() < 0.9:
            found |= {"command": self._random.choice(tuple(COMMANDS)), "act": self._random.choice(all_acts())}
        if pin and self._random.random() < 0.9:
            found |= {"badge": badge, "pin": pin}
        return found

    def _spoiled(self, good: Any) -> Any:
        """It, with one thing in it made odd: a value, a name, or something more."""
        if isinstance(good, dict) and self._random.random() < 0.85:
            name = self._random.choice(list(good))
            return {**good, name: self._spoiled(good[name])}
        if isinstance(good, dict) and self._random.random() < 0.3:
            return {**good, self._text(): self._random.choice(ODD_JSON)}
        if isinstance(good, list) and good and self._random.random() < 0.7:
            at = self._random.randrange(len(good))
            return [self._spoiled(one) if i == at else one for i, one in enumerate(good)]
        return self._random.choice((*ODD_JSON, *ODD_TEXT))

    def _headers(self) -> dict[str, str]:
        odd = {
            "Accept": ("text/html", "application/json", "*/*", "", ";;q=x", "text/html;q=9e9"),
            "Last-Event-ID": ("9" * 30, "-1", "²", ""),
            "If-None-Match": ('"', "W/", "\x7f"),
            "Range": ("bytes=9-1", "bytes=-", "lines=1"),
            "If-Modified-Since": ("yesterday", "Sun, 99 Nov 2026 00:00:00 GMT"),
            "Referer": ("http://[", "http://localhost/pit\tx", "//localhost/%0d%0aX: 1", "\xff"),
            "Cookie": ("studio_language=\xff", "studio_station=;;;", "a=b=c; =; studio_language=xx"),
            "Content-Encoding": ("gzip",),
        }  # fmt: skip
        names = self._random.choices(list(odd), k=self._random.choice((0, 0, 1, 2)))
        return {"Accept": "text/html"} | {name: self._random.choice(odd[name]) for name in names if name != "Cookie"}


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()
