"""The code beside the PIN: typed at the sign-in, set up there by whoever must have one, and changed by who is in.

    POST /sign-in/code      the code, after badge and PIN were right; whoever enrols gets his recovery codes
    GET  /second-factor     what the person signed in has
    POST /second-factor     `act` begin: with the PIN, another secret; confirm: its first code

Secret and recovery codes stand on one page each, which no cache keeps, and are not shown again.
"""

from __future__ import annotations

from flask import Blueprint, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import SIGN_IN_CODE, local_path, needs, signed_in
from dealer_ui.access.typed_pin import retry_later, who_acts
from dealer_ui.desk.second_factor import CodeTaken
from dealer_ui.frame.console import Console, enter_as, led_on, told_away
from dealer_ui.pages.door.sign_in import chosen_language, code_page, speak
from studio.errors import RefusedError


def routes(console: Console) -> Blueprint:
    found = Blueprint("second_factor", __name__)

    @found.post(SIGN_IN_CODE)
    def enter() -> Response:
        token, target = request.form.get("half", ""), local_path(request.form.get("next"))
        chosen, second = chosen_language(request.form.get("language")), console.house.staff.second
        try:
            half = second.look(token)
        except RefusedError as error:
            refused = console.language().refusal(error)
            return console.plain("sign_in.html", 401, next=target, badge="", refused=refused, chosen=chosen)
        try:
            taken = second.enter(token, request.form.get("code", ""))
        except RefusedError as error:
            told_away(console, error, console.house.staff.register.people[half.id].badge)
            page = code_page(console, token, target, chosen, console.language().refusal(error), 401)
            return retry_later(page, error)
        speak(console, taken.actor.id, chosen)
        target = led_on(console, taken.actor, target)
        return enter_as(console, taken.actor, taken.station, target, _codes(console, taken, target))

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
                if second.look(token).id != signed_in().id:
                    raise RefusedError("halfway_over", "That was begun by somebody else. Begin again with your PIN.")
                return _codes(console, second.enter(token, request.form.get("code", "")), "/") or _own(console)
            token = second.begin(who_acts(console.house, request.form), signed_in().station)
        except RefusedError as error:
            refused = console.language().refusal(error)
            if error.key == "code_wrong_enrolling":
                return code_page(console, token, "/", "", refused, 409)
            return retry_later(_own(console, refused), error)
        return code_page(console, token, "/", "")

    return found


def _own(console: Console, refused: str = "") -> Response:
    person = console.house.staff.register.people[signed_in().id]
    return console.plain("door/factor.html", 409 if refused else 200, person=person, refused=refused)


def _codes(console: Console, taken: CodeTaken, target: str) -> Response | None:
    """The page of the new recovery codes; None where none were made."""
    if not taken.recovery:
        return None
    return console.plain("door/recovery.html", codes=taken.recovery, next=target)
