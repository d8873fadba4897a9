"""Which sealed cards are a player's own: those that his seat at a poker table was dealt in a hand that is over."""

from __future__ import annotations

from studio.journal import Reader
from studio.journal.extract.played import hand_dealt
from studio.rounds import CardDealt, corrected
from studio.rulebook.hand_terms import HAND
from studio.tables.event import table as e
from studio.tables.event.record import read_body
from studio.tables.past.dossier import facts_of


def own_cards(reader: Reader, operator: str, bettor: str, round: str) -> frozenset[str]:
    """Their ids; none while the hand is being played. Whoever asks for him may have the keys of these and no others."""
    dealt = hand_dealt(reader, operator, bettor, round)
    if dealt is None or not any(reader.events(round=round, kinds=("RoundSettled",), limit=1)):
        return frozenset()
    started = read_body(dealt.body).event
    assert isinstance(started, e.RoundStarted)
    seats = {seat for seat, named in started.rules[HAND]["players"].items() if named == [operator, bettor]}
    facts = corrected(facts_of(reader, round))
    return frozenset(one.card.id for one in facts if isinstance(one, CardDealt) and one.box in seats)
