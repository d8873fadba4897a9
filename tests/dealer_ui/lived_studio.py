"""A studio that has lived through something: rounds, rulings, a void, a correction, people, decks, complaints.

What its people typed, they typed in Japanese and without a word of English: a word of English on a page is ours.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from running_studio import PIT, TABLE, House
from sealed_search import sign_up
from test_correction_page import Person, card_of

from dealer_ui.config.file import DecksSection
from studio import ports
from studio.cards import parse_cards
from studio.people import Actor, Pin
from studio.people.staffing import NewStaff
from studio.tables import command as c

TYPED: Final = "確認済み"
UNPLUGGED: Final = "The cable at sim:// was unplugged, or its device lost power; plug it in again."
PAVEL: Final = Actor("p2", "Pavel", frozenset({"pit_boss"}))
SECOND: Final = parse_cards("5s 5h 5d 5c")
"""What is burned in the second round."""
TWO: Final = {"second_badge": "1001", "second_pin": "4826"}


class Life:
    """What people of that studio do, one after another; afterwards its pages have much to tell."""

    def __init__(self, folder: Path) -> None:
        self.house = House(folder, beside=("t2",))
        self.folder = folder

    def live(self) -> House:
        house = self.house
        house.floor.decks.rules = DecksSection.model_validate({"register": True, "backs": ["red", "blue"]})
        sign_up(house)
        house.floor.staff.add(NewStaff(PAVEL.id, "2002", PAVEL.name, ("pit_boss",), Pin("730163")))
        self.petra, self.pavel = Person(house, "2001", "730162"), Person(house, "2002", "730163")
        self.ada, self.dana = Person(house, "9001", "915374"), Person(house, "1001", "4826")
        house.api.post("/sign-in", data={"badge": "1001", "pin": "0000"})
        self._decks()
        self._staff()
        self._shift()
        self._first_round()
        self._second_round()
        self._sealed_cards()
        self._ends()
        return house

    # --- beside the tables -----------------------------------------------------------------------------

    def _decks(self) -> None:
        new = {"design": "D", "back": "red", "packs": "1", "place": "金庫", "mark": "deck-", **TWO}
        for n in (1, 2, 3):
            self._deck("receive", f"RED-{n}", **{**new, "seal": f"S{n}", "mark": "deck-" if n == 1 else f"r{n}-"})
        self._deck("issue", "RED-1", table=TABLE, seal="S1")
        doubted = self.petra.post("/decks", "/decks", act="issue", deck="RED-2", pin="730162", table=TABLE, seal="S9")
        assert doubted.status_code == 409
        self._deck("issue", "RED-2", table="t2", seal="S2")
        self._deck("return", "RED-2", place="金庫", seal="S4", words=TYPED)
        self._deck("withdraw", "RED-3", place="金庫", reason_code="card_damaged", words=TYPED)
        self._deck("destroy", "RED-3", how=TYPED, **TWO)

    def _deck(self, act: str, deck: str, **fields: str) -> None:
        self._sent(self.petra.post("/decks", "/decks", act=act, deck=deck, pin="730162", **fields))

    def _staff(self) -> None:
        house = self.house
        new = {
            "id": "d7",
            "badge": "1077",
            "name": "Gita",
            "role": "dealer",
        }
        self._coded("add", **new)
        house.floor.staff.add(NewStaff("d8", "1088", "Hana", ("dealer",), Pin("8080")))
        paper = {"person": "d7", "paper": "licence", "number": "L-77", "from": "2026-01-01", "until": "2036-01-01"}
        self._person("paper", **paper)
        self._person("paper", **{**paper, "paper": "three_knights", "number": "C-77"})
        self._person("withdraw", person="d7", paper="three_knights", words=TYPED)
        self._person("bar", person="d7", words=TYPED)
        self._person("lift", person="d7", words=TYPED)
        self._person("badge", person="d8", badge="1099")
        self._person("roles", person="d8", role="technician")
        self._coded("code", person="d8")
        self._person("retire", person="d8")

    def _person(self, act: str, **fields: str) -> None:
        self._sent(self.ada.post("/staff", "/staff", act=act, pin="915374", **fields))

    def _coded(self, act: str, **fields: str) -> None:
        answer = self.ada.post("/staff", "/staff", act=act, pin="915374", **fields)
        self._sent(answer)
        assert 'class="one-time-code"' in self.ada.client.get(answer.location).get_data(as_text=True)

    def _shift(self) -> None:
        self._sent(self.petra.post("/shift", "/shift", act="open", pin="730162"))

    @staticmethod
    def _sent(answer: Any) -> None:
        assert answer.status_code == 303, re.sub(r"<[^>]+>", " ", answer.get_data(as_text=True))[-1500:]

    # --- at the table ----------------------------------------------------------------------------------

    def _first_round(self) -> None:
        """A card entered by hand by two people, complaints, and the settled round corrected."""
        house = self.house
        house.betting()
        house.bet("one", "two", stake=1_000)
        house.do(c.CloseBetting)
        house.deal_all()
        house.do(c.OverrideCard, PIT, box="player1", place=3, card="Ts", reason_code="drill", words=TYPED)
        [asked] = [one for one in house.view.incidents.open if one.asked.by]
        house.do(c.ApproveRuling, PAVEL, incident=asked.id, asked=asked.asked.mark)
        self.release()
        house.finish()
        self.round = house.view.round.id
        self.complain("c1")
        self.complain("c2")
        correct, waiting = f"/pit/{TABLE}/round/{self.round}/correct", f"/pit/{TABLE}/correction"
        fields = {card_of(house, self.petra.page(f"{correct}?language=en")[1], "Player 1, card 3"): "6d", "ask": "1"}
        fields |= {"reason_code": "camera_view", "words": TYPED}
        for said in ("decline", "approve"):
            self._sent(self.petra.post(correct, correct, **fields, pin="730162"))
            assert house.view.aftermath.correction is not None
            told = {"correction": house.view.aftermath.correction.id, "answer": said, "pin": "730163"}
            self._sent(self.pavel.post(waiting, waiting, **told))
            house.until(lambda view: view.aftermath.correction is None)
        self.act("answer_complaint", complaint="C-1", outcome="corrected", words=TYPED)
        self.act("answer_complaint", complaint="C-2", outcome="declined", words=TYPED)

    def complain(self, id: str) -> None:
        said = {"client_id": id, "round": self.round, "words": TYPED}
        assert self.house.post("/bettors/ann/complaints", said).status_code in (200, 201)

    def act(self, name: str, **fields: str) -> None:
        csrf = re.search(r'name="csrf" value="([^"]+)"', self.petra.page("/shift")[1])
        assert csrf
        answer = self.petra.client.post(
            "/pit/act", json={"act": name, "pin": "730162", **fields}, headers={"X-CSRF-Token": csrf[1]}
        )
        assert answer.status_code == 200, answer.get_data(as_text=True)

    def release(self) -> None:
        """Whatever waits, Petra and Pavel see to it, with what the row says."""
        for _ in range(6):
            if not self.house.view.now.held:
                return
            self.house.do(c.ReleaseTable, PIT, reason_code="drill", words=TYPED)

    def clear(self) -> None:
        for box in self.house.view.boxes:
            for place in box.places:
                if place.face or place.state in ("sealed", "confirmed"):
                    self.house.say("camera", ports.CameraSawEmpty, zone=box.key, place=place.place)
        self.house.until(lambda view: view.now.act.key == "act.start_round")

    def _second_round(self) -> None:
        """Frozen and released, the pit called, a device lost, bettors told, and the round voided by two people."""
        house = self.house
        self.clear()
        house.do(c.StartRound)
        for number, card in enumerate(SECOND, 1):
            house.deal("burn", number, card, up=False)
        house.until(lambda view: view.now.act.key == "act.open_bets")
        house.do(c.OpenBetting)
        house.bet("three", stake=1_000)
        house.do(c.FreezeTable)
        house.do(c.ReleaseTable, PIT, reason_code="drill", words=TYPED)
        house.do(c.CallPit)
        house.do(c.AnswerCall, PIT)
        self.act("tell_bettors", table=TABLE, text="technical", words=TYPED)
        house.do(c.CloseBetting)
        house.say("camera", ports.LinkDown, url="sim://", reason=UNPLUGGED)
        house.until(lambda view: view.now.held)
        house.say("camera", ports.LinkUp, url="sim://")
        house.until(lambda view: all(view.devices.links.values()))
        house.do(c.VoidRound, PIT, reason_code="device_fault", words=TYPED)
        house.until(lambda view: view.round.stage == "voided")
        house.do(c.WithdrawShoe, PIT, reason_code="card_damaged", words=TYPED)
        house.until(lambda view: not view.shoe.deck)

    def _sealed_cards(self) -> None:
        """Of the first round one burned card is opened by two people, and one request is declined."""
        asking, waiting = f"/pit/{TABLE}/round/{self.round}/sealed", f"/pit/{TABLE}/sealed"
        cards = re.findall(r'name="card" id="[^"]+" value="([0-9a-f]+)"', self.petra.page(asking)[1])
        for card, said in zip(cards[:2], ("decline", "approve"), strict=True):
            given = {"card": card, "reason_code": "bettor_dispute", "words": TYPED, "pin": "730162"}
            self._sent(self.petra.post(asking, asking, **given))
            asked = self.house.view.aftermath.sealed.asked
            assert asked is not None
            self._sent(self.pavel.post(waiting, waiting, unsealing=asked.id, answer=said, pin="730163"))

    def _ends(self) -> None:
        self.act("freeze_floor")
        self.act("release_floor", reason_code="drill", words=TYPED)
        self._sent(self.petra.post("/shift", "/shift", act="close", words=TYPED, pin="730162"))
        self._sent(self.pavel.post("/shift", "/shift", act="acknowledge", pin="730163"))
