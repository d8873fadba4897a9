"""Operators whose tills are wrong, each in one way that has been seen in the world."""

from __future__ import annotations

from dataclasses import replace

from dealer_ui.rehearsal.operator.till import Done, Till, TillMovement


class TakesEverySending(Till):
    """An id is no name to it: each sending moves money."""

    _sendings = 0

    def move(self, asked: TillMovement) -> Done:
        self._sendings += 1
        return super().move(replace(asked, id=f"{asked.id}/{self._sendings}", refers=""))


class ForgetsCancels(Till):
    """A cancel of what has not come yet leaves no trace."""

    def move(self, asked: TillMovement) -> Done:
        if asked.kind == "rollback" and self._movement(asked.refers) is None:
            return Done("unknown", self.balance_minor(asked.bettor))
        return super().move(asked)


class RepeatsWhateverItSaid(Till):
    """The same id gets the same answer, whatever has become of it and whatever it says now."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self._said: dict[str, Done] = {}

    def move(self, asked: TillMovement) -> Done:
        return self._said.setdefault(asked.id, super().move(asked))


class AsksWinnersForASession(Till):
    """Who has left does not get what he won."""

    def move(self, asked: TillMovement) -> Done:
        with self._lock:
            gone = self._known(asked.bettor) or self._playing(asked.bettor, asked.session)
        return gone or super().move(asked)


class GivesCredit(Till):
    """A balance may fall below zero."""

    def _bet(self, asked: TillMovement) -> Done:
        return self._booked(asked, -asked.amount_minor)


class SaysYesAndDoesNothing(Till):
    def _win(self, asked: TillMovement) -> Done:
        return Done("ok", self._balance(asked.bettor), 1)


class TakesFreeStakesFromTheBettor(Till):
    """It knows no free bets: a stake is a stake."""

    def move(self, asked: TillMovement) -> Done:
        if asked.kind == "bet":
            stake_minor = asked.amount_minor + asked.promoted_minor
            asked = replace(asked, amount_minor=stake_minor, promoted_minor=0, free="")
        return super().move(asked)
