"""Measures calls to an operator's wallet, beside the signature alone and beside bare POSTs."""

from __future__ import annotations

import socket
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from statistics import median
from typing import Final

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256

from bench.figure import Figure
from bench.quick_wallet import answering
from dealer_ui.teller.caller import Caller
from dealer_ui.wallets.dialect import HttpWallet
from dealer_ui.wallets.line import WalletLine
from dealer_ui.wallets.rsa_dialect import KEY_BITS_LEAST, RsaDialect
from studio.wallets.answer import Word
from studio.wallets.call import Call, Debit
from studio.wallets.port import answer

WRITINGS: Final = 500
ONE_BY_ONE: Final = 500
BETTORS: Final = 500
BATCH: Final = 50
AT_ONCE: Final = 8
"""So many requests of the operator wait at a time."""
LINES: Final = 128
ANSWERED_MS: Final = 20
WAIT_S: Final = 60.0
ADDED_MS_MOST: Final = 5.0
PER_S_LEAST: Final = 5_000.0


def measure() -> Sequence[Figure]:
    key = rsa.generate_private_key(public_exponent=65537, key_size=KEY_BITS_LEAST)
    return [_written(key), _added(key), _together(key)]


def _written(key: rsa.RSAPrivateKey) -> Figure:
    dialect, debit = RsaDialect(key), debit_of(0)
    request = dialect.write(debit, "q")
    assert request is not None
    house = [_timed_s(lambda: dialect.write(debit, "q")) for _ in range(WRITINGS)]
    bare = [_timed_s(lambda: key.sign(request.body, PKCS1v15(), SHA256())) for _ in range(WRITINGS)]
    return Figure(
        name="write and sign one debit (RSA)", value=median(house) * 1e6, unit="µs", raw=median(bare) * 1e6,
        raw_name="signature alone",
    )  # fmt: skip


def _added(key: rsa.RSAPrivateKey) -> Figure:
    """One debit after the other, of a wallet that answers at once; house and bare socket take turns."""
    house, bare = [], []
    with answering(0) as port, closing(quick_wallet(key, port, 1)) as wallet, closing(_Bare(key, port)) as raw:
        for number in range(ONE_BY_ONE):
            debit = debit_of(number)
            house.append(_timed_s(lambda: ask_wallet(wallet, debit)))  # noqa: B023 - called at once
            bare.append(_timed_s(raw.ask))
    added_ms = (median(house) - median(bare)) * 1e3
    return Figure(
        name="one debit, median", value=median(house) * 1e3, unit="ms", raw=median(bare) * 1e3,
        raw_name="bare socket, same bytes", target=f"at most {ADDED_MS_MOST:.0f} ms more",
        holds=added_ms <= ADDED_MS_MOST,
    )  # fmt: skip


def _together(key: rsa.RSAPrivateKey) -> Figure:
    """A debit of each bettor at once. What bounds it on two cores is said beside it: the signatures alone, on one."""
    with (
        answering(ANSWERED_MS) as port,
        closing(quick_wallet(key, port, LINES)) as wallet,
        ThreadPoolExecutor(AT_ONCE) as pool,
    ):
        ask = ask_together(wallet)
        list(pool.map(ask, batches(BETTORS)))  # warm: the connections stand
        debits = list(batches(4 * BETTORS))
        took_s = _timed_s(lambda: list(pool.map(ask, debits)))
    signing_s = median(_timed_s(lambda: key.sign(b"x" * 200, PKCS1v15(), SHA256())) for _ in range(WRITINGS))
    per_s = 4 * BETTORS / took_s
    return Figure(
        name=f"debits of {BETTORS} bettors, answered in {ANSWERED_MS} ms", value=per_s, unit="debits/s",
        raw=1 / signing_s, raw_name="signatures on one core", target=f"{PER_S_LEAST:,.0f} and more is the goal",
        holds=None if per_s < PER_S_LEAST else True,
    )  # fmt: skip


class _Bare:
    """The same bytes over one kept socket, without a library."""

    def __init__(self, key: rsa.RSAPrivateKey, port: int) -> None:
        request = RsaDialect(key).write(debit_of(0), "q")
        assert request is not None
        lines = [f"POST /{request.path} HTTP/1.1", "Host: x", f"Content-Length: {len(request.body)}"]
        lines += [f"{name}: {value}" for name, value in request.headers]
        self._bytes = "\r\n".join(lines).encode() + b"\r\n\r\n" + request.body
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self) -> None:
        self._socket.sendall(self._bytes)
        assert self._socket.recv(4096).endswith(b"}")

    def close(self) -> None:
        self._socket.close()


def quick_wallet(key: rsa.RSAPrivateKey, port: int, lines: int) -> HttpWallet:
    return HttpWallet(RsaDialect(key), WalletLine(f"http://127.0.0.1:{port}", lines=lines), lambda: str(uuid.uuid4()))


_ids: Final = count()


def debit_of(number: int) -> Debit:
    return Debit(
        bettor=f"b{number}", session="s", currency="EUR", game="three_knights", id=f"d-{next(_ids)}", round="t1-1",
        amount_minor=100,
    )  # fmt: skip


def ask_wallet(wallet: HttpWallet, debit: Debit) -> None:
    said = answer(wallet, debit, WAIT_S)
    assert said.word is Word.OK, said


def batches(debits: int) -> Iterator[Sequence[Debit]]:
    """As an operator's requests bring them."""
    return (tuple(debit_of(first + at) for at in range(BATCH)) for first in range(0, debits, BATCH))


def ask_together(wallet: HttpWallet) -> Callable[[Sequence[Debit]], None]:
    caller: Caller[Call] = Caller("north", wallet, time.monotonic)

    def ask(debits: Sequence[Debit]) -> None:
        for said in caller.ask_all(debits, WAIT_S):
            assert said.word is Word.OK, said

    return ask


def _timed_s(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
