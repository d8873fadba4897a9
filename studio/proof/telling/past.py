"""What was done to a round that was over: corrected, or a sealed card of it opened."""

from __future__ import annotations

from studio.money import format_minor
from studio.proof.telling.place import box_name
from studio.tables.event import table as e


def tell_past(event: e.AnyEvent) -> str:
    """One sentence; empty where the event is none of these."""
    return _correction(event) or _unsealing(event)


def _unsealing(event: e.AnyEvent) -> str:
    match event:
        case e.UnsealingAsked(asked_by_name=name, zone=zone, place=place, words=words):
            return f"{name} asks that the sealed card {_where(zone, place)} be opened: {words}"
        case e.UnsealingLapsed():
            return "Nobody agreed to open the sealed card."
        case e.CardUnsealed(asked_by=asked_by, approved_by=approved_by, zone=zone, place=place, face=face):
            return f"{asked_by} and {approved_by} open the sealed card {_where(zone, place)}: {face.sign}."
    return ""


def _where(zone: str, place: int) -> str:
    return f"at {box_name(zone)}, card {place}" if zone else "that was set aside"


def _correction(event: e.AnyEvent) -> str:
    match event:
        case e.CorrectionAsked(asked_by_name=name, said=said, words=words):
            return f"{name} asks that it be corrected, from {said[0]} to {said[1]}: {words}"
        case e.CorrectionLapsed():
            return "Nobody agreed to the correction."
        case e.CorrectionApproved(approved_by=by, revision=revision):
            return f"{by} agrees; revision {revision} is carried out."
        case e.PotTakenBack(pot=pot, amount_minor=amount, currency=currency):
            return f"The round's contribution leaves the pot {pot}: {format_minor(amount, currency)}."
        case e.PotClaimedLate(pot=pot, then_minor=then, from_pot_minor=out, made_up_minor=made_up, currency=currency):
            held, paid, borne = (format_minor(amount, currency) for amount in (then, out, made_up))
            return f"THE POT {pot} IS WON AFTER ALL, {held} then: {paid} come out of it, {borne} from the house."
        case e.PotClaimUndone(pot=pot, to_pot_minor=back, made_up_minor=made_up, currency=currency):
            whole, house = format_minor(back, currency), format_minor(made_up, currency)
            return f"The pot {pot} was not won after all: {whole} lie in it again, {house} with the house."
        case e.BetsResettled(cursor=cursor, shorts=shorts):
            short = f" {counted(len(shorts), 'purse')} did not cover it." if shorts else ""
            return f"{counted(cursor, 'difference')} moved so far.{short}"
        case e.RoundResettled(revision=revision, void=void, bets=bets):
            return (
                f"The round is {'void' if void else 'resettled'}, revision {revision}: {counted(bets, 'bet')} changed."
            )
    return ""


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
