"""What is asked after badge and PIN: the code beside the PIN, and a PIN of his own of who came with a one-time code.

    POST /sign-in/code      the code, after badge and PIN were right; whoever enrols gets his recovery codes
    POST /sign-in/pin       twice the PIN somebody has chosen, after his one-time code was right
    GET  /second-factor     what the person signed in has
    POST /second-factor     `act` begin: with the PIN, another secret; confirm: its first code

Secret and recovery codes stand on one page each, which no cache keeps, and are not shown again.
"""

from __future__ import annotations

from flask import Blueprint, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import SIGN_IN_CODE, SIGN_IN_PIN, local_path, needs, signed_in
from dealer_ui.access.typed_pin import retry_later, who_acts
from dealer_ui.desk.halfway import CodeNeededError, DoorStep, OwnPinNeededError
from dealer_ui.desk.second_factor import CodeTaken
from dealer_ui.frame.console import Console, enter_as, led_on, told_away
from dealer_ui.pages.door.sign_in import chosen_language, code_page, first_pin_page, speak
from studio.errors import RefusedError


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
        second, token = console.house.staff.second, request.form.get("half", "")
        try:
            if request.form.get("act") == "confirm":
                if second.look(token, DoorStep.OWN).id != signed_in().id:
                    raise RefusedError("halfway_over", "That was begun by somebody else. Begin again with your PIN.")
                taken = second.enter(token, request.form.get("code", ""), DoorStep.OWN)
                return _codes(console, taken, "/") or _own(console)
            token = second.begin(who_acts(console.house, request.form), signed_in().station)
        except RefusedError as error:
            refused = console.language().refusal(error)
            if error.key == "code_wrong_enrolling":
                return code_page(console, token, "/", "", refused, 409)
            return retry_later(_own(console, refused), error)
        return code_page(console, token, "/", "")

    return found


def _at_the_door(found: Blueprint, console: Console) -> None:
    @found.post(SIGN_IN_CODE)
    def enter() -> Response:
        token, target, chosen = _carried()
        second = console.house.staff.second
        try:
            half = second.look(token, DoorStep.CODE)
        except RefusedError as error:
            return _begin_again(console, error)
        try:
            taken = second.enter(token, request.form.get("code", ""))
        except OwnPinNeededError as error:
            return first_pin_page(console, error.token, target, chosen)
        except RefusedError as error:
            told_away(console, error, console.house.staff.register.people[half.id].badge)
            page = code_page(console, token, target, chosen, console.language().refusal(error), 401)
            return retry_later(page, error)
        return _come_in(console, taken)

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
            return code_page(console, error.token, target, chosen)
        except RefusedError as error:
            return first_pin_page(console, token, target, chosen, console.language().refusal(error), 409)


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
    person = console.house.staff.register.people[signed_in().id]
    return console.plain("door/factor.html", 409 if refused else 200, person=person, refused=refused)


def _codes(console: Console, taken: CodeTaken, target: str) -> Response | None:
    """The page of the new recovery codes; None where none were made."""
    if not taken.recovery:
        return None
    return console.plain("door/recovery.html", codes=taken.recovery, next=target)
