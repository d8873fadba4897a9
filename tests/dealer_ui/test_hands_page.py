"""The page of a person's hands: who may use it, what it shows, and what it never shows."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

import pytest
from altered import altered
from console_visitor import Visitor, app_over
from fake_floor import DEALING, IDLE, PINS, FakeFloor, held
from flask import Flask
from hands_rig import FIRST_CARD, Scene

from dealer_ui.frame.template import TEMPLATES
from dealer_ui.rehearsal.demo.staff import STAFF
from dealer_ui.rehearsal.night import Night, NightOptions
from dealer_ui.rehearsal.own_hands.breakage import BREAKS, Breakage
from dealer_ui.rehearsal.own_hands.mistake import MISTAKES
from dealer_ui.rehearsal.own_hands.page import Invitation, Person, Station, hint, routes
from dealer_ui.rehearsal.practice.practised import Practised
from dealer_ui.rehearsal.practice.recipe import practices_of
from dealer_ui.words.language import Languages
from studio.ports import CardFace
from studio.views import TableView
from studio.views.shape import Words

PEOPLE = [Person(name, badge, pin, role) for _, badge, pin, name, role in STAFF]


class Lens:
    def plug(self, *, on: bool) -> None: ...

    def spoil(self, how: str) -> None: ...


class Demo:
    """The consoles over a fake floor, with hands at its table; the demo has the tables `beside` it, too."""

    def __init__(self, view: TableView, *beside: TableView, auto: bool = False) -> None:
        self.scene = Scene(view)
        self.floor = FakeFloor(view, *beside)
        self.scene.hands.view = lambda: self.floor.view("knights1")
        self.invited: list[bool] = []
        self.app: Flask = app_over(self.floor)
        station = Station(
            self.scene.hands, Breakage(self.scene.rig, Lens()), auto, Invitation(lambda: self.invited.append(True))
        )
        stations = {"knights1": station, **{one.table: station for one in beside}}
        self.app.register_blueprint(routes(self.app.extensions["console"], stations, PEOPLE))

    def visitor(self, badge: str) -> Visitor:
        return Visitor(self.app, badge)


def act(visitor: Visitor, name: str, **fields: str) -> Any:
    headers = {"X-CSRF-Token": visitor.csrf, "Accept": "application/json"}
    return visitor.client.post("/hands/knights1/act", data={"act": name, **fields}, headers=headers)


def test_a_dealer_of_the_demo_is_led_to_his_hands_and_everybody_else_as_usual() -> None:
    demo = Demo(IDLE)
    homes = {"dora": "/hands/knights1", "paul": "/pit", "tom": "/technician"}
    for badge, home in homes.items():
        answer = demo.visitor(badge).client.get("/", headers={"Accept": "text/html"})
        assert answer.headers["Location"] == home


def test_without_the_demo_there_are_no_hands_and_nothing_may_be_framed() -> None:
    visitor = Visitor(app_over(FakeFloor(IDLE)), "dora")
    assert visitor.status("/hands/knights1") == 404
    headers = visitor.client.get("/dealer/knights1").headers
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] == "DENY"


def test_in_the_demo_the_console_alone_may_be_framed_and_only_by_our_own_pages() -> None:
    dealer, pit = Demo(IDLE).visitor("dora"), Demo(IDLE).visitor("paul")
    for path in ("/hands/knights1", "/dealer/knights1"):
        policy = dealer.client.get(path).headers["Content-Security-Policy"]
        assert "frame-ancestors 'self'" in policy
        assert "default-src 'none'" in policy
    assert pit.client.get("/pit").headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize(("badge", "status"), [("dora", 200), ("tom", 200), ("paul", 403), ("anna", 403)])
def test_dealers_and_technicians_have_hands(badge: str, status: int) -> None:
    visitor = Demo(FIRST_CARD).visitor(badge)
    assert visitor.status("/hands/knights1") == status
    assert act(visitor, "deal").status_code == status


def test_an_unknown_table_and_a_missing_token_are_refused() -> None:
    demo = Demo(FIRST_CARD)
    visitor = demo.visitor("dora")
    assert visitor.status("/hands/elsewhere") == 404
    assert visitor.client.post("/hands/knights1/act", data={"act": "deal"}).status_code == 403
    assert demo.scene.rig.felt.view().cards == ()


def test_a_card_is_dealt_and_the_answer_is_the_felt_as_it_lies() -> None:
    demo = Demo(FIRST_CARD)
    card = demo.scene.next_card()
    answer = act(demo.visitor("dora"), "deal")
    assert answer.status_code == 200
    rank = "10" if card.rank == "T" else card.rank
    assert (
        f'<text class="rank" x="-25" y="-10">{rank}</text><use class="suit" href="#suit-{card.suit}"'
        in answer.json["html"]
    )


def test_a_browser_without_scripts_comes_back_to_the_page() -> None:
    visitor = Demo(FIRST_CARD).visitor("dora")
    answer = visitor.client.post("/hands/knights1/act", data={"act": "deal", "csrf": visitor.csrf})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/hands/knights1")


def test_a_card_face_down_is_a_back_and_has_no_face_on_the_page() -> None:
    demo = Demo(FIRST_CARD)
    for place in (1, 2, 3):
        demo.scene.hands.draw(("player1", place), CardFace.DOWN)
        demo.scene.hands.draw(("burn", place))
    html = demo.visitor("dora").page("/hands/knights1")
    assert html.count('class="weave"') == 6
    assert 'class="rank"' not in html
    assert 'class="suit"' not in html.split('id="sketch"')[1].split("</svg>")[0]


def test_what_hands_cannot_do_is_refused_with_a_sentence_in_the_persons_language() -> None:
    visitor = Demo(IDLE).visitor("dora")
    answer = act(visitor, "deal")
    assert (answer.status_code, answer.json["refused"][:22]) == (409, "No card is due now: th")
    visitor.client.get("/hands/knights1?language=ja")
    assert "コンソール" in act(visitor, "deal").json["refused"]


@pytest.mark.parametrize(
    "fields",
    [{"act": "jump"}, {"act": "draw", "to": "player1"}, {"act": "draw", "to": ".1"}, {"act": "draw", "to": "moon.1"},
     {"act": "move", "card": "shoe", "spot": "nan,nan"}, {"act": "move", "card": "shoe", "spot": "0.5"},
     {"act": "beside", "card": "card.9999"}, {"act": "turn"}, {"act": "mistake", "what": "x"}, {"act": "break"},
     {"act": "hand", "to": "player1.²"}],
)  # fmt: skip
def test_nonsense_is_refused_and_moves_nothing(fields: dict[str, str]) -> None:
    demo = Demo(FIRST_CARD)
    assert act(demo.visitor("dora"), fields.pop("act"), **fields).status_code == 409
    assert demo.scene.rig.felt.view().cards == ()
    assert demo.scene.rig.shoe.cards_left == 52


def test_the_shoe_gives_its_next_card_to_any_place_either_way_and_to_any_spot() -> None:
    demo = Demo(FIRST_CARD)
    visitor = demo.visitor("dora")
    act(visitor, "move", card="shoe", to="banker.3", face="down", reader="past")
    act(visitor, "move", card="shoe", spot="0.5,0.5", face="due")
    act(visitor, "move", card=demo.scene.ref("banker", 3), to="player1.2")
    view = demo.scene.rig.felt.view()
    assert view.top()["player1", 2].face is CardFace.DOWN
    assert [stray.face for stray in view.strays()] == [CardFace.UP]


def test_a_dock_that_has_not_changed_is_not_sent_again() -> None:
    demo = Demo(FIRST_CARD)
    visitor = demo.visitor("dora")
    tag = visitor.client.get("/hands/knights1/dock").json["tag"]
    assert visitor.client.get(f"/hands/knights1/dock?tag={tag}").status_code == 204
    demo.scene.hands.deal()
    assert visitor.client.get(f"/hands/knights1/dock?tag={tag}").status_code == 200


def test_while_the_simulated_dealer_deals_hands_rest_and_machines_may_be_broken() -> None:
    demo = Demo(FIRST_CARD, auto=True)
    visitor = demo.visitor("dora")
    page = visitor.page("/hands/knights1")
    assert "The simulated dealer deals" in page
    assert "Make a mistake" not in page
    assert act(visitor, "deal").status_code == 409
    assert act(visitor, "break", what="shoe.unplug").status_code == 200
    assert demo.scene.rig.shoe.faults == {"unplug"}
    act(visitor, "mend")
    assert demo.scene.rig.shoe.faults == frozenset()


def test_a_recipe_that_is_followed_stands_beside_the_felt_with_a_button_for_each_step_of_the_hands() -> None:
    visitor = Demo(FIRST_CARD).visitor("dora")
    assert "Which incident?" in visitor.page("/hands/knights1")
    dock = act(visitor, "follow", what="TK11-wrong_order").json["html"]
    strip = dock.split('class="chosen-acts recipe"')[1].split("</div>")[0]
    assert 'name="what" value="backwards"' in strip
    assert "Wrong order – Reversed: 3, 2, 1, Banker" in strip
    assert "TK11 · Wrong order – Before the first card of the hand" in dock
    assert 'class="chosen-acts recipe"' not in act(visitor, "follow", what="TK11-wrong_order").json["html"]


def test_every_fault_says_what_it_does_and_which_incident_it_is_to_make() -> None:
    menu = Demo(IDLE).visitor("dora").page("/hands/knights1").split('id="breaks"')[1]
    for one in BREAKS:
        button = menu.split(f'value="{one.key}"')[1].split("</button>")[0]
        assert ("practise: " in button) or ("makes no incident" in button), one.key


def test_what_was_seen_is_marked() -> None:
    practised = Practised()
    night = Night(NightOptions("three_knights", 3))
    try:
        with night.store.reader() as reader:
            practised.look(reader, night.config.key)
            lost = next(one for one in practices_of("three_knights") if one.row == "EV1")
            assert not practised.has(lost)
            night.rig.shoe.switch_on("unplug")
            for _ in range(600):
                night.step()
            practised.look(reader, night.config.key)
            assert practised.has(lost)
    finally:
        night.close()


def test_two_cards_are_swapped_a_card_is_flashed_and_one_is_taken_away() -> None:
    demo = Demo(FIRST_CARD)
    visitor = demo.visitor("dora")
    for place in (1, 2):
        act(visitor, "move", card="shoe", to=f"player1.{place}")
    one, other = demo.scene.top("player1", 1), demo.scene.top("player1", 2)
    assert one is not None
    assert other is not None
    act(visitor, "swap", card=f"card.{one.serial}", **{"with": f"card.{other.serial}"})
    assert demo.scene.top("player1", 1).card is other.card  # type: ignore[union-attr]
    act(visitor, "flash", card=demo.scene.ref("player1", 1))
    assert demo.scene.top("player1", 1).face is CardFace.DOWN  # type: ignore[union-attr]
    act(visitor, "take", card=demo.scene.ref("player1", 2))
    assert [fallen.slot for fallen in demo.scene.hands.reach.fallen] == [("player1", 2)]


def test_bettors_are_invited_once() -> None:
    demo = Demo(FIRST_CARD)
    visitor = demo.visitor("dora")
    assert "Invite 20 bettors" in visitor.page("/hands/knights1")
    for _ in range(2):
        act(visitor, "invite")
    assert demo.invited == [True]
    assert "Invite 20 bettors" not in visitor.page("/hands/knights1")


@pytest.mark.parametrize(("host", "pit"), [("127.0.0.1:8000", "localhost:8000"), ("localhost", "127.0.0.1")])
def test_the_pit_is_opened_under_the_machines_other_name(host: str, pit: str) -> None:
    client, address = Demo(held()).app.test_client(), f"http://{host}"
    client.post("/sign-in", data={"badge": "dora", "pin": PINS["dora"]}, base_url=address)
    assert f'href="http://{pit}/pit/knights1"' in client.get("/hands/knights1", base_url=address).text


def _view(act: str, **changes: Any) -> TableView:
    return altered(altered(DEALING, now={"act": Words(act, {})}), **changes)


@pytest.mark.parametrize(
    ("view", "lies", "due", "said"),
    [
        (_view("act.deal"), True, True, "deal"),
        (_view("act.clear_felt"), True, False, "clear"),
        (_view("act.carry_out.move_card", now={"held": True}), True, False, "put_right"),
        (_view("act.closed"), False, False, "closed"),
        (_view("act.shuffle"), False, False, "wait"),
        (held(), True, False, "pit"),
        (altered(held(), devices={"camera_blind": "dark"}), True, False, "mend"),
        (_view("act.frozen", now={"held": True, "frozen_by": "dora"}), True, False, "pit"),
        (IDLE, False, False, "button"),
    ],
)
def test_the_hint_says_what_to_do_now(view: TableView, lies: bool, due: bool, said: str) -> None:
    assert hint(view, lies=lies, due=due) == said


def test_every_word_of_the_page_is_in_every_catalogue() -> None:
    said = re.compile(r"""say\('([a-z_.]+)'(?! ~)""")
    keys = {key for path in (TEMPLATES / "hands").glob("*.html") for key in said.findall(path.read_text())}
    keys |= {f"{family}.{one.key}" for one in MISTAKES for family in ("mistake", "mistake_help")}
    keys |= {f"{family}.{one.name}" for one in BREAKS for family in ("fault", "fault_help")}
    keys |= {f"hands.hint.{one}" for one in ("deal", "button", "clear", "put_right", "answer", "pit", "mend", "wait",
                                             "closed", "auto")}  # fmt: skip
    keys |= {
        f"hands.do.{one}" for one in ("turn", "flash", "square", "swap", "take", "drop", "beside", "discard", "hand")
    }
    for tag in ("en", "ja", "id"):
        language = Languages().speak(tag)
        assert {key for key in keys if not key.endswith(".")} - language.keys() == set()


CLASH: Final = replace(IDLE, table="clash1", title="Clash 1")
JACK: Final = replace(IDLE, table="jack1", title="Blackjack 1")


@pytest.mark.parametrize("room", ["hands", "dealer", "display"])
def test_the_pages_of_a_demos_table_lead_to_those_of_the_others(room: str) -> None:
    visitor = Demo(IDLE, CLASH, JACK).visitor("dora")
    led = set(re.findall(rf'href="/{room}/([^"/]+)"', visitor.page(f"/{room}/knights1")))
    assert led == {"clash1", "jack1"}
    for table in led:
        assert visitor.status(f"/{room}/{table}") == 200


@pytest.mark.parametrize("room", ["dealer", "display"])
def test_without_the_demo_and_with_one_table_a_page_leads_to_no_other(room: str) -> None:
    alone = Demo(IDLE).visitor("dora").page(f"/{room}/knights1")
    real = Visitor(app_over(FakeFloor(IDLE, CLASH)), "dora").page(f"/{room}/knights1")
    assert "tour" not in alone
    assert f"/{room}/clash1" not in real
