"""Makes the corrections of settled rounds again, and holds them against what was told and moved."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec

from studio.errors import RefusedError
from studio.people import REQUEST_VALID_MS, are_two, has_lapsed
from studio.proof.audit.account_ledger import AccountLedger
from studio.proof.audit.loose_money import LooseMoney
from studio.proof.audit.pot import PotLedger
from studio.proof.audit.wrong import wrong
from studio.settlement import correcting
from studio.tables.correction.pot_claim import PotStep, PotTold, after_bets, before_bets
from studio.tables.correction.preview import WeighedCorrection, weigh
from studio.tables.correction.resettlement import closing
from studio.tables.event import table as e
from studio.tables.past.dossier import Dossier

AnyCorrection = (
    e.CorrectionAsked | e.CorrectionLapsed | e.CorrectionApproved | e.PotTakenBack | e.PotClaimedLate | e.PotClaimUndone
    | e.BetsResettled | e.RoundResettled
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Open:
    """A correction from the asking to the last transfer."""

    asked: e.CorrectionAsked
    weighed: WeighedCorrection
    approved: e.CorrectionApproved | None = None
    on_record: bool = False
    pot: PotStep | None = None
    """What is still due at the pot, before any bet is done."""
    pot_last: PotStep | None = None
    """What is due there after the last."""
    due: tuple[PotTold, ...] = ()
    """What is still to be told of money that moved at the pot."""
    moved: int = 0


class CorrectionAudit:
    """The corrections of one table. `moved` are transfers of them that no event has accounted for yet."""

    def __init__(self, table: str, accounts: AccountLedger, pots: PotLedger) -> None:
        self.moved = LooseMoney()
        self._table = table
        self._accounts = accounts
        self._pots = pots
        self._rounds: dict[str, Dossier] = {}
        self._open: _Open | None = None
        self._count = 0

    def keep(self, dossier: Dossier) -> None:
        """A round that is over and may be corrected one day."""
        self._rounds[dossier.round.id] = dossier

    @property
    def round(self) -> str:
        """The round whose money is being corrected; empty while there is none."""
        return self._open.asked.round if self._open is not None and self._open.approved is not None else ""

    def take(self, event: AnyCorrection, seq: int, at_ms: int, claw_back: dict[str, str]) -> None:
        match event:
            case e.CorrectionAsked():
                self._ask(event, seq, at_ms)
            case e.CorrectionLapsed():
                now = self._need(event.round, seq)
                if now.approved is not None or now.asked.id != event.id:
                    wrong(seq, f"The correction {event.id} lapsed, though it was approved or never asked.")
                self._open = None
            case e.CorrectionApproved():
                self._approve(event, seq, at_ms, claw_back)
            case e.PotTakenBack() | e.PotClaimedLate() | e.PotClaimUndone():
                self._move_pot(event, seq)
            case e.BetsResettled():
                self._resettle(event, seq)
            case e.RoundResettled():
                self._close(event, seq)

    def record(self, told: e.ExceptionRecorded, seq: int) -> None:
        """The exception that two people's act leaves: theirs, of this round, once."""
        now = self._need(told.round, seq)
        approved = now.approved
        if approved is None or now.on_record or (told.incident, told.asked_by, told.approved_by, told.revision) != (
            approved.id, approved.asked_by, approved.approved_by, approved.revision,
        ):  # fmt: skip
            wrong(seq, f"The exception record of round {told.round} is not that of its correction.")
        self._open = replace(now, on_record=True)

    def _ask(self, told: e.CorrectionAsked, seq: int, at_ms: int) -> None:
        if self._open is not None:
            wrong(seq, f"The correction {told.id} was asked before the one before it had ended.")
        weighed = self._weigh(told, seq)
        self._count += 1
        said = (
            told.id,
            told.revision,
            told.bets,
            told.sums,
            told.digest,
            tuple(map(str, told.said)),
            told.before,
            told.after,
        )
        due = (
            f"{self._table}-c{self._count}", weighed.revision, len(weighed.differences), weighed.sums, weighed.digest,
            tuple(map(str, weighed.said)), weighed.before, weighed.after,
        )  # fmt: skip
        if said != due or told.expires_at_ms != at_ms + REQUEST_VALID_MS:
            wrong(seq, f"What the correction of round {told.round} changes is not what was told when it was asked.")
        dossier, pot = self._rounds[told.round], weighed.pot
        first, last = (step(dossier, pot, told.revision) for step in (before_bets, after_bets))
        self._open = _Open(told, weighed, pot=first, pot_last=last)

    def _approve(self, told: e.CorrectionApproved, seq: int, at_ms: int, claw_back: dict[str, str]) -> None:
        now = self._need(told.round, seq)
        asked = now.asked
        same = (told.id, told.revision, told.facts, told.void, told.pays, told.digest, told.asked_by) == (
            asked.id, asked.revision, asked.facts, asked.void, asked.pays, asked.digest, asked.asked_by,
        )  # fmt: skip
        if now.approved is not None or not same or told.claw_back != claw_back:
            wrong(seq, f"The correction {told.id} was approved otherwise than it was asked.")
        if not are_two(told.asked_by, told.approved_by) or has_lapsed(asked, at_ms):
            wrong(seq, f"The correction {told.id} was not approved by another person within its minute.")
        self._open = replace(now, approved=told)

    def _move_pot(self, told: PotTold, seq: int) -> None:
        """Check one pot event of the open correction. The first event of a step comes with the transfers of the whole
        step; the events after it only tell.
        """
        now, _ = self._carried_out(told.round, seq)
        if not now.due:
            step = now.pot or (now.pot_last if now.moved == len(now.weighed.differences) else None)
            if step is None:
                wrong(seq, f"The correction of round {told.round} moved its pot, which it had not to.")
            due, transfers = step(self._pots.balance)
            self.moved.match(transfers, seq)
            now = replace(now, due=due, pot=None, pot_last=None if now.pot is None else now.pot_last)
        if told != now.due[0]:
            wrong(seq, f"What the correction of round {told.round} moved at its pot is not what was told.")
        self._open = replace(now, due=now.due[1:])
        self._rounds[told.round] = _followed(self._rounds[told.round], told)

    def _resettle(self, told: e.BetsResettled, seq: int) -> None:
        now, approved = self._carried_out(told.round, seq)
        dossier, whole = self._rounds[told.round], now.weighed.differences
        if now.pot is not None:
            wrong(seq, f"Bets of round {told.round} were corrected before what its pot owes or is owed.")
        if told.revision != approved.revision or not now.moved <= told.cursor <= len(whole):
            wrong(seq, f"Round {told.round} has {len(whole)} differences; number {told.cursor} cannot be done.")
        transfers, shorts = correcting(
            whole[now.moved : told.cursor], dossier.purse, approved.revision, approved.claw_back, self._accounts.before
        )
        self.moved.match(transfers, seq)
        if told.shorts != shorts:
            wrong(seq, f"What purses did not cover in round {told.round} is not what was told.")
        self._open = replace(now, moved=told.cursor)

    def _close(self, told: e.RoundResettled, seq: int) -> None:
        now, _ = self._carried_out(told.round, seq)
        dossier = self._rounds[told.round]
        if told != closing(dossier, now.weighed) or now.moved != len(now.weighed.differences):
            wrong(seq, f"The correction of round {told.round} was closed with other sums than its facts make.")
        if now.pot_last is not None or now.due:
            wrong(seq, f"The correction of round {told.round} was closed and its pot has not back what it gave.")
        if not now.on_record:
            wrong(seq, f"Round {told.round} was corrected and no exception is on record for it.")
        self.moved.need_none()
        round = dossier.round.with_facts(now.asked.facts)
        self._rounds[told.round] = replace(dossier, round=round, revision=told.revision, void=told.void)
        self._open = None

    def _weigh(self, told: e.CorrectionAsked, seq: int) -> WeighedCorrection:
        dossier = self._rounds.get(told.round)
        if dossier is None:
            wrong(seq, f"Round {told.round} was corrected, and it was never settled at this table.")
        try:
            return weigh(dossier, told.facts, void=told.void, pays=told.pays)
        except RefusedError as refused:
            wrong(seq, f"Round {told.round} cannot have been corrected so: {refused.sentence}")

    def _need(self, round: str, seq: int) -> _Open:
        if self._open is None or self._open.asked.round != round:
            wrong(seq, f"Nobody had asked for a correction of round {round}.")
        return self._open

    def _carried_out(self, round: str, seq: int) -> tuple[_Open, e.CorrectionApproved]:
        now = self._need(round, seq)
        if now.approved is None:
            wrong(seq, f"Round {round} was corrected before a second person had agreed.")
        return now, now.approved


def _followed(dossier: Dossier, told: PotTold) -> Dossier:
    pot = dossier.round.pot
    if pot is None or isinstance(told, e.PotTakenBack):
        return dossier
    return replace(dossier, round=msgspec.structs.replace(dossier.round, pot=pot.after(told)))
