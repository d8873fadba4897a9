"""What is asked after badge and PIN: a second factor, and a PIN of his own of who came with a one-time code.

    POST /sign-in/code      the code, after badge and PIN were right; whoever enrols gets his recovery codes
    POST /sign-in/passkey   what the browser answered for a passkey, or for a new one
    POST /sign-in/pin       twice the PIN somebody has chosen, after his one-time code was right
    GET  /second-factor     what the person signed in has
    POST /second-factor     `act` begin: with the PIN, and what he `wants`; confirm, passkey: a code or a passkey

Secret and recovery codes stand on one page each, which no cache keeps, and are not shown again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import SIGN_IN_CODE, SIGN_IN_PASSKEY, SIGN_IN_PIN, local_path, needs, signed_in
from dealer_ui.access.typed_pin import retry_later, who_acts
from dealer_ui.desk.halfway import CodeNeededError, DoorStep, OwnPinNeededError
from dealer_ui.desk.second_factor import CodeTaken
from dealer_ui.frame.console import Console, enter_as, led_on, told_away
from dealer_ui.pages.door.factor_page import factor_page, party_here
from dealer_ui.pages.door.sign_in import chosen_language, first_pin_page, speak
from studio.errors import RefusedError

_SHOWN: Final = ("confirm", "passkey")
_TRY_AGAIN: Final = frozenset({
    "code_wrong", "code_wrong_enrolling", "passkey_none", "passkey_wrong", "passkey_wrong_enrolling", "passkey_copied",
    "passkey_name", "passkey_known",
})  # fmt: skip
"""What may be tried again from the page where it was refused."""


def routes(console: Console) -> Blueprint:
    found = Blueprint("second_factor", __name__)
    _at_the_door(found, console)

    @found.get("/second-factor")
    @needs()
    def own() -> Response:
        return _own(console)

    @found.post("/second-factor")
    @needs()
    def change() -> Response:
        try:
            if request.form.get("act") in _SHOWN:
                return _codes(console, _shown_at_work(console), "/second-factor") or redirect("/second-factor", 303)
            actor, wants = who_acts(console.house, request.form), request.form.get("wants", "code")
            token = console.house.staff.second.begin(actor, signed_in().station, wants)
            return factor_page(console, token, "/", "")
        except CodeNeededError as error:
            return factor_page(console, error.token, "/", "")
        except RefusedError as error:
            refused = console.language().refusal(error)
            with suppress(RefusedError):
                if error.key in _TRY_AGAIN:
                    return factor_page(console, _asked_again(console), "/", "", refused, 409)
            return retry_later(_own(console, refused), error)

    return found


def _shown_at_work(console: Console) -> CodeTaken:
    """A factor shown, or set up, by whoever is signed in here."""
    second, form = console.house.staff.second, request.form
    token = form.get("half", "")
    half = second.look(token, DoorStep.OWN, DoorStep.SHOW)
    if half.id != signed_in().id:
        raise RefusedError("halfway_over", "That was begun by somebody else. Begin again with your PIN.")
    if form.get("act") == "passkey":
        return second.show(token, form.get("answer", ""), name=form.get("name", ""), step=half.step)
    return second.enter(token, form.get("code", ""), half.step)


def _asked_again(console: Console) -> str:
    return console.house.staff.second.asked_again(request.form.get("half", ""), DoorStep.OWN, DoorStep.SHOW)


def _at_the_door(found: Blueprint, console: Console) -> None:
    @found.post(SIGN_IN_CODE)
    def enter() -> Response:
        return _show(console, lambda token: console.house.staff.second.enter(token, request.form.get("code", "")))

    @found.post(SIGN_IN_PASSKEY)
    def show() -> Response:
        answer, name = request.form.get("answer", ""), request.form.get("name", "")
        return _show(console, lambda token: console.house.staff.second.show(token, answer, name=name))

    @found.post(SIGN_IN_PIN)
    def choose() -> Response:
        token, target, chosen = _carried()
        second, form = console.house.staff.second, request.form
        try:
            second.look(token, DoorStep.PIN)
        except RefusedError as error:
            return _begin_again(console, error)
        try:
            return _come_in(console, second.choose(token, form.get("new_pin", ""), form.get("new_pin_again", "")))
        except CodeNeededError as error:
            return factor_page(console, error.token, target, chosen)
        except RefusedError as error:
            return first_pin_page(console, token, target, chosen, console.language().refusal(error), 409)


def _show(console: Console, shown: Callable[[str], CodeTaken]) -> Response:
    """Somebody shows a factor at the door: in, or the page that he sees next."""
    token, target, chosen = _carried()
    second = console.house.staff.second
    try:
        half = second.look(token, DoorStep.CODE)
    except RefusedError as error:
        return _begin_again(console, error)
    try:
        taken = shown(token)
    except OwnPinNeededError as error:
        return first_pin_page(console, error.token, target, chosen)
    except CodeNeededError as error:
        return factor_page(console, error.token, target, chosen)
    except RefusedError as error:
        told_away(console, error, console.house.staff.register.people[half.id].badge)
        try:
            again = second.asked_again(token, DoorStep.CODE)
        except RefusedError as over:
            return _begin_again(console, over)
        page = factor_page(console, again, target, chosen, console.language().refusal(error), 401)
        return retry_later(page, error)
    return _come_in(console, taken)


def _carried() -> tuple[str, str, str]:
    """What goes from page to page at the door: where he stands, where he wants to go, the language he chose."""
    form = request.form
    return form.get("half", ""), local_path(form.get("next")), chosen_language(form.get("language"))


def _begin_again(console: Console, error: RefusedError) -> Response:
    _, target, chosen = _carried()
    refused = console.language().refusal(error)
    return console.plain("sign_in.html", 401, next=target, badge="", refused=refused, chosen=chosen)


def _come_in(console: Console, taken: CodeTaken) -> Response:
    """Past the recovery codes, where there are new ones."""
    _, target, chosen = _carried()
    speak(console, taken.actor.id, chosen)
    target = led_on(console, taken.actor, target)
    return enter_as(console, taken.actor, taken.station, target, _codes(console, taken, target))


def _own(console: Console, refused: str = "") -> Response:
    second, person = console.house.staff.second, console.house.staff.register.people[signed_in().id]
    return console.plain(
        "door/factor.html", 409 if refused else 200, person=person, refused=refused,
        counts_code=second.rule.counts_code(person), here=party_here(second.party) is not None,
        address=second.party.origin if second.party is not None else "",
    )  # fmt: skip


def _codes(console: Console, taken: CodeTaken, target: str) -> Response | None:
    """The page of the new recovery codes; None where none were made."""
    if not taken.recovery:
        return None
    return console.plain("door/recovery.html", codes=taken.recovery, next=target)
