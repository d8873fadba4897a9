"""`studio wallet check`: is an operator's wallet what it has to be?"""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import msgspec

from dealer_ui.wallets.conformance import Faulty, Found, Trial, check
from dealer_ui.wallets.dialect import Request
from dealer_ui.wallets.reply import NoReply
from dealer_ui.wallets.wallet_file import dialect_of, forged_dialect, open_wallet, read_wallet
from studio.errors import BadInputError

SWITCH_S: Final = 10.0
_SAID: Final = {True: "held", False: "NOT HELD", None: "not tried"}


@click.command("check")
@click.option("--operator", required=True, help="Whose wallet: his part of the file.")
@click.option("--config", "path", required=True, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@click.option("--wait", "wait_s", default=3.0, type=click.FloatRange(0.1, 60), help="Seconds one answer may take.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def check_command(operator: str, path: Path, wait_s: float, as_json: bool) -> None:
    """Hold an operator's wallet to the list: ids, repeats, cancels, refusals, faults. Exit 1 where something failed.

    It moves small sums of the bettor named under [OPERATOR.trial] and puts them back, as far as the wallet lets it.
    """
    with contextlib.ExitStack() as held:
        trial = _trial(path, operator, wait_s, held)
        found = list(_told(check(trial), as_json))
    if not as_json:
        _say_sum(found)
    if any(one.held is False for one in found):
        raise SystemExit(1)


def _trial(path: Path, operator: str, wait_s: float, held: contextlib.ExitStack) -> Trial:
    section = read_wallet(path, operator)
    if section.trial is None:
        raise BadInputError(f"Name a bettor to try it with, under [{operator}.trial].", where=str(path))
    who = section.trial
    dialect = dialect_of(section.dialect, Path(section.key_file))
    wallet = held.enter_context(contextlib.closing(open_wallet(section, dialect)))
    forged = held.enter_context(contextlib.closing(open_wallet(section, forged_dialect(section))))
    named = {"bettor": who.bettor, "session": who.session, "currency": who.currency, "game": who.game}
    return Trial(
        wallet, forged, named, who.amount_minor, lambda: str(uuid.uuid4()), wait_s, wait_s, who.expired_session,
        _faults(who.control, held) if who.control else None, f"trial-{uuid.uuid4().hex[:8]}",
    )  # fmt: skip


def _faults(control: str, held: contextlib.ExitStack) -> Faulty:
    """The switch of a simulated operator's faults, at the address he names for it."""
    from dealer_ui.wallets.line import Line

    line = held.enter_context(contextlib.closing(Line(control)))

    def switch(act: str, fault: str) -> None:
        request = Request("", msgspec.json.encode({act: [fault]}), (("Content-Type", "application/json"),))
        reply = line.send(request, SWITCH_S)
        if isinstance(reply, NoReply) or reply.status != 200:
            raise BadInputError(f"Nobody switches '{fault}' there: is it a simulated operator?", where=control)

    @contextlib.contextmanager
    def faulty(fault: str) -> Iterator[None]:
        switch("on", fault)
        try:
            yield
        finally:
            switch("off", fault)

    return faulty


def _told(found: Iterator[Found], as_json: bool) -> Iterator[Found]:
    """A line each, as soon as it is known."""
    for one in found:
        if as_json:
            click.echo(msgspec.json.encode({"clause": one.key, "held": one.held, "why": one.why}))
        else:
            click.echo(f"{_SAID[one.held]:<11}{one.key:<40}{one.why}".rstrip())
        yield one


def _say_sum(found: list[Found]) -> None:
    count = {said: sum(_SAID[one.held] == said for one in found) for said in _SAID.values()}
    click.echo(f"{count['held']} held, {count['NOT HELD']} did not hold, {count['not tried']} were not tried.")
