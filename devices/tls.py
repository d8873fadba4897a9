"""TLS to a device on the network: whoever answers is checked by what its address says, and why not is told."""

from __future__ import annotations

import hashlib
import hmac
import socket
import ssl
from typing import Final

from studio.device_address import Trust
from studio.errors import BadInputError

_EXPIRED, _NOT_YET, _OTHER_HOST, _OTHER_ADDRESS = 10, 9, 62, 64
"""What OpenSSL's verification calls them."""
_NO_TLS: Final = frozenset({"WRONG_VERSION_NUMBER", "UNEXPECTED_EOF_WHILE_READING", "RECORD_LAYER_FAILURE"})


class TlsError(BadInputError):
    """The device cannot be reached by TLS; `sentence` says why and what to do."""


def secured(line: socket.socket, host: str, trust: Trust) -> ssl.SSLSocket:
    """The same connection, by TLS, with whoever answers checked; takes at most the connection's time-out.

    The connection is closed where it fails. `TlsError`; `OSError` where the line is lost.
    """
    try:
        safe = _context(trust).wrap_socket(line, server_hostname=trust.name or host)
        if trust.sha256:
            _need_this(safe, trust.sha256)
    except BaseException as error:
        line.close()
        if isinstance(error, ssl.SSLError | TimeoutError):
            raise TlsError(_why(error, trust)) from None
        raise
    return safe


def why_refused(error: ssl.SSLError) -> str:
    """What is wrong where an open connection by TLS fails."""
    return _why(error, Trust())


def _context(trust: Trust) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if trust.sha256:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        if trust.ca:
            context.load_verify_locations(trust.ca)
        if trust.certificate:
            context.load_cert_chain(trust.certificate, trust.key, password=lambda: b"")
    except OSError as error:
        named = trust.ca or f"{trust.certificate}, {trust.key}"
        why = "no certificate in it can be used" if isinstance(error, ssl.SSLError) else error.strerror
        raise TlsError(f"What the address names for TLS cannot be read ({named}): {why}.") from None
    return context


def _need_this(safe: ssl.SSLSocket, digest: str) -> None:
    shown = hashlib.sha256(safe.getpeercert(binary_form=True) or b"").hexdigest()
    if not hmac.compare_digest(shown, digest):
        safe.close()
        raise TlsError(
            f"It shows another certificate than the one that is named: {shown}. Look at the device server itself "
            "whether it is its own, and only then write that into the address."
        )


def _why(error: ssl.SSLError | TimeoutError, trust: Trust) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        match error.verify_code:
            case code if code == _EXPIRED:
                return "Its certificate is over: have it renewed at the device server."
            case code if code == _NOT_YET:
                return "Its certificate is not good yet: set the clocks of the device server and of this machine."
            case code if code in (_OTHER_HOST, _OTHER_ADDRESS):
                return "Its certificate is for another name: correct the address, or write &name= as it stands there."
        return f"Its certificate was issued by nobody in {trust.ca} ({error.verify_message})."
    if isinstance(error, TimeoutError) or error.reason in _NO_TLS:
        return "What answers there speaks no TLS: set its port to the secure mode, or correct the address."
    reason = (error.reason or "it gave no reason").lower().replace("_", " ")
    if "ALERT" in (error.reason or ""):
        return f"It refuses the studio ({reason}): it may want a certificate of ours, &certificate= and &key=."
    return f"No TLS came about with it ({reason})."
