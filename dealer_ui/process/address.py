"""Reads the address of whoever connects, however a proxy or a system writes it."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

_WITH_PORT: Final = re.compile(r"(\d+(?:\.\d+){3}):\d+|\[([^\]]*)\](?::\d+)?", re.ASCII)


def read_address(text: str) -> IPv4Address | IPv6Address | None:
    """The IP address in a text, without port and brackets; an IPv4 address written as an IPv6 one comes back as IPv4.
    None where the text is no address.

    >>> [str(read_address(one)) for one in ("192.0.2.7:55", "[2001:db8::1]:55", "[::1]", "::ffff:192.0.2.7", "?:1")]
    ['192.0.2.7', '2001:db8::1', '::1', '192.0.2.7', 'None']
    """
    if ported := _WITH_PORT.fullmatch(text):
        text = ported[1] or ported[2]
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def neighbours(address: str) -> str:
    """The key under which neighbouring addresses are counted together: an IPv4 address is its own key, an IPv6 address
    has that of its /64 network, as a household shares one.

    >>> neighbours("192.0.2.7"), neighbours("2001:db8:1:2:3::4"), neighbours("::ffff:192.0.2.7"), neighbours("?")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7', '?')
    """
    if ":" not in address:
        return address
    found = read_address(address)
    if isinstance(found, IPv6Address):
        return str(ip_network((int(found), 64), strict=False))
    return str(found) if found else address
