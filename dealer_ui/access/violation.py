"""What browsers say of pages of ours that broke their own policy of content: counted, in the house's words alone.

Whoever likes may send such a report, and what stands in it was made by whatever broke the policy. So nothing of it is
kept, shown or written anywhere: it only chooses among words that stand here.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import msgspec
import structlog

_LOG: Final = structlog.get_logger("dealer_ui.access")
REPORT_BYTES_MAX: Final = 16 * 1024
KINDS_MAX: Final = 200
"""So many kinds are told apart; what comes beyond counts as one."""
DIRECTIVES: Final = frozenset({
    "default-src", "script-src", "script-src-elem", "script-src-attr", "style-src", "style-src-elem", "style-src-attr",
    "img-src", "font-src", "connect-src", "media-src", "frame-src", "object-src", "worker-src", "manifest-src",
    "form-action", "base-uri", "frame-ancestors",
})  # fmt: skip
OTHER: Final = "other"


@dataclass(frozen=True, slots=True, order=True)
class BrokenPolicy:
    """`page`: the house's own rule of its address. `directive`: of the policy, or `other`. `what`: inline eval own data
    elsewhere, which is all that is told of what was kept out.
    """

    page: str
    directive: str
    what: str


class _Said(msgspec.Struct, rename="kebab"):
    """What a browser says (Content Security Policy level 2, 4.4.1)."""

    document_uri: str = ""
    effective_directive: str = ""
    violated_directive: str = ""
    blocked_uri: str = ""


class _Report(msgspec.Struct):
    said: _Said = msgspec.field(name="csp-report")


_REPORT: Final = msgspec.json.Decoder(_Report)


class BrokenPolicies:
    """How often which, since the program began. Any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[BrokenPolicy] = Counter()

    @property
    def counted(self) -> Sequence[tuple[BrokenPolicy, int]]:
        """The most frequent first."""
        with self._lock:
            return self._counts.most_common()

    def hear(self, body: bytes, host: str, rule_of: Callable[[str], str]) -> None:
        """A report came for `host`; `rule_of` gives the rule of an address of ours, or empty. What is no report of a
        page of ours counts as `other`.
        """
        found = _read(body, host, rule_of)
        with self._lock:
            if found not in self._counts and len(self._counts) >= KINDS_MAX:
                found = BrokenPolicy(OTHER, OTHER, OTHER)
            self._counts[found] += 1
            is_new = self._counts[found] == 1
        if is_new:
            _LOG.warning("a page broke its policy", page=found.page, directive=found.directive, what=found.what)


def _read(body: bytes, host: str, rule_of: Callable[[str], str]) -> BrokenPolicy:
    try:
        said = _REPORT.decode(body).said
        page = urlsplit(said.document_uri)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return BrokenPolicy(OTHER, OTHER, OTHER)
    directive = (said.effective_directive or said.violated_directive).partition(" ")[0]
    rule = rule_of(page.path) if page.netloc == host else ""
    return BrokenPolicy(rule or OTHER, directive if directive in DIRECTIVES else OTHER, _what(said.blocked_uri, host))


def _what(blocked: str, host: str) -> str:
    """
    >>> [_what(one, "studio:8000") for one in ("inline", "data", "http://studio:8000/x", "https://evil.example/?a=b")]
    ['inline', 'data', 'own', 'elsewhere']
    """
    if blocked in ("inline", "eval", "data"):
        return blocked
    try:
        return "own" if urlsplit(blocked).netloc == host else "elsewhere"
    except ValueError:
        return OTHER
