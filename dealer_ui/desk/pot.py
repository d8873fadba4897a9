"""Moves what lies in a progressive pot that no table feeds any more to another pot: two people, once, whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dealer_ui.desk.pit import PitDesk
from studio.errors import RefusedError
from studio.jackpot import moving_transfers
from studio.journal import Balances, More, Reader
from studio.money import pot_account
from studio.people import Actor, need_witness
from studio.pit import pit_event as e

RIGHT: Final = "move_pot"
WITNESS: Final = "witness_pot"
WORDS_MAX: Final = 400
_POTS: Final = "SELECT account, currency, amount FROM balance WHERE substr(account, 1, 4) = 'pot:' ORDER BY account"


@dataclass(frozen=True, slots=True)
class KeptPot:
    """A pot as the ledger has it. `fed_by`: the tables and presets that name it."""

    key: str
    currency: str
    amount_minor: int
    fed_by: Sequence[str]

    @property
    def rests(self) -> bool:
        """Whether it has money that nobody can win any more."""
        return self.amount_minor > 0 and not self.fed_by


def pots(reader: Reader, feeders: Mapping[str, Sequence[str]]) -> Sequence[KeptPot]:
    """Every pot that ever held anything; `feeders`: who feeds which."""
    rows = ((account.removeprefix("pot:"), *rest) for account, *rest in reader.read(_POTS, ()))
    return [KeptPot(key, currency, amount_minor, feeders.get(key, ())) for key, currency, amount_minor in rows]


@dataclass(frozen=True, slots=True)
class PotMove:
    """What is asked: all of one pot into another, and why. `shown`: the sum that the two were shown, in minor units."""

    pot: str
    to: str
    words: str
    shown: str = ""


def move_pot(desk: PitDesk, known: Sequence[KeptPot], asked: PotMove, by: Actor, beside: Actor | None) -> int:
    """Carry it out, once; refused where a table feeds the pot still, or the other is not fed or of another currency."""
    both = need_witness(by, beside, desk.now_ms(), rights=(RIGHT,), witness=WITNESS)
    by_key = {one.key: one for one in known}
    pot, to = by_key.get(asked.pot), by_key.get(asked.to)
    _need(pot, to, asked)
    assert pot is not None
    amount_minor = pot.amount_minor
    if asked.shown and asked.shown != str(amount_minor):
        raise _moved_on()

    def act() -> int:
        moved = e.PotMoved(
            at_ms=desk.now_ms(), pot=pot.key, to=asked.to, currency=pot.currency, amount_minor=amount_minor,
            by=both.asked_by, beside=both.approved_by, words=asked.words.strip()[:WORDS_MAX],
        )  # fmt: skip
        transfers = moving_transfers(pot.key, asked.to, amount_minor, pot.currency, desk.book.pot_moves.get(pot.key, 0))

        def still_there(balance: Balances) -> More:
            if balance(pot_account(pot.key), pot.currency) != amount_minor:
                raise _moved_on()
            return (), transfers

        return desk.record((moved,), still_there)

    return desk.anew(act)


def _moved_on() -> RefusedError:
    return RefusedError("pot_moved_on", "What lies in the pot has changed meanwhile: look at it again.")


def _need(pot: KeptPot | None, to: KeptPot | None, asked: PotMove) -> None:
    if pot is None:
        raise RefusedError("pot_unknown", "There is no pot of this name: look at the list.")
    if pot.fed_by:
        raise RefusedError("pot_fed", f"{', '.join(pot.fed_by)} feeds this pot: what lies there is for its bettors.")
    if pot.amount_minor <= 0:
        raise RefusedError("pot_empty", "Nothing lies in this pot: there is nothing to move.")
    if to is None or to.key == pot.key or not to.fed_by:
        raise RefusedError("pot_to_idle", "Choose a pot that a table feeds: bettors must be able to win it.")
    if to.currency != pot.currency:
        raise RefusedError("pot_currency", f"What lies there is {pot.currency}: choose a pot of the same currency.")
    if not asked.words.strip():
        raise RefusedError("reason_needed", "Write down why: it is kept with the act.")
