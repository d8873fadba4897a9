"""The verbs of `studio wallet`: an operator's wallet tried, and one simulated."""

from __future__ import annotations

import contextlib
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import msgspec

from dealer_ui.rehearsal.operator.fault import FAULTS, Faults
from dealer_ui.rehearsal.operator.server import OperatorServer
from dealer_ui.rehearsal.operator.setting_up import DIALECTS, OPERATOR, WALLET_FILE, open_operator
from dealer_ui.wallets.conformance import TrialFinding, check
from dealer_ui.wallets.dialect import NoReply, Request
from dealer_ui.wallets.wallet_file import dialect_of, forged_dialect, open_wallet, read_wallet
from dealer_ui.wallets.wallet_trial import Faulty, WalletTrial
from studio.errors import BadInputError

SWITCH_S: Final = 10.0
_SAID: Final = {True: "held", False: "NOT HELD", None: "not tried"}


@click.command("operator")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER")
@click.option("--dialect", required=True, type=click.Choice(DIALECTS), help="How he is spoken to.")
@click.option("--port", default=0, type=click.IntRange(0, 65535), help="Where he answers; 0: wherever there is room.")
@click.option("--fault", "on", multiple=True, type=click.Choice(list(FAULTS)), help="On from the start; repeatable.")
@click.option("--slow", "slow_s", default=2.9, type=click.FloatRange(min=0.0), help="Seconds the fault 'slow' takes.")
@click.option(
    "--welcome", "welcome_minor", default=0, type=click.IntRange(min=0),
    help="Whoever is new has an account with so much, in minor units; 0: nobody is taken in.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def operator_command(  # noqa: PLR0913 - one parameter an option
    folder: Path, dialect: str, port: int, on: tuple[str, ...], slow_s: float, welcome_minor: int, as_json: bool
) -> None:
    """Simulate an operator's wallet over HTTP, with balances of its own in FOLDER, for this machine alone.

    FOLDER/wallet.toml is then what `studio wallet check --operator north` takes. Faults are switched while it runs:
    curl -d '{"on": ["half"]}' ADDRESS/control
    """
    faults = Faults(slow_s)
    faults.switch(on)
    server = _opened(folder, dialect, faults, port)
    server.till.welcome_minor = welcome_minor
    told = {"address": server.address, "operator": OPERATOR, "config": str(folder / WALLET_FILE)}
    click.echo(msgspec.json.encode(told) if as_json else f"{OPERATOR} answers at {told['address']}: {told['config']}")
    sys.stdout.flush()
    with contextlib.closing(server.till), contextlib.closing(faults), server:
        server.serve_forever()


def _opened(folder: Path, dialect: str, faults: Faults, port: int) -> OperatorServer:
    try:
        return open_operator(folder, dialect, faults, port)
    except OSError as error:
        raise click.ClickException(
            f"No operator can be set up in {folder} on port {port}: {error.strerror}. Choose another folder or port."
        ) from None


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


def _trial(path: Path, operator: str, wait_s: float, held: contextlib.ExitStack) -> WalletTrial:
    section = read_wallet(path, operator)
    if section.trial is None:
        raise BadInputError(f"Name a bettor to try it with, under [{operator}.trial].", where=str(path))
    who = section.trial
    dialect = dialect_of(section.dialect, Path(section.key_file))
    wallet = held.enter_context(contextlib.closing(open_wallet(section, dialect)))
    forged = held.enter_context(contextlib.closing(open_wallet(section, forged_dialect(section))))
    named = {"bettor": who.bettor, "session": who.session, "currency": who.currency, "game": who.game}
    return WalletTrial(
        wallet, forged, named, who.amount_minor, lambda: str(uuid.uuid4()), wait_s, wait_s, who.expired_session,
        _faults(who.control, held) if who.control else None, f"trial-{uuid.uuid4().hex[:8]}", who.free_bet,
    )  # fmt: skip


def _faults(control: str, held: contextlib.ExitStack) -> Faulty:
    """The switch of a simulated operator's faults, at the address he names for it."""
    from dealer_ui.wallets.line import WalletLine

    line = held.enter_context(contextlib.closing(WalletLine(control)))

    def switch(act: str, fault: str) -> None:
        request = Request("", msgspec.json.encode({act: [fault]}), (("Content-Type", "application/json"),))
        reply = line.reply(request, SWITCH_S)
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


def _told(found: Iterator[TrialFinding], as_json: bool) -> Iterator[TrialFinding]:
    """A line each, as soon as it is known."""
    for one in found:
        if as_json:
            click.echo(msgspec.json.encode({"clause": one.key, "held": one.held, "why": one.why}))
        else:
            click.echo(f"{_SAID[one.held]:<11}{one.key:<40}{one.why}".rstrip())
        yield one


def _say_sum(found: list[TrialFinding]) -> None:
    count = {said: sum(_SAID[one.held] == said for one in found) for said in _SAID.values()}
    click.echo(f"{count['held']} held, {count['NOT HELD']} did not hold, {count['not tried']} were not tried.")


wallet: Final = click.Group(
    "wallet", {"check": check_command, "operator": operator_command}, help="Try operators' own wallets."
)
