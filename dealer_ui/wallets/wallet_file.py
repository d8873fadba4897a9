"""The file about operators' wallets: where each is, how it is spoken to, whom it may try.

[north]
dialect = "rsa"                        # or "hmac"
address = "https://wallet.north.example/v1"
key_file = "studio-north.pem"          # rsa: our private key; hmac: the shared secret. Beside this file

[north.trial]                          # for `studio wallet check`: a bettor of no consequence
bettor = "trial-1"
session = "…"
"""

from __future__ import annotations

import secrets
import tomllib
import uuid
from pathlib import Path
from typing import Literal

import msgspec
from cryptography.hazmat.primitives.asymmetric import rsa

from dealer_ui.process.shared_secret import SECRET_BYTES_LEAST
from dealer_ui.wallets.dialect import Dialect, HttpWallet
from dealer_ui.wallets.hmac_dialect import HmacDialect
from dealer_ui.wallets.rsa_dialect import KEY_BITS_LEAST, RsaDialect, rsa_key
from studio.errors import BadInputError
from studio.money import decimals
from studio.text_file import read_text, read_toml


class TrialSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`expired_session`: one that is over; `free_bet`: a grant he has free bets of; `control`: where a simulated
    operator takes faults.
    """

    bettor: str
    session: str
    currency: str = "EUR"
    game: str = "three_knights"
    amount_minor: int = 100
    expired_session: str = ""
    free_bet: str = ""
    control: str = ""


class TrialWallet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    dialect: Literal["rsa", "hmac"]
    address: str
    key_file: str
    trial: TrialSection | None = None


def read_wallet(path: Path, operator: str) -> TrialWallet:
    """One operator's part of the file; its key file is found from there. `BadInputError` says what is wrong."""
    where = str(path)
    try:
        told = read_toml(read_text(path), where)
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(f"This is not valid TOML: {error}.", where=where) from error
    if operator not in told:
        known = ", ".join(sorted(told)) or "none"
        raise BadInputError(f"It has no wallet of the operator '{operator}'; it has {known}.", where=where)
    try:
        found = msgspec.convert(told[operator], TrialWallet)
    except msgspec.ValidationError as error:
        raise BadInputError(f"[{operator}] {error}.", where=where) from error
    if found.trial is not None:
        decimals(found.trial.currency)
        if found.trial.amount_minor <= 0:
            raise BadInputError(f"[{operator}.trial] amount_minor is to be above zero.", where=where)
    return msgspec.structs.replace(found, key_file=str(path.parent / found.key_file))


def dialect_of(name: str, key_file: Path) -> Dialect:
    """`rsa` or `hmac`, with the key of that file; `BadInputError` where it is none."""
    where = str(key_file)
    try:
        key = key_file.read_bytes()
    except OSError as error:
        raise BadInputError(f"The key cannot be read: {error.strerror}.", where=where) from error
    if name == "rsa":
        return RsaDialect(rsa_key(key, where))
    secret = key.strip()
    if len(secret) < SECRET_BYTES_LEAST:
        sentence = f"A secret has {SECRET_BYTES_LEAST} bytes at the least: agree on a longer one."
        raise BadInputError(sentence, where=where)
    return HmacDialect(secret)


def forged_dialect(section: TrialWallet) -> Dialect:
    """The same dialect under a key that the operator does not know."""
    if section.dialect == "rsa":
        return RsaDialect(rsa.generate_private_key(public_exponent=65537, key_size=KEY_BITS_LEAST))
    return HmacDialect(secrets.token_bytes(32))


def open_wallet(section: TrialWallet, dialect: Dialect) -> HttpWallet:
    """A wallet over HTTP; close it."""
    from dealer_ui.wallets.line import WalletLine  # only who calls an operator needs the library that does

    return HttpWallet(dialect, WalletLine(section.address), lambda: str(uuid.uuid4()))
