"""Measures bets taken through operators' wallets by a whole studio: how many, how much later, and beside a dead one."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from typing import Final

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from bench.figure import Figure
from bench.quick_wallet import answering
from bench.serving_studio import TABLE, Spoken, hands_at, studio_config, with_window
from bench.table import DEALER
from bench.wallet_calls import AT_ONCE, BATCH, LINES, ask_together, ask_wallet, debit_of, quick_wallet
from bench.wallet_calls import batches as debit_batches
from dealer_ui.assembly.bootstrap import Studio, StudioParts, build_studio
from dealer_ui.config.shape import WalletSection
from dealer_ui.floor.bet_offer import BetOffer
from dealer_ui.rehearsal.demo.staff import give_papers
from studio.cards import Sealer
from studio.errors import RefusedError
from studio.games import holdem_bonus
from studio.people import Pin
from studio.people.staffing import NewStaff
from studio.tables import command as c
from studio.tables.config import TableConfig

BETTORS: Final = 500
ANSWERED_MS: Final = 20
NEVER_MS: Final = 3_600_000
ONE_BY_ONE: Final = 300
BESIDE_S: Final = 6.0
BETTING: Final = 3
"""So many of each operator's bettors at once, each with a pause between two bets."""
PAUSE_S: Final = 0.02
ADDED_MS_MOST: Final = 5.0
PER_S_LEAST: Final = 5_000.0
WINDOW_S: Final = 3_600


def measure() -> Sequence[Figure]:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return [*_together(key), _added(key), *_beside_a_dead_one(key)]


def _together(key: rsa.RSAPrivateKey) -> Iterator[Figure]:
    """Bets of 500 bettors through the RSA dialect, in batches as an operator sends them; then the same calls alone."""
    batches = BETTORS // BATCH * 8
    with answering(ANSWERED_MS) as port, _studio(key, {"north": port}) as bench, ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda _: bench.bet("north", BATCH), range(AT_ONCE)))  # warm: the connections stand
        took_s = _timed_s(lambda: list(pool.map(lambda _: bench.bet("north", BATCH), range(batches))))
    with (
        answering(ANSWERED_MS) as port, closing(quick_wallet(key, port, LINES)) as wallet,
        ThreadPoolExecutor(AT_ONCE) as pool,
    ):  # fmt: skip
        ask = ask_together(wallet)
        list(pool.map(ask, debit_batches(AT_ONCE * BATCH)))
        calls = list(debit_batches(batches * BATCH))
        bare_s = _timed_s(lambda: list(pool.map(ask, calls)))
    per_s = batches * BATCH / took_s
    yield Figure(
        name=f"bets of {BETTORS} bettors through a wallet that answers in {ANSWERED_MS} ms", value=per_s, unit="bets/s",
        raw=batches * BATCH / bare_s, raw_name="the calls alone", target=f"{PER_S_LEAST:,.0f} and more is the goal",
        holds=None if per_s < PER_S_LEAST else True,
    )  # fmt: skip


def _added(key: rsa.RSAPrivateKey) -> Figure:
    """One bet after the other; the wallet answers at once, and its call alone takes turns with the bet."""
    house, bare = [], []
    with (
        answering(0) as port, _studio(key, {"north": port}) as bench, closing(quick_wallet(key, port, 1)) as wallet,
    ):  # fmt: skip
        bench.bet("north", 1)
        for number in range(ONE_BY_ONE):
            house.append(_timed_s(lambda: bench.bet("north", 1)))
            call = debit_of(number)
            bare.append(_timed_s(lambda: ask_wallet(wallet, call)))  # noqa: B023 - called at once
    added_ms = (median(house) - median(bare)) * 1e3
    return Figure(
        name="one bet through a wallet, median", value=median(house) * 1e3, unit="ms", raw=median(bare) * 1e3,
        raw_name="its call alone", target=f"at most {ADDED_MS_MOST:.0f} ms more", holds=added_ms <= ADDED_MS_MOST,
    )  # fmt: skip


def _beside_a_dead_one(key: rsa.RSAPrivateKey) -> Iterator[Figure]:
    """How long bets of two operators and a dealer's acts take while a third's wallet is dead, and while it is well."""
    well, dead = _beside(key, ANSWERED_MS), _beside(key, NEVER_MS)
    for name, after_s, before_s in (
        ("bets of two operators, p99", _p99(dead.bets), _p99(well.bets)),
        ("a dealer's act, p99", _p99(dead.acts), _p99(well.acts)),
        ("betting closed", dead.closed_s, well.closed_s),
    ):
        yield Figure(
            name=f"{name}, beside a third whose wallet is dead", value=after_s * 1e3, unit="ms", raw=before_s * 1e3,
            raw_name="beside one that is well",
        )  # fmt: skip


def _beside(key: rsa.RSAPrivateKey, third_ms: int) -> _Times:
    with (
        answering(ANSWERED_MS) as well, answering(third_ms) as third,
        _studio(key, {"north": well, "east": well, "west": third}) as bench,
    ):  # fmt: skip
        for operator in ("north", "east"):
            bench.bet(operator, 1)
        return bench.played_on("west")


@dataclass(slots=True)
class _Times:
    """Seconds."""

    bets: list[float] = field(default_factory=list)
    acts: list[float] = field(default_factory=list)
    of_the_third: list[float] = field(default_factory=list)
    closed_s: float = 0.0


class _Bench:
    """A studio with bets open at its table."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._ids = count()

    def bet(self, operator: str, many: int) -> None:
        offers = [
            BetOffer(f"c{number}", f"b{number % BETTORS}", "ante", 100)
            for number in (next(self._ids) for _ in range(many))
        ]
        answers = self._studio.floor.place_bets(TABLE, operator, offers)
        assert all(answer.status == "accepted" for answer in answers), answers[0]

    def try_to_bet(self, operator: str) -> None:
        with suppress(RefusedError, AssertionError):
            self.bet(operator, 1)

    def played_on(self, third: str) -> _Times:
        """North and east bet, and the third does, while the dealer acts; then he closes, and they still wait."""
        over, times, worker = threading.Event(), _Times(), self._studio.workers[0]

        def keep(act: Callable[[], object], told: list[float]) -> None:
            while not over.wait(PAUSE_S):
                try:
                    told.append(_timed_s(act))
                except AssertionError:
                    if not over.is_set():
                        raise

        def close() -> None:
            worker.ask(lambda: worker.runtime.handle(c.CloseBetting(actor=DEALER), self._studio.clock.now_ms()))

        with ThreadPoolExecutor(3 * BETTING + 1) as pool:
            begun = [
                pool.submit(keep, partial(self.bet, operator, 1), times.bets)
                for operator in ("north", "east")
                for _ in range(BETTING)
            ]
            begun += [pool.submit(keep, partial(self.try_to_bet, third), times.of_the_third) for _ in range(BETTING)]
            begun.append(pool.submit(keep, lambda: worker.ask(lambda: worker.runtime.seq), times.acts))
            over.wait(BESIDE_S)
            over.set()
            times.closed_s = _timed_s(close)
            for one in begun:
                one.result()
        return times


@contextmanager
def _studio(key: rsa.RSAPrivateKey, ports: Mapping[str, int]) -> Iterator[_Bench]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "studio.rsa").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        studio = _built(folder, ports)
        studio.start()
        stack.callback(studio.stop)
        studio.floor.staff.add(NewStaff("d1", "1001", "Dana", ("dealer",), Pin("4826")))
        give_papers(studio.floor.staff, "d1")
        for operator in ports:
            for number in range(BETTORS):
                studio.floor.launch(TABLE, operator, f"b{number}", f"session-{number}", None)
        hands = hands_at(studio)
        hands.open()
        hands.start_round()
        yield _Bench(studio)


def _built(folder: Path, ports: Mapping[str, int]) -> Studio:
    holdem_bonus.WINDOW_S = WINDOW_S  # type: ignore[misc]
    plain = with_window(studio_config(folder, game=holdem_bonus.HOLDEM_BONUS.key), WINDOW_S)
    wallets = {
        operator: WalletSection.model_validate(
            {"dialect": "rsa", "address": f"http://127.0.0.1:{port}", "key_file": str(folder / "studio.rsa"),
             "lines": LINES}
        )
        for operator, port in ports.items()
    }  # fmt: skip
    config = plain.model_copy(update={
        "operators": {name: plain.operators[name].model_copy(update={"wallet": one}) for name, one in wallets.items()},
        "server": plain.server.model_copy(update={"threads": 64}),
    })  # fmt: skip
    spoken = {id: Spoken(id) for id in ("shoe", "shuffler", "camera")}

    def devices_of(table: TableConfig, sealer: Sealer, evidence: object) -> Sequence[Spoken]:
        return list(spoken.values())

    return build_studio(config, folder / "studio.db", StudioParts(devices_of, quick_pins=True))


def _p99(seconds: Sequence[float]) -> float:
    return sorted(seconds)[int(len(seconds) * 0.99)]


def _timed_s(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
