"""The page of the second factor: a passkey first where one can be had here, and a code where it counts."""

from __future__ import annotations

import segno
from flask import request
from markupsafe import Markup
from werkzeug.wrappers import Response

from dealer_ui.desk.halfway import DoorStep, Halfway
from dealer_ui.desk.relying_party import RelyingParty
from dealer_ui.frame.console import Console
from studio.people.passkey import usable
from studio.people.second_factor import TotpSecret
from studio.people.staff import Staff


def factor_page(
    console: Console, token: str, target: str, chosen: str, refused: str = "", status: int = 200
) -> Response:
    """Where a factor is shown, or a new one set up; whoever has none yet sees there what his device has to know."""
    second = console.house.staff.second
    half = second.look(token, DoorStep.CODE, DoorStep.OWN, DoorStep.SHOW)
    person = console.house.staff.register.people[half.id]
    if half.enrols:
        by_code = half.wants != "passkey" and second.rule.counts_code(person)
        by_passkey = half.wants != "code"
    else:
        by_code, by_passkey = second.rule.takes_code(person), bool(usable(person.passkeys.values()))
    party = party_here(second.party)
    return console.plain(
        "door/code.html", status, half=token, next=target, chosen=chosen, refused=refused, signs_in=half.signs_in,
        enrols=half.enrols, by_code=by_code, qr=_qr(console, half.secret, person) if by_code else None,
        secret=half.secret.typed() if half.secret is not None else "",
        asked=_asked(party, half, person) if party is not None and by_passkey else "",
        elsewhere=by_passkey and party is None and not (half.enrols and by_code),
        copied=not by_code and not by_passkey,
        address=second.party.origin if second.party is not None else "", number=len(person.passkeys) + 1,
        typed="code" in request.form,
    )  # fmt: skip


def party_here(party: RelyingParty | None) -> RelyingParty | None:
    """Where the browser that asks can have a passkey of ours; None where it came by another address."""
    return party if party is not None and f"{request.scheme}://{request.host}" == party.origin else None


def _asked(party: RelyingParty, half: Halfway, person: Staff) -> str:
    return party.to_make(person, half.challenge) if half.enrols else party.to_show(person, half.challenge)


def _qr(console: Console, secret: TotpSecret | None, person: Staff) -> Markup | None:
    if secret is None:
        return None
    code = segno.make(secret.address(console.title, person.name), error="m", micro=False)
    return Markup(code.svg_inline(scale=5, border=3, dark="#000", light="#fff", omitsize=True))  # noqa: S704 - our own
