"""Puts together the tellers of the operators who keep their bettors' money themselves."""

from __future__ import annotations

import time
import uuid
from pathlib import Path

from dealer_ui.config.file import StudioConfig
from dealer_ui.config.shape import WalletSection
from dealer_ui.floor.floor import Floor
from dealer_ui.teller.asking import Terms
from dealer_ui.teller.caller import Caller
from dealer_ui.teller.desk import WalletDesk
from dealer_ui.teller.session import Sessions
from dealer_ui.teller.teller import Teller
from dealer_ui.teller.tellers import Tellers, need_empty_purses, taken_away
from dealer_ui.wallets.http_wallet import HttpWallet
from dealer_ui.wallets.wallet_file import dialect_of
from studio.journal import Reader
from studio.wallets.port import Wallet

REQUESTS_PART = 3
"""A wallet that hangs holds at most one in so many of the server's threads."""


def tellers_of(config: StudioConfig, floor: Floor, reader: Reader, database: Path) -> Tellers:
    """A teller for each operator with a wallet; `BadInputError` where one cannot be had as it is written."""
    sections = {name: one.wallet for name, one in config.operators.items() if one.wallet is not None}
    gone = taken_away(reader, sections)
    for operator in sections:
        need_empty_purses(reader, operator)
    kept = Sessions(database.with_name(f"{database.name}.sessions"), floor.now_ms()) if sections else None
    tellers = Tellers(kept)
    for operator in gone:
        tellers.leave(operator, floor.now_ms(), floor.commit)
    for operator, section in sections.items():
        tellers.add(teller_of(operator, section, _wallet(section), floor, tellers.sessions))
    return tellers


def teller_of(operator: str, section: WalletSection, wallet: Wallet, floor: Floor, sessions: Sessions) -> Teller:
    """A teller who asks this wallet."""
    most = max(8, floor.config.server.threads // REQUESTS_PART)
    terms = Terms(wait_s=section.wait_s, grace_s=section.grace_s, requests_most=most)
    caller = Caller(operator, wallet, sessions, time.monotonic, lines=section.lines)
    caller.use_clock(floor.now_ms)
    desk = WalletDesk(operator, floor.commit, floor.now_ms)
    return Teller(caller, desk, sessions, floor.now_ms, floor.reader, terms)


def _wallet(section: WalletSection) -> HttpWallet:
    from dealer_ui.wallets.line import Line  # only who calls an operator needs the library that does

    line = Line(section.address, lines=section.lines)
    return HttpWallet(dialect_of(section.dialect, Path(section.key_file)), line, lambda: str(uuid.uuid4()))
