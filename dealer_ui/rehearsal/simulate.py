"""`studio simulate`: a simulated night from a seed, checked after each round."""

from __future__ import annotations

import json as jsonlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from dealer_ui.process.log import quiet_logs
from dealer_ui.rehearsal.check.night import Checker
from dealer_ui.rehearsal.night import Night, NightOptions, OwnWallet
from dealer_ui.rehearsal.operator.setting_up import DIALECTS
from dealer_ui.rehearsal.side_by_side import Breach, NightTally, at_once, together
from dealer_ui.rehearsal.trick.mischief import Mischief
from dealer_ui.rehearsal.trick.plan import PLANS
from devices.sim.wire.shoe_voice import SHOES
from studio.cli.drawn_table import print_table
from studio.errors import BadInputError
from studio.games import GAMES, find_game
from studio.tables.state.round import Stage

if TYPE_CHECKING:
    from dealer_ui.rehearsal.check.frame import FrameCheck

STUCK_MS: Final = 600_000
"""No round takes so long, whatever goes wrong in it: the table is stuck."""


WALLET_FAULTS: Final = 0.15
"""The share of calls to a simulated wallet in which something is wrong, where anything is."""


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """What is simulated; the same plan gives the same journal."""

    game: str
    rounds: int
    seed: int
    faults: str = "none"
    frames: int = 0
    """Every so many rounds the felt is rendered and read for real; never when 0."""
    shoe: str = "angel_eye"
    wallet: str = ""
    """The dialect of the operator's own wallet, if he has one."""
    rules: tuple[tuple[str, str], ...] = ()
    """House options, by name."""

    @property
    def command(self) -> str:
        """The one command that repeats it."""
        told = f"studio simulate --game {self.game} --rounds {self.rounds} --seed {self.seed} --faults {self.faults}"
        told += f" --frames {self.frames}" if self.frames else ""
        told += f" --wallet {self.wallet}" if self.wallet else ""
        told += "".join(f" --rule {name}={value}" for name, value in self.rules)
        return told if self.shoe == "angel_eye" else f"{told} --shoe {self.shoe}"


@dataclass(frozen=True, slots=True)
class SimulationReport:
    """How a night went."""

    plan: SimulationPlan
    checker: Checker
    mischief: Mischief
    cards_read: int = 0
    cards_unsure: int = 0
    """Of the frames read for real."""
    wallet_done: Mapping[str, int] = field(default_factory=dict)
    """How often each fault of the operator's wallet came."""

    @property
    def wallet_faults(self) -> int:
        return sum(self.wallet_done.values())

    @property
    def tally(self) -> NightTally:
        checker, plan = self.checker, self.plan
        return NightTally(
            game=plan.game,
            settled=checker.settled,
            voided=checker.voided,
            incidents=dict(checker.incidents),
            violations=tuple(Breach(one.sentence, plan.seed, one.round, plan.command) for one in checker.violations),
            digest=checker.digest,
            cards_read=self.cards_read,
            cards_unsure=self.cards_unsure,
            wallet_done=self.wallet_done,
        )


def play_night(plan: SimulationPlan, on_round: Callable[[int], None] = lambda rounds: None) -> SimulationReport:
    """Play rounds until so many are over, or until the table is stuck."""
    whim = 0.3 if plan.faults != "none" else 0.0
    wallet = OwnWallet(plan.wallet, 0.0 if plan.faults == "none" else WALLET_FAULTS) if plan.wallet else None
    night = Night(NightOptions(plan.game, plan.seed, whim=whim, shoe=plan.shoe, wallet=wallet, rules=dict(plan.rules)))
    checker = Checker(night)
    faults = PLANS[plan.faults]
    mischief = Mischief(night, faults.tricks_of(plan.game, plan.shoe), faults.rate)
    camera = _Camera(plan, night, checker)
    over_at_ms = night.now_ms
    try:
        while checker.rounds < plan.rounds:
            night.step()
            mischief.step(night.now_ms)
            camera.step()
            if checker.watch():
                over_at_ms = night.now_ms
                on_round(checker.rounds)
            elif night.now_ms - over_at_ms > STUCK_MS:
                checker.stuck(night.now_ms - over_at_ms)
                break
        checker.look()
        checker.compare(night.state)
        checker.end()
        if night.state.game.peers is not None or plan.wallet:
            checker.verify()
    finally:
        night.close()
    return SimulationReport(
        plan, checker, mischief, *camera.counts, dict(night.wallet.line.done) if night.wallet else {}
    )


def tally_of(plan: SimulationPlan) -> NightTally:
    """What the night of that plan comes to, in a process of its own."""
    quiet_logs()
    return play_night(plan).tally


def split(plan: SimulationPlan, jobs: int) -> tuple[SimulationPlan, ...]:
    """The nights that make up so many rounds together: seeds one after the other, no night without a round."""
    nights = min(jobs, plan.rounds)
    whole, more = divmod(plan.rounds, nights)
    return tuple(replace(plan, seed=plan.seed + at, rounds=whole + (at < more)) for at in range(nights))


class _Camera:
    """Looks at the felt when the result of every so many rounds stands; loads nothing where that is not wanted."""

    def __init__(self, plan: SimulationPlan, night: Night, checker: Checker) -> None:
        self._every = plan.frames
        self._night = night
        self._checker = checker
        self._check: FrameCheck | None = None
        self._seen = ""

    @property
    def counts(self) -> tuple[int, int]:
        return (self._check.read, self._check.unsure) if self._check else (0, 0)

    def step(self) -> None:
        round = self._night.state.round
        if not self._every or round is None or round.stage is not Stage.SETTLING or round.id == self._seen:
            return
        self._seen = round.id
        if round.number % self._every:
            return
        if self._check is None:
            from dealer_ui.rehearsal.check.frame import FrameCheck

            self._check = FrameCheck(self._night)
        for sentence in self._check.look():
            self._checker.wrong(sentence)


@click.command("simulate")
@click.option("--game", required=True, metavar="KEY", help=f"One of: {', '.join(game.key for game in GAMES)}.")
@click.option("--rounds", type=click.IntRange(min=1), default=100, show_default=True, help="Until so many are over.")
@click.option("--seed", type=int, default=1, show_default=True, help="Equal seeds give equal nights.")
@click.option(
    "--faults", type=click.Choice(tuple(PLANS)), default="none", show_default=True, help="How much goes wrong."
)
@click.option(
    "--frames", type=click.IntRange(min=0), default=0, metavar="K", help="Render and read every K-th round for real."
)
@click.option("--shoe", type=click.Choice(tuple(SHOES)), default="angel_eye", show_default=True, help="Its protocol.")
@click.option("--wallet", type=click.Choice(DIALECTS), default=None, help="The operator keeps his bettors' money.")
@click.option("--rule", "rules", multiple=True, metavar="NAME=VALUE", help="A house option, such as squeeze=on.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    metavar="N",
    help="As many nights at once, each a part of the rounds in a process of its own: SEED, SEED + 1, …",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line, each at once.")
@click.pass_context
def simulate(  # noqa: PLR0913 - one option each
    ctx: click.Context, game: str, rounds: int, seed: int, faults: str, frames: int, shoe: str, wallet: str | None,
    rules: tuple[str, ...], jobs: int, as_json: bool,
) -> None:  # fmt: skip
    """Play simulated rounds from a seed and check everything after each of them.

    The codecs, drivers and supervisors, the table, the journal and the ledger are the real ones; machines, cards,
    camera and people are simulated, with faults if wanted. The exit code is 1 when anything was not as it must be.
    Equal seeds, rounds and jobs give an equal digest, on however many cores; each night by itself is repeated by its
    own seed.
    """
    try:
        plan = SimulationPlan(
            find_game(game).key, rounds, seed, faults, frames, shoe, wallet or "", _rules(game, rules)
        )
    except BadInputError as error:
        raise click.ClickException(str(error)) from None
    quiet_logs()
    began_s = time.monotonic()
    try:
        tally = _watched(plan, jobs)
    except BadInputError as error:
        raise click.ClickException(str(error)) from None
    seconds = time.monotonic() - began_s
    _print_violations(tally, as_json=as_json)
    if as_json:
        click.echo(jsonlib.dumps(tally.plain(seconds)))
    else:
        _print_tables(plan, tally, seconds)
    ctx.exit(1 if tally.violations else 0)


def _rules(game: str, told: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The house options by name; `BadInputError` where the game has not one of them."""
    rules = tuple((name, value) for name, _, value in (one.partition("=") for one in told))
    find_game(game).options.check(dict(rules))
    return rules


def _watched(plan: SimulationPlan, jobs: int) -> NightTally:
    """Simulate, with a bar on the error stream where a person watches it."""
    people = Console(stderr=True)
    with Progress(console=people, disable=not people.is_terminal, transient=True) as progress:
        task = progress.add_task("Playing", total=plan.rounds)
        if jobs == 1:
            return play_night(plan, lambda rounds: progress.update(task, completed=rounds)).tally
        nights = []
        for night in at_once(tally_of, split(plan, jobs)):
            nights.append(night)
            progress.advance(task, night.rounds)
        return together(nights)


def _print_violations(tally: NightTally, *, as_json: bool) -> None:
    for wrong in tally.violations:
        told = {"violation": wrong.sentence, "seed": wrong.seed, "round": wrong.round}
        if as_json:
            click.echo(jsonlib.dumps({**told, "repeat": wrong.repeat}))
        else:
            click.echo(f"Seed {wrong.seed}, round {wrong.round}: {wrong.sentence}\n  {wrong.repeat}")


def _print_tables(plan: SimulationPlan, tally: NightTally, seconds: float) -> None:
    incidents = Table("incident", "row", title="Incidents", title_justify="left")
    incidents.add_column("times", justify="right")
    for (kind, row), times in sorted(tally.incidents.items()):
        incidents.add_row(kind, row, str(times))
    if tally.incidents:
        print_table(incidents)
    said = tally.plain(seconds)
    if plan.frames:
        click.echo(f"{tally.cards_read} cards read from frames, unsure of {tally.cards_unsure}")
    if plan.wallet:
        told = ", ".join(f"{name} {times}" for name, times in sorted(tally.wallet_done.items())) or "none"
        click.echo(f"faults of the operator's wallet: {told}")
    click.echo(
        f"{said['rounds']} rounds of {said['game']}: {said['settled']} settled, {said['voided']} voided, "
        f"{said['incidents']} incidents, {said['violations']} violations, {seconds:.1f} s\ndigest {said['digest']}"
    )
