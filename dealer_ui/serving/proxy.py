"""Where a request really comes from: the address of the connection, or what a trusted proxy says.

X-Forwarded-For, -Proto and -Host count only when the connection comes from an address in `trusted_proxy`. The client is
the first address, read from the right, that is not a trusted proxy.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from dealer_ui.process.address import read_address

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network
_HOPS_MAX: Final = 20


@dataclass(frozen=True, slots=True)
class Origin:
    """`host`: as the browser named it, where a trusted proxy says so; else None."""

    address: str
    scheme: str = "http"
    host: str | None = None


class Proxies:
    """The addresses and networks that are trusted.

    >>> proxies = Proxies(["127.0.0.1", "10.1.0.0/16"])
    >>> proxies.origin("127.0.0.1", {"X_FORWARDED_FOR": "6.6.6.6, 192.0.2.7, 10.1.2.3", "X_FORWARDED_PROTO": "https"})
    Origin(address='192.0.2.7', scheme='https', host=None)
    >>> proxies.origin("192.0.2.7", {"X_FORWARDED_FOR": "10.0.0.1", "X_FORWARDED_PROTO": "https"})
    Origin(address='192.0.2.7', scheme='http', host=None)
    """

    def __init__(self, trusted: Iterable[str] = ()) -> None:
        self._trusted: tuple[Network, ...] = tuple(ipaddress.ip_network(one) for one in trusted)

    def trusts(self, address: str) -> bool:
        known = read_address(address)
        return known is not None and any(known in network for network in self._trusted)

    def origin(self, peer: str, headers: Mapping[str, str]) -> Origin:
        """`headers` by their names in capitals, with underscores."""
        if not self._trusted or not self.trusts(peer):
            return Origin(str(read_address(peer) or peer))
        scheme = "https" if _last(headers.get("X_FORWARDED_PROTO", "")).lower() == "https" else "http"
        host = _last(headers.get("X_FORWARDED_HOST", "")) or None
        return Origin(self._asker(peer, headers.get("X_FORWARDED_FOR", "")), scheme, host)

    def _asker(self, peer: str, passed_by: str) -> str:
        asker = str(read_address(peer) or peer)
        for said in reversed([one.strip() for one in passed_by.split(",")][-_HOPS_MAX:]):
            known = read_address(said)
            if known is None:
                return asker
            asker = str(known)
            if not self.trusts(asker):
                return asker
        return asker


def _last(said: str) -> str:
    return said.rpartition(",")[2].strip()
