"""A certificate signed by itself and its key, in a folder, as good or as bad as a test wants it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

NAME: Final = "studio.example"
Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


def certify(
    folder: Path, *, name: str = NAME, since: int = 2020, until: int = 2120, key: Key | None = None, serial: int = 1
) -> None:
    """`fullchain.pem` and `key.pem`; good from the first day of one year to that of another."""
    key = key or ec.generate_private_key(ec.SECP256R1())
    whose = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    made = (
        x509.CertificateBuilder().subject_name(whose).issuer_name(whose).public_key(key.public_key())
        .serial_number(serial).not_valid_before(datetime(since, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(until, 1, 1, tzinfo=UTC))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False).sign(key, hashes.SHA256())
    )  # fmt: skip
    (folder / "fullchain.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    keep_key(folder, key)


def keep_key(folder: Path, key: Key, passphrase: bytes = b"") -> None:
    closed = serialization.BestAvailableEncryption(passphrase) if passphrase else serialization.NoEncryption()
    plain = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, closed)
    path = folder / "key.pem"
    path.write_bytes(plain)
    path.chmod(0o600)
