"""The pages of a correction: what is wrong, what that changes, and the second person's yes.

/pit/<table>/round/<round>/correct   the form; sent, it shows what would change; sent again with a PIN, it asks
/pit/<table>/correction              what was asked, with the same figures; another person approves or declines
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs
from dealer_ui.access.typed_pin import who_acts
from dealer_ui.floor.house import House
from dealer_ui.frame.command_door import field_at_fault
from dealer_ui.frame.console import Console
from dealer_ui.frame.incident_way import REASONS
from dealer_ui.frame.screen import Asked, Screen
from dealer_ui.pages.pit.correction_card import changed, evidence, lying
from dealer_ui.pages.pit.correction_form import WantedCorrection, read_wanted
from dealer_ui.pages.pit.correction_pot import pot_lines
from dealer_ui.pages.pit.ended import last_correction
from dealer_ui.pages.pit.second_person import SecondPerson
from dealer_ui.past.change import ChangeWords
from dealer_ui.past.entry import may_look, need_place, not_here
from dealer_ui.words.language import Language
from studio.cards import DECK
from studio.errors import RefusedError
from studio.people import REQUEST_VALID_MS, Actor
from studio.settlement import correcting
from studio.tables import command as c
from studio.tables.config import TableConfig
from studio.tables.correction.finished_round import read_dossier
from studio.tables.correction.preview import OtherWay, WeighedCorrection, other_ways, weigh
from studio.tables.event.situation import CardOut, CardReads, HandsRead, Reading, ReadingPart
from studio.tables.past.dossier import Dossier
from studio.views.shape import CorrectionView

SHOWN: Final = 300
"""So many differences stand one by one; the sums above them are of all."""

CARDS: Final = tuple((str(card), card.sign) for card in reversed(DECK))


def routes(console: Console) -> Blueprint:
    found = Blueprint("correction", __name__)

    @found.route("/pit/<table>/round/<round>/correct", methods=["GET", "POST"])
    @needs("ask_two_people")
    def correct(table: str, round: str) -> Response:
        need_place(console, table, "resettle_round")
        try:
            dossier = _dossier(console.house, table, round)
        except RefusedError as error:
            return not_here(console, error)
        refused, fault, weighed, wanted = "", "", None, WantedCorrection()
        ways: tuple[OtherWay, ...] = ()
        if request.method == "POST":
            try:
                wanted = read_wanted(request.form, dossier.game)
                weighed = weigh(dossier, wanted.facts, void=wanted.void, pays=wanted.pays)
                if request.form.get("ask"):
                    _ask(console, dossier, wanted)
                    return redirect(f"/pit/{table}/correction", 303)
            except RefusedError as error:
                refused, fault = console.language().refusal(error), field_at_fault(error, request.form)
                ways = other_ways(dossier, wanted.facts) if error.key == "misfit" else ()
        shown = _form(console, dossier, wanted, refused, weighed)
        return console.plain("correction/form.html", 409 if refused else 200, **shown, ways=ways, fault=fault)

    SECOND.add_to(found, console)
    return found


def _dossier(house: House, table: str, round: str) -> Dossier:
    view = house.view(table)
    config = TableConfig(key=table, title=view.title, game=view.game.key, currency=view.bets.currency)
    return read_dossier(house.reader(), config, round)


def _ask(console: Console, dossier: Dossier, wanted: WantedCorrection) -> None:
    console.house.command(
        dossier.table,
        c.AskCorrection(
            actor=who_acts(console.house, request.form),
            dossier=dossier,
            facts=wanted.facts,
            void=wanted.void,
            pays=wanted.pays,
            digest=request.form.get("digest", ""),
            evidence=evidence(console.house.reader(), dossier, wanted.facts),
            reason_code=request.form.get("reason_code", ""),
            words=request.form.get("words", ""),
        ),
    )


def _form(
    console: Console, dossier: Dossier, wanted: WantedCorrection, refused: str, weighed: WeighedCorrection | None
) -> Mapping[str, Any]:
    return {
        "view": console.house.view(dossier.table),
        "round": dossier.round.id,
        "number": dossier.round.number,
        "cards": lying(console.house.reader(), dossier),
        "faces": CARDS,
        "boxes": tuple(dossier.game.felt.zones),
        "hands": _hands(dossier),
        "paying": tuple(dossier.game.payment.paid_though_void),
        "places": [(box, place) for box, most in dossier.game.felt.zones.items() for place in range(1, most + 1)],
        "wanted": wanted,
        "weighed": weighed,
        "refused": refused,
        "shown": weighed.differences[:SHOWN] if weighed else (),
        "currency": dossier.currency,
        "shorts": _shorts(console.house, dossier, weighed) if weighed else (),
        "pot": pot_lines(console.language(), console.house.reader(), dossier, weighed) if weighed else (),
        "reasons": REASONS,
        "typed": request.form,
        "results": _results(weighed) if weighed else (),
        "revision": dossier.revision,
        "said": spoken(console.language(), weighed.readings) if weighed else None,
    }


def _hands(dossier: Dossier) -> Sequence[str]:
    """The boxes whose hands can be void by themselves: those bet on, in a game that deals to boxes."""
    return dossier.game.owned.boxes_of([bet.bet for bet in dossier.bets]) if dossier.game.owned else ()


def _shorts(house: House, dossier: Dossier, weighed: WeighedCorrection) -> tuple[Any, ...]:
    """The sums that purses could not cover if the correction were made now; they are found anew when money moves."""
    reader, policies = house.reader(), {name: one.policy for name, one in house.config.operators.items()}
    return correcting(weighed.differences, dossier.purse, weighed.revision, policies, reader.balance)[1]


def spoken(language: Language, readings: tuple[Reading, Reading]) -> tuple[str, str]:
    """A change as a screen says it: places, cards and states in the reader's words."""
    before, after = (", ".join(_part(language, part) for part in reading) for reading in readings)
    return before, after


def _part(language: Language, part: ReadingPart) -> str:
    say = language.say
    match part:
        case CardReads(slot=(box, place), face=face):
            return f"{say('felt.spoken', box=box, place=place)} {face.sign if face else say('coded.change.sealed')}"
        case CardOut(slot=(box, place)):
            return f"{say('felt.spoken', box=box, place=place)} {say('correction.taken_out')}"
        case HandsRead(a=a, b=b, exchanged=exchanged):
            stands = say("correction.hands_exchanged" if exchanged else "correction.hands_recorded")
            return f"{language.name('box', a)}, {language.name('box', b)} {stands}"
    stage = say("stage.voided" if part.void else "stage.settled")
    if part.pays:
        return f"{stage} · {say('correction.pays.' + part.pays)}"
    return f"{language.name('box', part.box)} {stage}".strip()


def _results(weighed: WeighedCorrection) -> list[tuple[str, str, str]]:
    """Of each hand how it stood and how it shall stand."""

    def of(outcome: Mapping[str, Any], box: str) -> str:
        hand = outcome.get(box)
        return str(hand.get("result", "")) if isinstance(hand, Mapping) else "void"

    boxes = [box for box, hand in weighed.before.items() if isinstance(hand, Mapping) and "result" in hand]
    return [(box, of(weighed.before, box), of(weighed.after, box)) for box in boxes]


def draw(asked: Asked) -> tuple[int, Mapping[str, Any]]:
    """The correction that waits at this table, with all that it would move; when none waits, how the last one ended."""
    view, here = asked.house.view(asked.table), may_look(asked)
    waits = view.aftermath.correction if here else None
    return view.seq, {
        "view": view,
        "waits": waits,
        "last": last_correction(asked.house, asked.table) if here and waits is None else None,
        "asked_s": REQUEST_VALID_MS // 1_000,
        **(_shown(asked, waits) if waits else {}),
    }


SCREEN: Final = Screen("correction", ("view_pit", "ask_two_people"), draw)


def _shown(asked: Asked, waits: CorrectionView) -> Mapping[str, Any]:
    """What the second person agrees to: changes to bets, pot and cards. `weighed` is None and no figure is shown when
    the correction no longer fits the round.
    """
    reader = asked.house.reader()
    try:
        dossier = _dossier(asked.house, asked.table, waits.round)
        weighed = weigh(dossier, waits.facts, void=waits.void, pays=waits.pays)
    except RefusedError:
        record = ChangeWords(asked.language)
        return {"weighed": None, "cards": (), "said": tuple(map(record.say, waits.said))}
    return {
        "weighed": weighed,
        "said": spoken(asked.language, weighed.readings),
        "shown": weighed.differences[:SHOWN],
        "results": _results(weighed),
        "currency": dossier.currency,
        "shorts": _shorts(asked.house, dossier, weighed),
        "pot": pot_lines(asked.language, reader, dossier, weighed),
        "cards": changed(lying(reader, dossier), waits.facts),
    }


def _yes(house: House, table: str, asked: CorrectionView, actor: Actor) -> c.ApproveCorrection:
    dossier = _dossier(house, table, asked.round)
    return c.ApproveCorrection(actor=actor, correction=asked.id, dossier=dossier, id=f"{asked.id}-yes")


SECOND: Final = SecondPerson(
    screen=SCREEN,
    field="correction",
    right="approve_two_people",
    waits=lambda view: view.aftermath.correction,
    approve=_yes,
    decline=lambda id, actor: c.DeclineCorrection(actor=actor, correction=id),
)
