"""Puts together the tellers: those of operators' own wallets, and those who tell operators of their rounds."""

from __future__ import annotations

import time
import uuid
from pathlib import Path

import msgspec

from dealer_ui.assembly.on_wire import leads
from dealer_ui.config.file import StudioConfig
from dealer_ui.config.operator import WebhookSection
from dealer_ui.config.shape import WalletSection
from dealer_ui.floor.floor import Floor
from dealer_ui.past.told_round import tell_round
from dealer_ui.process.secret import peppers_beside
from dealer_ui.process.shared_secret import read_secret
from dealer_ui.teller.asking import AskingTerms
from dealer_ui.teller.caller import Caller
from dealer_ui.teller.desk import WalletDesk
from dealer_ui.teller.round_desk import RoundDesk
from dealer_ui.teller.round_teller import RoundTeller, RoundTellers
from dealer_ui.teller.session import WalletSessions
from dealer_ui.teller.session_wallet import SessionWallet
from dealer_ui.teller.shared_session import SharedSessions
from dealer_ui.teller.teller import Teller
from dealer_ui.teller.tellers import Tellers, need_empty_purses, need_known_wallets, taken_away
from dealer_ui.wallets.dialect import HttpWallet
from dealer_ui.wallets.wallet_file import dialect_of
from dealer_ui.wallets.webhook import Sign, Webhook, signing_as_studio, signing_with
from dealer_ui.wire.host_end import ASKED_THREADS
from studio.care.signing import Signer
from studio.errors import InvariantError
from studio.journal import Reader
from studio.journal.extract.round_end import end_of
from studio.wallets.notice import RoundNotice
from studio.wallets.port import Wallet

REQUESTS_PART = 3
"""A wallet that hangs holds at most one in so many of the server's threads."""


def tellers_of(
    config: StudioConfig, floor: Floor, reader: Reader, database: Path, signer: Signer, home: Path
) -> Tellers:
    """A teller for each operator with a wallet; `BadInputError` where one cannot be had as it is written. `home`: the
    path beside which the secrets of the whole studio lie.
    """
    sections = {name: one.wallet for name, one in config.operators.items() if one.wallet is not None}
    gone = taken_away(reader, sections) if leads(config) else ()
    if not leads(config):
        need_known_wallets(reader, sections)
    for operator in sections:
        need_empty_purses(reader, operator)
    kept = sessions_of(config, floor, database, home) if sections else None
    tellers = Tellers(kept, round_tellers_of(config, floor, signer) if leads(config) else None)
    for operator in gone:
        tellers.leave(operator, floor.now_ms(), floor.commit)
    for operator, section in sections.items():
        tellers.add(teller_of(operator, section, _wallet(section), floor, tellers.sessions))
    return tellers


def sessions_of(config: StudioConfig, floor: Floor, database: Path, home: Path) -> WalletSessions:
    """Over one record every host knows every session, whichever host the bettor was launched at."""
    if config.cluster is None or not config.cluster.postgres:
        return WalletSessions(database.with_name(f"{database.name}.sessions"), floor.now_ms())
    from studio.journal.postgres.wallet_session_rows import WalletSessionRows  # only where its driver is wanted

    rows = WalletSessionRows(config.cluster.postgres)
    shared = SharedSessions(rows, lambda: peppers_beside(home).newest_first, time.monotonic)
    shared.begin(floor.now_ms())
    return shared


def teller_of(operator: str, section: WalletSection, wallet: Wallet, floor: Floor, sessions: WalletSessions) -> Teller:
    """A teller who asks this wallet."""
    threads = floor.config.server.threads
    if floor.config.cluster is not None:
        threads = min(threads, ASKED_THREADS)
    most = max(8, threads // REQUESTS_PART)
    terms = AskingTerms(wait_s=section.wait_s, grace_s=section.grace_s, requests_most=most)
    opened = SessionWallet(operator, wallet, sessions)
    caller = Caller(operator, opened, time.monotonic)
    caller.use_clock(floor.now_ms)
    desk = WalletDesk(operator, floor.now_ms)
    return Teller(caller, desk, opened, floor.now_ms, floor.reader, terms)


def _wallet(section: WalletSection) -> HttpWallet:
    from dealer_ui.wallets.line import WalletLine  # only who calls an operator needs the library that does

    line = WalletLine(section.address, lines=section.lines)
    return HttpWallet(dialect_of(section.dialect, Path(section.key_file)), line, lambda: str(uuid.uuid4()))


def round_tellers_of(config: StudioConfig, floor: Floor, signer: Signer) -> RoundTellers:
    """One for each operator with an address; `BadInputError` where its secret cannot be had."""
    tellers = RoundTellers(floor.commit, floor.now_ms)
    for operator, section in config.operators.items():
        if section.webhook is not None:
            tellers.add(_teller(operator, section.webhook, floor, signer, tellers))
    return tellers


def _teller(operator: str, section: WebhookSection, floor: Floor, signer: Signer, tellers: RoundTellers) -> RoundTeller:
    from dealer_ui.wallets.line import WalletLine  # only who calls an operator needs the library that does

    def write(notice: RoundNotice) -> bytes:
        reader = floor.reader()
        end = end_of(reader, operator, notice.round, notice.generation)
        if end is None:
            raise InvariantError(f"The round {notice.id} is owed to {operator} and has no end.")
        return msgspec.json.encode(tell_round(reader, operator, end))

    hook = Webhook(WalletLine(section.address, lines=section.lines), _sign(section, signer), write, floor.now_ms)
    caller = Caller(operator, hook, time.monotonic)
    caller.use_clock(floor.now_ms)
    desk = RoundDesk(operator, floor.commit, floor.now_ms, tellers.keep)
    return RoundTeller(caller, desk, floor.now_ms, floor.reader, section.wait_s)


def _sign(section: WebhookSection, signer: Signer) -> Sign:
    secrets = [read_secret(Path(file)) for file in section.key_files]
    return signing_with(*secrets) if secrets else signing_as_studio(signer.signatures)
