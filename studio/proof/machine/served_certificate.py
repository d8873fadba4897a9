"""The certificate a studio shows to browsers: read with its key, checked, and how long it is good.

Public keys and names are read here, and whether the private key is theirs; the private key itself is given to nobody.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from studio.errors import BadInputError
from studio.proof.machine.host import HostFinding

RSA_BITS_LEAST: Final = 2_048
SOON: Final = timedelta(days=21)
"""So long before its end people are told; automatic renewals happen before."""


@dataclass(frozen=True, slots=True)
class ServedCertificate:
    """What is said of a certificate. `names`: the host names and addresses it speaks for."""

    names: tuple[str, ...]
    since: datetime
    until: datetime

    def days_left(self, now: datetime) -> int:
        """Whole days; below 0 once it is over."""
        return (self.until - now).days

    def speaks_for(self, name: str) -> bool:
        """Whether a browser that asked for this name is content.

        >>> wild = ServedCertificate(("*.studio.example",), datetime.now(UTC), datetime.now(UTC))
        >>> wild.speaks_for("North.studio.example"), wild.speaks_for("a.b.studio.example"), wild.speaks_for("example")
        (True, False, False)
        """
        name = name.lower()
        first, _, rest = name.partition(".")
        return any(one.lower() in (name, f"*.{rest}" if first and rest else name) for one in self.names)


def read_served_certificate(certificate: Path, key: Path, now: datetime, name: str = "") -> ServedCertificate:
    """The first certificate of that file, which this key belongs to and which is good now.

    `name`: the host name it has to speak for; any where it is empty. `BadInputError` says what is wrong and what to do.
    """
    found = _certificate(certificate)
    _need_key(found, certificate, key)
    read = ServedCertificate(_names(found), found.not_valid_before_utc, found.not_valid_after_utc)
    if now >= read.until:
        sentence = f"The certificate was good until {_day(read.until)} only: renew it."
        raise BadInputError(sentence, where=str(certificate))
    if now < read.since:
        sentence = f"The certificate is good from {_day(read.since)} on only: wait, or set this machine's clock right."
        raise BadInputError(sentence, where=str(certificate))
    if name and not read.speaks_for(name):
        known = ", ".join(read.names) or "no name"
        sentence = f"The certificate speaks for {known} and not for {name}: have one made for that name."
        raise BadInputError(sentence, where=str(certificate))
    return read


def certificate_findings(certificate: Path, key: Path, now: datetime) -> Iterator[HostFinding]:
    """What the doctor says of it."""
    try:
        read = read_served_certificate(certificate, key, now)
    except BadInputError as error:
        yield HostFinding("certificate", "missing", str(error))
        return
    days, until = read.days_left(now), _day(read.until)
    said = f"The certificate {certificate} for {', '.join(read.names) or 'no name'} is good until {until}"
    if read.until - now < SOON:
        yield HostFinding(
            "certificate", "missing", f"{said}, {days} days from now: renew it; a running studio takes it."
        )
    else:
        yield HostFinding("certificate", "ok", f"{said}, {days} days from now.")


def _certificate(path: Path) -> x509.Certificate:
    try:
        return x509.load_pem_x509_certificates(_read(path, "certificate"))[0]
    except ValueError as error:
        sentence = "This is no certificate in PEM: name the file that begins with BEGIN CERTIFICATE."
        raise BadInputError(sentence, where=str(path)) from error


def _need_key(found: x509.Certificate, certificate: Path, path: Path) -> None:
    """The key is there, is nobody else's to read, is strong enough, and is the certificate's."""
    plain = _read(path, "key of the certificate")
    if (mode := stat.S_IMODE(path.stat().st_mode)) & 0o007:
        sentence = f"The key of the certificate can be read by everybody on this machine ({mode:o}): chmod 600 {path}."
        raise BadInputError(sentence, where=str(path))
    try:
        key = load_pem_private_key(plain, None)
    except TypeError as error:
        sentence = "The key of the certificate has a passphrase, which nobody types here: keep it without, mode 600."
        raise BadInputError(sentence, where=str(path)) from error
    except ValueError as error:
        sentence = "This is no private key in PEM: name the file that begins with BEGIN PRIVATE KEY."
        raise BadInputError(sentence, where=str(path)) from error
    if isinstance(key, rsa.RSAPrivateKey):
        if key.key_size < RSA_BITS_LEAST:
            sentence = f"The key has {key.key_size} bits and could be found: take {RSA_BITS_LEAST} or more, or P-256."
            raise BadInputError(sentence, where=str(path))
    elif not isinstance(key, ec.EllipticCurvePrivateKey):
        sentence = "Browsers know RSA and elliptic curve keys only: have a certificate made for one of these."
        raise BadInputError(sentence, where=str(path))
    form = Encoding.DER, PublicFormat.SubjectPublicKeyInfo
    if key.public_key().public_bytes(*form) != found.public_key().public_bytes(*form):
        sentence = f"This key does not belong to the certificate {certificate}: name the key it was made with."
        raise BadInputError(sentence, where=str(path))


def _names(found: x509.Certificate) -> tuple[str, ...]:
    try:
        told = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    return (*told.get_values_for_type(x509.DNSName), *map(str, told.get_values_for_type(x509.IPAddress)))


def _read(path: Path, what: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInputError(f"The {what} cannot be read: {error.strerror}.", where=str(path)) from error


def _day(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d")
