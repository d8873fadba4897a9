"""The studios in which the operators' guide is played, and what people do there between its requests."""

from __future__ import annotations

import http.client
import json
import re
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import ExitStack, chdir
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from click.testing import CliRunner
from flask import Response
from guide_page import ANSWERS, Message, Step, differences, differing_cells, differing_lines, message
from held_to_document import hold
from open_port import OpenPort
from patience import wait_until
from round_receiver import Heard, Receiver
from running_studio import API_KEY, PIT, TABLE, House
from sealed_search import HIDDEN, sign_up
from test_seamless_wallet import MONEY, Operator, play_out, void_settled
from test_studio_sealed_games import OPEN, due

from dealer_ui.api.door import PREFIX
from dealer_ui.cli import main
from dealer_ui.config.operator import CallsSection, WebhookSection
from dealer_ui.config.shape import OperatorSection
from dealer_ui.desk.complaint import answer
from dealer_ui.desk.operator_key import digest_of_key
from dealer_ui.rehearsal.hand.script_act import BURN, DOWN
from studio.cards import DECK
from studio.tables import command as c
from studio.views import TableView

SECRET: Final = "a secret that both of us know"
DAY: Final = "2026-01-31"
"""The day the guide speaks of; in a test it is today's."""
ROUNDS, WALLET = "https://north.example/rounds", "https://wallet.north.example/v1"
MORE = [card for card in DECK if card.suit == "h"]
"""What is dealt face down beside the cards that everybody hides."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    kind: str
    text: str


class Scene:
    """A studio that is served on a port, as one operator meets it: what he sends, and what came back last."""

    def __init__(self, folder: Path, held: ExitStack, **house: Any) -> None:
        self.folder = folder
        self.held = held
        self.house = held.enter_context(House(folder, window_s=600, **house))
        port = OpenPort(self.house.studio.app)
        held.callback(port.close)
        self.port = port.number
        self.answers: list[Answer] = []
        self.names: dict[str, str] = {}
        self.asked: list[tuple[str, str]] = []
        sign_up(self.house)

    def acts(self) -> Mapping[str, Callable[[], None]]:
        """What the guide may have happen here."""
        return {"the table is held": self.hold, "the table goes on": self.release}

    # --- the steps -------------------------------------------------------------------------------------

    def take(self, step: Step) -> list[str]:
        """One step of the guide; gives what is not as printed."""
        text = self.actual(step.text)
        match step.kind:
            case "then":
                self.acts()[text]()
            case "http" if " https://" in text.splitlines()[0]:
                return self.sent(message(text))
            case "http":
                return self.ask(message(text))
            case "sh":
                self.run(text)
            case "toml":
                self.written(text)
            case "python":
                self.tried(text)
            case kind if kind in ANSWERS:
                return self.compare(kind, text)
            case kind:
                return [f"nobody knows what to do with a block of {kind or 'no kind'}"]
        return []

    def actual(self, text: str) -> str:
        """The guide's text with this studio's own names for what it calls otherwise."""
        for printed, actual in self.names.items():
            text = text.replace(printed, actual)
        return text

    def ask(self, wanted: Message) -> list[str]:
        unread = [f"{one.text} is not printed" for one in self.answers]
        self.answers.clear()
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Authorization": f"Bearer {API_KEY}", **wanted.headers}
        if wanted.body:
            json.loads(wanted.body)
            headers.setdefault("Content-Type", "application/json")
        line.request(wanted.method, wanted.target, wanted.body.encode() or None, headers)
        got = line.getresponse()
        kind = got.headers.get_content_type()
        read = _events(got) if kind == "text/event-stream" else got.read().decode()
        _held_to_document(wanted, Response(read, got.status, content_type=got.headers["Content-Type"]))
        self.answers.append(Answer(got.status, kind, read))
        self.asked.append((wanted.method, wanted.target))
        line.close()
        return unread

    def compare(self, kind: str, text: str) -> list[str]:
        if not self.answers:
            return ["this answers nothing: a request comes before it"]
        got = self.answers.pop()
        match kind:
            case "json":
                if got.kind != "application/json":
                    return [f"the answer is {got.kind}: {got.text}"]
                return list(differences(json.loads(text), json.loads(got.text)))
            case "csv":
                return list(differing_cells(text, got.text))
        return list(differing_lines(text, got.text))

    def sent(self, printed: Message) -> list[str]:
        return [f"this studio sends nothing to {printed.target}"]

    def run(self, text: str) -> None:
        """Commands of the studio, one a line, where its database lies."""
        said = []
        with chdir(self.folder):
            for line in text.strip().splitlines():
                program, *words = line.split()
                assert program == "studio", line
                done = CliRunner().invoke(main, words, env={"COLUMNS": "100"})
                said.append(done.output)
        self.answers.append(Answer(0, "text", "".join(said)))

    def written(self, text: str) -> None:
        """A piece of the studio's configuration."""
        import tomllib

        for section in tomllib.loads(text)["operators"].values():
            OperatorSection.model_validate(section)

    def tried(self, text: str) -> None:
        raise AssertionError("nobody tries a program here")

    # --- people ----------------------------------------------------------------------------------------

    def hold(self) -> None:
        self.house.do(c.FreezeTable)
        self.house.until(lambda view: bool(view.now.frozen_by))

    def release(self) -> None:
        self.house.do(c.ReleaseTable, PIT, reason_code="machine", words="The table is well.")
        self.house.until(lambda view: not view.now.frozen_by)


def _held_to_document(wanted: Message, got: Response) -> None:
    """The document of the interface tells of that answer, too."""
    hold(wanted.method, wanted.target.partition("?")[0].removeprefix(PREFIX), got)  # type: ignore[arg-type]
    list(got.response)


def _events(got: http.client.HTTPResponse) -> str:
    """The first event of a stream, and what comes before it."""
    lines: list[str] = []
    while not (lines and lines[-1] == "" and any(line.startswith("data: ") for line in lines)):
        lines.append(got.readline().decode().rstrip("\n"))
    return "\n".join(lines)


class FirstHour(Scene):
    """North keeps his bettors' money himself, and is told of his rounds."""

    def __init__(self, folder: Path, held: ExitStack) -> None:
        self.operator = Operator(folder / "north", "hmac")
        held.callback(self.operator.close)
        self.receiver = Receiver()
        held.callback(self.receiver.close)
        (folder / "north-webhook.secret").write_text(SECRET)
        hook = WebhookSection(address=self.receiver.address, key_file=str(folder / "north-webhook.secret"))
        self.wallet_calls: list[tuple[str, Mapping[str, str], bytes, Any]] = []
        self._listen()
        super().__init__(folder, held, wallet=self.operator.section, hooks={"north": hook})
        day = self.house.floor.config.studio.gaming_day.of_ms(self.house.floor.now_ms())
        self.names = {DAY: day.isoformat()}

    def _listen(self) -> None:
        """Keep what the wallet is asked, and what it says."""
        answer = self.operator.server.answer

        def heard(path: str, headers: Any, body: bytes) -> Any:
            said = answer(path, headers, body)
            self.wallet_calls.append((path, headers, body, said))
            return said

        self.operator.server.answer = heard  # type: ignore[method-assign]

    def acts(self) -> Mapping[str, Callable[[], None]]:
        return {
            **super().acts(),
            "the table takes bets": self.house.betting,
            "the cards are dealt and the round is paid": self.played,
            "two people void the round after all": self.voided,
            "the day is over": self.day_over,
            "north writes his own books": self.books,
        }

    def played(self) -> None:
        play_out(self.house)
        self._told_all(rounds=1, balance_minor=MONEY + 500)

    def voided(self) -> None:
        void_settled(self.house)
        self._told_all(rounds=2, balance_minor=MONEY)

    def _told_all(self, rounds: int, balance_minor: int) -> None:
        """The wallet has what the round comes to, the studio knows it, and north has heard of so many ends."""
        teller = self.house.floor.tellers.of("north")
        assert teller is not None
        desk = teller.desk
        wait_until(lambda: self.operator.balance == balance_minor and not desk.owed())
        wait_until(lambda: len(self.receiver.heard) == rounds)

    def day_over(self) -> None:
        now_ms = self.house.studio.clock.now_ms
        self.house.floor.use_clock(lambda: now_ms() + 86_400_000)

    def books(self) -> None:
        with urllib.request.urlopen(f"{self.operator.server.address}/books.csv") as told:
            (self.folder / "their-books.csv").write_bytes(told.read())

    def sent(self, printed: Message) -> list[str]:
        if printed.target == ROUNDS:
            heard: Heard = self.receiver.heard[-1]
            got = {"webhook-id": heard.id, "webhook-timestamp": heard.at, "webhook-signature": heard.signature}
            return _differs(printed, got, heard.body)
        path = printed.target.removeprefix(f"{WALLET}/")
        asked = [call for call in self.wallet_calls if call[0] == path]
        wanted = json.loads(printed.body)
        for _, headers, body, said in asked:
            if not list(differences(wanted, json.loads(body))):
                self.answers.append(Answer(said[0], "application/json", said[1].decode()))
                return _differs(printed, {key: headers[key] for key in printed.headers}, body)
        return [f"the wallet was asked otherwise: {[call[2].decode() for call in self.wallet_calls]}"]

    def tried(self, text: str) -> None:
        """The guide's program finds a telling genuine, and none that was touched."""
        program: dict[str, Any] = {}
        exec(text, program)
        heard = self.receiver.heard[-1]
        headers = {"webhook-id": heard.id, "webhook-timestamp": heard.at, "webhook-signature": heard.signature}
        genuine = program["is_genuine"]
        assert genuine(SECRET.encode(), headers, heard.body)
        assert not genuine(b"another secret", headers, heard.body)
        assert not genuine(SECRET.encode(), headers, heard.body + b" ")
        assert not genuine(SECRET.encode(), {**headers, "webhook-id": "t1-0000009:0"}, heard.body)
        old = {**headers, "webhook-timestamp": str(int(heard.at) - 3_600)}
        assert not genuine(SECRET.encode(), old, heard.body)

    def written(self, text: str) -> None:
        """What `wallet check` reads is written where it looks; the rest is of the configuration."""
        if "[north]" not in text:
            super().written(text)
            return
        text = text.replace(WALLET, self.operator.server.address)
        (self.folder / "wallets.toml").write_text(text)
        secret = re.search(r'key_file = "(.+)"', text)
        assert secret is not None
        (self.folder / secret[1]).write_bytes((self.folder / "north" / "studio.hmac").read_bytes())


def _differs(printed: Message, headers: Mapping[str, str], body: bytes) -> list[str]:
    found = list(differences(json.loads(printed.body), json.loads(body)))
    return found + list(differences(printed.headers, dict(headers), "headers"))


class Dealt(Scene):
    """North's bettors have their purses in the studio; the table's game is dealt with known cards."""

    GAME = "three_knights"

    def __init__(self, folder: Path, held: ExitStack) -> None:
        super().__init__(folder, held, game=self.GAME)
        self._hidden, self._open = iter(HIDDEN), iter(OPEN)
        self._down: dict[tuple[str, int], Any] = {}

    def acts(self) -> Mapping[str, Callable[[], None]]:
        return {
            **super().acts(),
            "a round begins and the table takes bets": self.begin,
            "the deal comes to a decision": lambda: self.deal_until("act.decide", "act.turn"),
            "the round is dealt and paid": self.finish,
            "the pit answers the complaint": self.answer_complaint,
        }

    def begin(self) -> None:
        self.house.open()
        self.house.do(c.StartRound)
        self.deal_until("act.bets_open")

    def finish(self) -> None:
        self.deal_until("act.declare_result")
        self.house.finish()

    def deal_until(self, *acts: str) -> None:
        """Deal on as the console asks for it, until the table comes to one of these."""
        while (view := self._next(acts)).now.act.key not in acts:
            key = view.now.act.key
            if key in (*BURN, *DOWN):
                slot, card = due(view), next(self._hidden)
                self.house.deal(*slot, card, up=False)
                self._down[slot] = card
            elif key == "act.deal":
                self.house.deal(*due(view), next(self._open), up=True)
            elif key in ("act.open_bets", "act.open_decisions"):
                self.house.do(c.OpenBetting)
            elif key in ("act.bets_open", "act.decide"):
                self.house.do(c.CloseBetting)
                self.house.until(lambda view, key=key: view.now.act.key != key)  # type: ignore[misc]
            elif key == "act.reveal":
                self._reveal(str(view.now.act.values["box"]).removeprefix("box."))
            else:
                raise AssertionError(f"nobody here knows how to {key}")

    def _next(self, acts: tuple[str, ...]) -> TableView:
        return self.house.until(lambda view: view.now.act.key != "act.wait_camera" or view.now.act.key in acts)

    def _reveal(self, box: str) -> None:
        for slot, card in self._down.items():
            if slot[0] == box:
                self.house.lay(*slot, card)
        self.house.until(lambda view: view.now.act.key != "act.reveal" or box not in str(view.now.act.values["box"]))

    def answer_complaint(self) -> None:
        pit = self.house.floor.pit
        [open_one] = [one for one in pit.book.complaints.values() if one.open]
        actor = PIT.with_pin(self.house.floor.now_ms())
        answer(pit, actor, open_one.id, ("declined", "The window closed at the time it was told."), 0)


class Purses(Dealt):
    """Three Knights, and what the guide calls a day is today."""

    def __init__(self, folder: Path, held: ExitStack) -> None:
        super().__init__(folder, held)
        now_ms = self.house.floor.now_ms()
        day = self.house.floor.config.studio.gaming_day.of_ms(now_ms)
        self.names = {DAY: day.isoformat()}


class SignedRequests(Scene):
    """North signs his requests, with the program of the guide."""

    def __init__(self, folder: Path, held: ExitStack) -> None:
        super().__init__(folder, held)
        (folder / "north-calls.secret").write_text(SECRET)
        calls = CallsSection(key_files=(str(folder / "north-calls.secret"),))
        agreed = OperatorSection(key_sha256=digest_of_key(API_KEY), calls=calls)
        self.house.floor.operator_desk.take_file({"north": agreed})
        self.program: dict[str, Any] = {}

    def tried(self, text: str) -> None:
        exec(text, self.program)

    def ask(self, wanted: Message) -> list[str]:
        if "request-signature" not in wanted.headers:
            return super().ask(wanted)
        headers = self.program["signed"](SECRET.encode(), wanted.method, wanted.target, wanted.body.encode())
        assert wanted.headers.keys() == headers.keys()
        return super().ask(replace(wanted, headers=headers))


class UltimateHoldem(Dealt):
    GAME = "ultimate_holdem"


class Blackjack(Dealt):
    GAME = "blackjack"


class KkClash(Dealt):
    GAME = "kkclash"

    def __init__(self, folder: Path, held: ExitStack) -> None:
        super().__init__(folder, held)
        self.names = {"1700000000000": str(self.house.floor.now_ms() - 3_600_000)}


class DragonTiger(Dealt):
    """Tiger has the higher card."""

    GAME = "dragon_tiger"

    def __init__(self, folder: Path, held: ExitStack) -> None:
        super().__init__(folder, held)
        next(self._open)


class PokerRoom(Scene):
    """Bob and Cy sit at the table, and Ann comes to it."""

    GAME = "nlh"
    OTHERS: Mapping[str, str] = {"seat1": "bob", "seat2": "cy"}
    OWN = "seat3"

    def __init__(self, folder: Path, held: ExitStack) -> None:
        super().__init__(folder, held, game=self.GAME)
        self._down, self._open = iter([*HIDDEN, *MORE]), iter(OPEN)
        self._sent = 0

    def acts(self) -> Mapping[str, Callable[[], None]]:
        return {
            **super().acts(),
            "two players sit at the table": self.seat_others,
            "a hand is dealt, and it is Ann's turn": self.deal,
            "a hand is played to its end": self.play,
        }

    def seat_others(self) -> None:
        self.house.open()
        for bettor in ("ann", *self.OTHERS.values()):
            self.house.post(f"/bettors/{bettor}/deposits", {"client_id": f"d-{bettor}", "amount": 50_000})
        for seat, bettor in self.OTHERS.items():
            self.sit(seat, bettor)

    def sit(self, seat: str, bettor: str) -> None:
        told = {"client_id": f"s-{bettor}", "bettor": bettor, "act": "sit", "seat": seat, "amount": 10_000}
        answer = self.house.post(f"/tables/{TABLE}/seats", told).json
        assert answer["status"] == "accepted", answer

    def deal(self) -> None:
        self.house.do(c.StartRound)
        self.go_on()
        while self.house.view.bets.turn != self.OWN:
            self.choose("call")

    def go_on(self) -> None:
        """Deal until a seat has to choose, or the hand is over."""
        while (view := self._next()).now.act.key in ("act.deal_down", "act.burn", "act.deal"):
            up = view.now.act.key == "act.deal"
            self.house.deal(*due(view), next(self._open if up else self._down), up=up)

    def _next(self) -> TableView:
        waits = ("act.wait_camera", "act.turn")
        return self.house.until(lambda view: view.now.act.key not in waits or bool(view.bets.turn))

    def choose(self, option: str, **more: Any) -> None:
        """Whoever has the turn chooses that."""
        self._sent += 1
        seat = self.house.view.bets.turn
        bettor = self.OTHERS.get(seat, "ann")
        told = {"client_id": f"c-{self._sent}", "bettor": bettor, "box": seat, "option": option, **more}
        [answer] = self.house.post(f"/tables/{TABLE}/decisions", {"decisions": [told]}).json["answers"]
        assert answer["status"] == "accepted", answer
        self.go_on()

    def play(self) -> None:
        """Ann raises, and the others fold."""
        self.seat_others()
        self.sit(self.OWN, "ann")
        self.deal()
        self.choose("raise", to=300)
        while self.house.view.now.act.key != "act.declare_result":
            self.choose("fold")
        self.house.finish()


class OpenFace(PokerRoom):
    """Open-Face Chinese: Bob sits at the table, and Ann."""

    GAME = "ofc"
    OTHERS: Mapping[str, str] = {"seat1": "bob"}
    OWN = "seat2"

    def deal(self) -> None:
        self.seat_others()
        self.sit(self.OWN, "ann")
        super().deal()

    def choose(self, option: str, **more: Any) -> None:
        self.house.post(f"/tables/{TABLE}/seats", {"client_id": "l-bob", "bettor": "bob", "act": "look"})
        super().choose("place", rows=["top", "middle", "middle", "bottom", "bottom"])


SCENES: Final[Mapping[str, type[Scene]]] = {
    "a first hour": FirstHour,
    "purses": Purses,
    "purses, later": Purses,
    "purses, with free bets": Dealt,
    "purses, the last": Purses,
    "signed requests": SignedRequests,
    "ultimate_holdem": UltimateHoldem,
    "blackjack": Blackjack,
    "kkclash": KkClash,
    "dragon_tiger": DragonTiger,
    "nlh": PokerRoom,
    "nlh, later": PokerRoom,
    "ofc": OpenFace,
}
