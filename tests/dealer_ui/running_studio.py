"""A whole studio in this process, on a database in a file; its devices say what a test has them say."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

from closed_again import closed_again
from flask.testing import FlaskClient
from patience import LOOK_S, PATIENCE_S
from routes_once import keep_routes

from dealer_ui.assembly.bootstrap import Studio, StudioParts, build_studio
from dealer_ui.config.file import (
    DeviceSection,
    KeysSection,
    OperatorSection,
    ServerSection,
    StudioConfig,
    StudioSection,
    TableSection,
)
from dealer_ui.config.operator import WebhookSection
from dealer_ui.config.shape import WalletSection
from dealer_ui.desk.operator_key import digest_of_key
from dealer_ui.desk.staff import StaffDesk
from dealer_ui.process.evidence import EvidenceFolder
from dealer_ui.rehearsal.demo.staff import give_papers
from studio import ports
from studio.cards import Card, Sealer, parse_cards
from studio.games import find_game
from studio.people import Actor, Pin
from studio.people.staffing import NewStaff
from studio.ports import CardFace, Observation
from studio.tables import command as c
from studio.tables.config import TableConfig
from studio.views import TableView

keep_routes()

API_KEY = "a-key-for-tests"
SOUTH_KEY = "another-key-for-tests"
TABLE = "t1"
DEALER = Actor("d1", "Dana", frozenset({"dealer"}))
PIT = Actor("p1", "Petra", frozenset({"pit_boss"}))
BURNS = parse_cards("4s 4h 4d 4c")
DEAL = parse_cards("Js 2c Kc Qs 3h 3c 8d Th 6d 7d 8h 9d")


class Said:
    """A device that says what it is told to say; `error` makes it fail once."""

    def __init__(self, id: str) -> None:
        self._id = id
        self._due: deque[Observation] = deque()
        self.error: Exception | None = None
        self.closed = False

    @property
    def id(self) -> str:
        return self._id

    def say(self, *seen: Observation) -> None:
        self._due.extend(seen)

    def step(self, now_ms: int) -> Sequence[Observation]:
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        seen = []
        while self._due:
            seen.append(self._due.popleft())
        return seen

    def close(self) -> None:
        self.closed = True


HEALTHY_S: Final = 30.0
SILENT_S: Final = 2.0
"""How long the studio waits for an operator's wallet in these tests: longer than a busy machine keeps one that answers,
and no longer than a test likes to wait for one that does not."""

ZONE: Final = "Asia/Makassar"
"""Eight hours before UTC: where a page tells the wrong one, it shows."""


WINDOW_S: Final = 600.0
"""A busy machine closes no window of a test; people do."""


def config(
    folder: Path,
    *,
    window_s: float = WINDOW_S,
    port: int = 8000,
    game: str = "three_knights",
    beside: Sequence[str] = (),
    wrapped_by: str = "",
    wallet: WalletSection | None = None,
    south: WalletSection | None = None,
    hooks: Mapping[str, WebhookSection] | None = None,
) -> StudioConfig:
    hooks = hooks or {}
    return StudioConfig(
        studio=StudioSection(
            title="Test", database=str(folder / "studio.db"), evidence=str(folder / "evidence"), zone=ZONE
        ),
        server=ServerSection(port=port, threads=24),
        devices=tuple(DeviceSection(id=id, driver="camera", url="sim://") for id in ("shoe", "shuffler", "camera")),
        tables=(
            TableSection(
                key=TABLE, title="Table 1", game=game, shoe="shoe", shuffler="shuffler", camera="camera",
            ).model_copy(update={"window_s": window_s}),  # however long
            *(TableSection(key=key, title=f"Table {key[1:]}", game=game) for key in beside),
        ),
        operators={
            "north": OperatorSection(key_sha256=digest_of_key(API_KEY), wallet=wallet, webhook=hooks.get("north")),
            **({"south": OperatorSection(key_sha256=digest_of_key(SOUTH_KEY), wallet=south, webhook=hooks.get("south"))}
               if south or "south" in hooks else {}),
        },
        keys=KeysSection(wrapped_by=wrapped_by),
    )  # fmt: skip


class House:
    """The running studio, and the hands and mouths of a test."""

    table = TABLE

    def __init__(
        self, folder: Path, *, seed: int = 1, window_s: float = WINDOW_S, game: str = "three_knights",
        beside: Sequence[str] = (), wrapped_by: str = "", wallet: WalletSection | None = None,
        south: WalletSection | None = None, hooks: Mapping[str, WebhookSection] | None = None,
    ) -> None:  # fmt: skip
        """`beside`: more tables of the same studio, by their keys; no device stands at them. `wallet`: of north;
        `south`: of a second operator, who is there only with one, or with one of the `hooks`."""
        self.said = {id: Said(id) for id in ("shoe", "shuffler", "camera")}
        self.sealer = Sealer(Random(f"{seed}/test").randbytes)
        self.database = folder / "studio.db"

        def devices_of(table: TableConfig, sealer: Sealer, evidence: EvidenceFolder) -> Sequence[Said]:
            return list(self.said.values()) if table.key == TABLE else ()

        parts = StudioParts(devices_of, byte_source=Random(seed).randbytes, tick_s=0.01, quick_pins=True)
        self.studio: Studio = build_studio(
            config(
                folder,
                window_s=window_s,
                game=game,
                beside=beside,
                wrapped_by=wrapped_by,
                wallet=wallet,
                south=south,
                hooks=hooks,
            ),
            self.database,
            parts,
        )
        self.floor = self.studio.floor
        with closed_again(self.studio.stop):
            self.studio.start()

    def __enter__(self) -> House:
        return self

    def __exit__(self, *_: object) -> None:
        self.studio.stop()

    # --- looking ---------------------------------------------------------------------------------------

    @property
    def view(self) -> TableView:
        return self.floor.view(self.table)

    def until(self, holds: Callable[[TableView], bool]) -> TableView:
        """Wait for the table to come to that."""
        for _ in range(int(PATIENCE_S / LOOK_S)):
            if holds(view := self.view):
                return view
            self.floor.wait(self.table, view.seq, LOOK_S)
        raise AssertionError(f"it never came to that: {self.view}")

    @property
    def api(self) -> FlaskClient:
        return self.studio.app.test_client()

    def get(self, path: str) -> Any:
        return self.api.get(f"/api/v1{path}", headers={"Authorization": f"Bearer {API_KEY}"})

    def post(self, path: str, body: object, key: str = API_KEY) -> Any:
        return self.api.post(f"/api/v1{path}", json=body, headers={"Authorization": f"Bearer {key}"})

    def bet(self, *client_ids: str, stake: int = 200) -> Any:
        bets = [{"client_id": id, "bettor": "ann", "bet": "player1_win", "stake": stake} for id in client_ids]
        return self.post(f"/tables/{self.table}/bets", {"bets": bets})

    # --- saying ----------------------------------------------------------------------------------------

    def do(self, command: type[c.Command], actor: Actor = DEALER, **given: object) -> None:
        if "pit_boss" in actor.roles:
            actor = actor.with_pin(self.floor.now_ms())
        self.floor.command(self.table, command(actor=actor, **given))  # type: ignore[arg-type]

    def say(self, device: str, kind: Callable[..., Observation], **given: object) -> None:
        self.said[device].say(kind(device=device, at_ms=self.floor.now_ms(), **given))

    def links(self) -> None:
        for device in self.said:
            self.say(device, ports.LinkUp, url="sim://")
        self.until(lambda view: all(view.devices.links.values()))

    def lay(self, zone: str, place: int, card: Card | None = None) -> None:
        sealed = self.sealer.card(card) if card else None
        face = CardFace.UP if card else CardFace.DOWN
        self.say(
            "camera", ports.CameraSawCard, zone=zone, place=place, face=face, card=sealed, confidence=0.99, evidence=""
        )

    def draw(self, card: Card | str) -> None:
        card = Card.parse(card) if isinstance(card, str) else card
        self.say("shoe", ports.ShoeDrewCard, card=self.sealer.card(card), resent=False)

    def deal(self, zone: str, place: int, card: Card, *, up: bool) -> None:
        """The shoe gives the card, the camera sees it, and the table has taken both."""
        self.draw(card)
        state = ("shoe", "confirmed") if up else ("sealed", "sealed_owed")
        self.until(lambda view: place_of(view, zone, place) in state)
        self.lay(zone, place, card if up else None)
        settled = "confirmed" if up else "sealed"
        self.until(lambda view: place_of(view, zone, place) == settled)

    # --- a round ---------------------------------------------------------------------------------------

    def staff(self) -> None:
        """Dana with every paper, and Petra, where they are not there yet."""
        sign_up(self.floor.staff)

    def open(self) -> None:
        self.staff()
        self.links()
        self.do(c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)
        self.say(
            "shuffler",
            ports.DeckVerified,
            count=52 * find_game(self.view.game.key).shoe.decks,
            deck_id="deck-1",
            verdict="ok",
        )
        self.until(lambda view: view.now.act.key == "act.load_shoe")
        self.do(c.LoadShoe)

    def burn(self, cards: Sequence[Card] = BURNS) -> None:
        self.do(c.StartRound)
        for number, card in enumerate(cards, 1):
            self.deal("burn", number, card, up=False)
        self.until(lambda view: view.now.act.key == "act.open_bets")

    def betting(self) -> None:
        """A table open, a round begun, its cards burned, bets open, and Ann with money."""
        self.open()
        self.burn()
        self.do(c.OpenBetting)
        if self.floor.tellers.of("north") is not None:
            return
        assert self.post("/bettors/ann/deposits", {"client_id": "d1", "amount": 100_000}).status_code == 200

    def deal_all(self) -> None:
        for card in DEAL:
            box, place = next(
                (box.key, one.place) for box in self.view.boxes for one in box.places if one.state == "awaited"
            )
            self.deal(box, place, card, up=True)

    def finish(self) -> None:
        self.do(c.DeclareResult)
        self.until(lambda view: view.round.stage == "settled")


def sign_up(desk: StaffDesk) -> None:
    """Dana with every paper, and Petra, where they are not there yet."""
    for actor, badge, pin, role in ((DEALER, "1001", "4826", "dealer"), (PIT, "2001", "730162", "pit_boss")):
        if actor.id not in desk.register.people:
            desk.add(NewStaff(actor.id, badge, actor.name, (role,), Pin(pin)))
    give_papers(desk, DEALER.id)


@contextmanager
def impatient(house: House, operator: str = "north") -> Iterator[None]:
    """Meanwhile this operator's wallet is not to answer when it is asked for a stake."""
    teller = house.floor.tellers.of(operator)
    assert teller is not None
    asking, terms = teller._asking, teller._asking._terms
    asking._terms = replace(terms, wait_s=SILENT_S)
    yield
    asking._terms = terms


def place_of(view: TableView, zone: str, place: int) -> str:
    return next(one.state for box in view.boxes for one in box.places if (box.key, one.place) == (zone, place))


def threads() -> set[str]:
    return {thread.name for thread in threading.enumerate()}
