"""Turns a form of the hands' page into something the hands do.

act     deal · draw · lay · turn · flash · square · swap · take · drop · discard · beside · move · hand
        clear · put_right · mistake · break · mend
card    what is meant: `card.<serial>`, `fallen.<n>`, or `shoe` for the next card of the shoe
with    the other card of a swap
to      a place: `player1.2`        spot   or a spot of the felt: `0.41,0.66`
face    up · down                   reader over · past · unread
what    which mistake, or which fault of which machine
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from dealer_ui.rehearsal.hand.deal_order import order_of_deal
from dealer_ui.rehearsal.own_hands.breakage import Breakage
from dealer_ui.rehearsal.own_hands.hands import Hands, ReaderWay
from dealer_ui.rehearsal.own_hands.mistake import make_mistake
from dealer_ui.rehearsal.own_hands.reach import DISCARD, Point
from dealer_ui.rehearsal.own_hands.sleight import flash, swap
from studio.errors import RefusedError
from studio.ports import CardFace
from studio.spoken import Slot

Form = Mapping[str, str]
SHOE: Final = "shoe"


def do(hands: Hands, breakage: Breakage, form: Form, *, auto: bool = False) -> None:
    """Do it, or refuse with one plain sentence. In `auto` only machines are touched: the simulated dealer deals."""
    name = form.get("act", "")
    if name == "break":
        breakage.toggle(form.get("what", ""))
    elif name == "mend":
        breakage.mend_everything()
    elif auto:
        raise RefusedError("hands_auto", "The simulated dealer deals here. Start the demo without --auto to deal.")
    elif name == "mistake":
        make_mistake(hands, form.get("what", ""))
    elif name in _ACTS:
        _ACTS[name](hands, form)
    else:
        raise _unreadable()


def _draw(hands: Hands, form: Form) -> None:
    face = CardFace(form["face"]) if form.get("face") in ("up", "down") else None
    reader = ReaderWay(form["reader"]) if form.get("reader") in tuple(ReaderWay) else ReaderWay.OVER
    if form.get("spot"):
        hands.draw_beside(_spot(form), face or CardFace.UP)
    else:
        hands.draw(_slot(form), face, reader)


def _lay(hands: Hands, form: Form) -> None:
    """The next card to the next bare place, whether one is due or not."""
    order = order_of_deal(hands.view())
    bare = next((slot for slot in order if not hands.rig.felt.count(*slot)), DISCARD)
    to = hands.owed.place() or bare
    _draw(hands, {**form, "to": f"{to[0]}.{to[1]}"})


def _beside(hands: Hands, form: Form) -> None:
    hands.move_beside(form.get("card", ""), _spot(form) if form.get("spot") else None)


def _move(hands: Hands, form: Form) -> None:
    if form.get("card") == SHOE:
        _draw(hands, form)
    elif form.get("spot"):
        _beside(hands, form)
    else:
        hands.move(form.get("card", ""), _slot(form))


def _slot(form: Form) -> Slot:
    zone, _, place = form.get("to", "").rpartition(".")
    if not zone or not place.isascii() or not place.isdigit() or len(place) > 2:
        raise _unreadable()
    return zone, int(place)


def _spot(form: Form) -> Point:
    try:
        x, y = (float(part) for part in form.get("spot", "").split(","))
    except ValueError:
        raise _unreadable() from None
    if not (0.05 <= x <= 0.95 and 0.09 <= y <= 0.91):
        raise RefusedError("hands_off_felt", "That is no spot of the felt: lay the card a little further in.")
    return x, y


def _unreadable() -> RefusedError:
    return RefusedError("hands_unknown", "Your hands do not know how to do that. Load the page again.")


_ACTS: Final[Mapping[str, Callable[[Hands, Form], None]]] = {
    "deal": lambda hands, form: hands.deal(),
    "draw": _draw,
    "lay": _lay,
    "move": _move,
    "beside": _beside,
    "turn": lambda hands, form: hands.turn(form.get("card", "")),
    "flash": lambda hands, form: flash(hands, form.get("card", "")),
    "swap": lambda hands, form: swap(hands, form.get("card", ""), form.get("with", "")),
    "take": lambda hands, form: hands.reach.take_away(form.get("card", "")),
    "square": lambda hands, form: hands.square(form.get("card", "")),
    "drop": lambda hands, form: hands.drop(form.get("card", "")),
    "discard": lambda hands, form: hands.move(form.get("card", ""), DISCARD),
    "hand": lambda hands, form: hands.toggle_hand(_slot(form)),
    "clear": lambda hands, form: hands.clear(),
    "put_right": lambda hands, form: hands.put_right(),
}
