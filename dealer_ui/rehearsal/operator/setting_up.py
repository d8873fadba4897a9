"""Makes a simulated operator's folder: his database, the key they share, and the wallet's file.

The file is what `studio wallet check` reads; with it the operator is tried as any other.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from dealer_ui.rehearsal.operator.fault import Faults
from dealer_ui.rehearsal.operator.server import CONTROL, OperatorServer
from dealer_ui.rehearsal.operator.till import Till
from dealer_ui.rehearsal.operator.voice import HmacVoice, OperatorVoice, RsaVoice

DIALECTS: Final = ("rsa", "hmac")
WALLET_FILE: Final = "wallet.toml"
OPERATOR: Final = "north"
BETTOR: Final = "trial-1"
SESSION: Final = "session-open"
EXPIRED: Final = "session-over"
FREE_BET: Final = "trial-grant"
BALANCE_MINOR: Final = 1_000_000


def open_operator(folder: Path, dialect: str, faults: Faults, port: int = 0) -> OperatorServer:
    """An operator with one bettor, who has what he had before; his wallet's file says where he is now."""
    folder.mkdir(parents=True, exist_ok=True)
    till = Till(folder / "operator.db")
    till.open_account(BETTOR, SESSION, EXPIRED, "EUR", BALANCE_MINOR)
    server = OperatorServer(till, _voice(folder, dialect), faults, port)
    (folder / WALLET_FILE).write_text(_wallet_file(dialect, server.address))
    return server


def _voice(folder: Path, dialect: str) -> OperatorVoice:
    key = folder / f"studio.{dialect}"
    if not key.exists():
        key.touch(mode=0o600)
        key.write_bytes(_new_key(dialect))
    if dialect == "hmac":
        return HmacVoice(key.read_bytes())
    private = load_pem_private_key(key.read_bytes(), password=None)
    assert isinstance(private, RSAPrivateKey)
    return RsaVoice(private.public_key())


def _new_key(dialect: str) -> bytes:
    if dialect == "hmac":
        return secrets.token_urlsafe(32).encode()
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _wallet_file(dialect: str, address: str) -> str:
    return f"""[{OPERATOR}]
dialect = "{dialect}"
address = "{address}"
key_file = "studio.{dialect}"

[{OPERATOR}.trial]
bettor = "{BETTOR}"
session = "{SESSION}"
expired_session = "{EXPIRED}"
free_bet = "{FREE_BET}"
control = "{address}/{CONTROL}"
"""
