"""A wallet over HTTP: a dialect writes the call and reads what the line brought."""

from __future__ import annotations

from collections.abc import Callable

from dealer_ui.wallets.dialect import Dialect, unclear
from dealer_ui.wallets.reply import NoReply, Sending
from studio.wallets.answer import Said, Word
from studio.wallets.call import Call, kind_of


class HttpWallet:
    """One operator's wallet. `new_attempt` gives an id to every sending. See `studio.wallets.port.Wallet`."""

    def __init__(self, dialect: Dialect, line: Sending, new_attempt: Callable[[], str]) -> None:
        self._dialect = dialect
        self._line = line
        self._new_attempt = new_attempt

    def ask(self, call: Call, wait_s: float) -> Said:
        attempt = self._new_attempt()
        request = self._dialect.write(call, attempt)
        if request is None:
            return Said(word=Word.FATAL, detail=f"This dialect has no {kind_of(call)}.")
        reply = self._line.send(request, wait_s)
        if isinstance(reply, NoReply):
            return unclear(reply.why)
        return self._dialect.read(call, attempt, reply.status, reply.body)

    def close(self) -> None:
        self._line.close()
