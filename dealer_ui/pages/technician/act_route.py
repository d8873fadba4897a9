"""What a technician does to a device from its page; each answers with JSON.

    POST /technician/<table>/<role>/test        → 200 {"passed", "findings": [{"state", "sentence"}]}
    POST /technician/<table>/<role>/order       {"order", "value", "reason", "id"}   → 200 {"seq"}
    POST /technician/<table>/<role>/record      {"on": true}   → 200 {"recording"}
    POST /technician/<table>/<role>/replay      {"text"}       → 200 {"readings": [[ms, words]]}
    POST /technician/<table>/camera/markers                    → 200 {"corners"}
    POST /technician/<table>/camera/propose     {"corners"}    → 200 {"outlines", "warnings", "card_px", "error_px"}
    POST /technician/<table>/camera/save        {"corners"}    → 200 the same

Whatever cannot be done is 409 {"refused": sentence}. A test and a calibration are kept in the journal, with the person.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from flask import Blueprint, make_response, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs, signed_in
from dealer_ui.frame.console import Console
from dealer_ui.pages.technician.device_route import camera_of, device_of, line_of
from dealer_ui.past.coded import said_by_device
from dealer_ui.words.language import Language
from studio.diagnosis import CalibrationProposal, Finding, Point
from studio.errors import RefusedError
from studio.ports import HostCommand
from studio.tables.command import ServiceDevice

CORNERS: Final = 4
REASON_CHARACTERS_MAX: Final = 400
PASSING: Final = frozenset({"good", "skipped", "poor"})

Sent = Mapping[str, Any]
Answer = Mapping[str, Any]


def routes(console: Console) -> Blueprint:
    found = Blueprint("technician_act", __name__)
    _device_routes(found, console)
    _camera_routes(found, console)
    return found


def _device_routes(found: Blueprint, console: Console) -> None:
    house = console.house

    @found.post("/technician/<table>/<role>/test")
    @needs("manage_devices")
    def test(table: str, role: str) -> Response:
        return _answered(console, lambda _: _tested(console, table, role))

    @found.post("/technician/<table>/<role>/order")
    @needs("command_device")
    def order(table: str, role: str) -> Response:
        device = device_of(house, table, role).id

        def act(sent: Sent) -> Answer:
            reason = str(sent.get("reason", "")).strip()[:REASON_CHARACTERS_MAX]
            if not reason:
                raise RefusedError("order_reason", "Say why in a few words: order and reason are kept.")
            asked = HostCommand(str(sent.get("order", "")), _number(sent.get("value")))
            by = house.staff.actor(signed_in().id)
            return {"seq": house.order(device, asked, by=by, reason=reason, id=str(sent.get("id", ""))[:64])}

        return _answered(console, act)

    @found.post("/technician/<table>/<role>/record")
    @needs("manage_devices")
    def record(table: str, role: str) -> Response:
        tape = line_of(house, table, role).tape

        def act(sent: Sent) -> Answer:
            if sent.get("on"):
                tape.start(house.now_ms())
                _keep(console, table, role, "recording")
            else:
                tape.stop()
            return {"recording": tape.running}

        return _answered(console, act)

    @found.post("/technician/<table>/<role>/replay")
    @needs("manage_devices")
    def replay(table: str, role: str) -> Response:
        device = device_of(house, table, role).id
        return _answered(console, lambda sent: {"readings": house.bench.replay(device, str(sent.get("text", "")))})


def _camera_routes(found: Blueprint, console: Console) -> None:
    house = console.house

    @found.post("/technician/<table>/camera/markers")
    @needs("manage_devices")
    def markers(table: str) -> Response:
        return _answered(console, lambda _: {"corners": camera_of(house, table).marked()})

    @found.post("/technician/<table>/camera/propose")
    @needs("manage_devices")
    def propose(table: str) -> Response:
        return _answered(console, lambda sent: _plain(camera_of(house, table).propose(_corners(sent))))

    @found.post("/technician/<table>/camera/save")
    @needs("manage_devices")
    def save(table: str) -> Response:
        def act(sent: Sent) -> Answer:
            if house.view(table).round.stage not in ("", "settled"):
                sentence = "A round is open: finish it, then calibrate, or its cards would lie in other places."
                raise RefusedError("calibrating_in_round", sentence)
            proposal = camera_of(house, table).calibrate(_corners(sent))
            _keep(console, table, "camera", "calibration", proposal.warnings, passed=not proposal.warnings)
            return _plain(proposal)

        return _answered(console, act)


def _answered(console: Console, act: Callable[[Sent], Answer]) -> Response:
    sent = request.get_json(silent=True)
    try:
        return make_response(dict(act(sent if isinstance(sent, dict) else {})))
    except RefusedError as error:
        return make_response({"refused": console.language().refusal(error), "key": error.key}, 409)


def _keep(
    console: Console, table: str, role: str, service: str, findings: Sequence[str] = (), *, passed: bool = True
) -> None:
    """Into the journal, with the person's name."""
    house = console.house
    actor, device = house.staff.actor(signed_in().id), device_of(house, table, role).id
    kept = ServiceDevice(actor=actor, device=device, service=service, passed=passed, findings=tuple(findings))
    house.command(table, kept)


def _tested(console: Console, table: str, role: str) -> Answer:
    """Test the device; the record keeps the English sentences, the page gets its own."""
    house, language = console.house, console.language()
    device = device_of(house, table, role).id
    ask = _asker(console, device) if signed_in().may("command_device") else None
    found = house.bench.test(device, house.now_ms(), ask)
    passed = all(one.state in PASSING for one in found)
    english = console.languages.speak("en")
    _keep(console, table, role, "self_test", [_say(english, one) for one in found], passed=passed)
    return {
        "passed": passed,
        "findings": [{"state": one.state, "sentence": _say(language, one)} for one in found],
    }


def _say(language: Language, finding: Finding) -> str:
    """A rung's finding is said in the ladder's words, and what a device says of itself in the same language."""
    key = f"test.{finding.key}"
    values = {name: said_by_device(language, str(value)) or value for name, value in finding.values.items()}
    return language.say(key if language.knows(key) else f"ladder.{finding.key}", **values)


def _asker(console: Console, device: str) -> Callable[[str], None]:
    def ask(name: str) -> None:
        by = console.house.staff.actor(signed_in().id)
        console.house.order(device, HostCommand(name), by=by, reason="self-test")

    return ask


def _number(value: object) -> int:
    text = str(value or "0").strip()
    if not text.isdecimal() or len(text) > len("99"):
        raise RefusedError("not_a_number", "Write the code as a whole number, as the device shows it.")
    return int(text)


def _corners(sent: Mapping[str, Any]) -> tuple[Point, ...]:
    """Four corners as fractions of the picture; a little outside of it is allowed."""
    told = sent.get("corners")
    try:
        points = tuple((float(x), float(y)) for x, y in told or ())
    except (TypeError, ValueError, OverflowError):
        points = ()
    if len(points) != CORNERS or not all(-1 <= value <= 2 for point in points for value in point):
        raise RefusedError("corners_wrong", "Set the four corners of the felt, one after the other.")
    return points


def _plain(proposal: CalibrationProposal) -> Answer:
    return {
        "corners": proposal.corners,
        "outlines": [{"zone": one.zone, "place": one.place, "points": one.points} for one in proposal.outlines],
        "warnings": proposal.warnings,
        "card_px": round(proposal.card_px),
        "error_px": None if proposal.error_px is None else round(proposal.error_px, 1),
    }
