"""What is to be done at a table now: the one thing the dealer does next, his big button, and what the bettors are told.

It may ask the shoe what it needs, and knows no hand and no sum. A card that a ruling has moved is named once it is open
on record; one that is sealed is meant by the place where it lies. Bettors are told that the table stopped or a round is
void while the record says so, with the class of the reason; never a card, and never whose fault it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from studio.cards import Card
from studio.people import Actor, Role
from studio.ports import CardFace
from studio.procedures import procedures_of
from studio.rounds import Awaiting, Finished
from studio.rulebook.placing import MUCK
from studio.rulebook.script import Burn, Deal, Decide, Lay, OpenBets, Reveal, Shuffle, Turn
from studio.spoken import Moves, Places, Slot, Value
from studio.tables import command as c
from studio.tables.deal.course import shoe_is_short, waiting_for_eyes
from studio.tables.decide import refusal
from studio.tables.declaration import Command, name_of
from studio.tables.felt.camera_look import card_at, face_of, place_of
from studio.tables.felt.street_layout import set_to
from studio.tables.irregularity.outstanding import STUB_KINDS, left_to_do
from studio.tables.irregularity.stub import going_back
from studio.tables.state.felt import open_face
from studio.tables.state.incident import Incident
from studio.tables.state.round import Round, Stage
from studio.tables.state.table import Status, TableState
from studio.views.device import shuffle_act
from studio.views.shape import ButtonView, MessageView, Words

CLASSES: Final = ("device", "cards", "deal", "deck", "check")
"""Classes of reasons, as keys of the catalogue (`because.<class>`)."""
_CLASS: Final = {
    **dict.fromkeys(
        ("device_lost", "device_changed", "shoe_error", "shoe_restart", "shuffler_jam", "malfunction", "video_lost",
         "restart", "disconnected", "timed_out"), "device"
    ),
    **dict.fromkeys(("card_mismatch", "conflicting_reread", "unread_card", "camera_unsure"), "cards"),
    **dict.fromkeys(
        ("burn_error", "exposed_card", "extra_card", "dropped_card", "wrong_order", "misplaced_card", "wrong_count",
         "early_card", "boxed_card", "cleared_early", "misdeal_claimed", "void_called"), "deal"
    ),
    **dict.fromkeys(("fouled_deck", "deck_unverified", "shoe_empty", "cut_card"), "deck"),
}  # fmt: skip


_MOVES: Final = "move_card"
_BACK: Final = frozenset({"relay_from_discard", "reuse_card"})
"""Rulings that lay a card back where it lay."""


_DEALER: Final = Actor("", "the dealer", frozenset({str(Role.DEALER)}))
_PRESSED: Final[Mapping[str, type[Command]]] = {
    "act.start_round": c.StartRound,
    "act.load_shoe": c.LoadShoe,
    "act.open_bets": c.OpenBetting,
    "act.bets_open": c.CloseBetting,
    "act.open_decisions": c.OpenBetting,
    "act.decide": c.CloseBetting,
    "act.declare_result": c.DeclareResult,
    "act.nobody_bet": c.DeclareResult,
    "act.shuffle_stub": c.ShuffleStub,
    "act.clear_felt": c.ConfirmFeltClear,
}
"""The acts that are a press of a button."""
_LABELS: Final = {
    "act.open_decisions": "button.open_decisions",
    "act.decide": "button.close_decisions",
    "act.nobody_bet": "button.close_round",
}
"""Where one command opens or closes a window of bets and one of decisions."""


ONE_BY_ONE: Final = frozenset({"relay_from_discard", "reread_all"})
"""Rulings whose cards are laid one after the other, as they were read: the act is the next of them."""


def next_act(state: TableState) -> Words:
    """The one thing the dealer does next, as a message of the catalogue."""
    if (count := state.decks.count) is not None:
        return Words("act.count", {"done": count.drawn, "of": count.wanted, "deck": count.deck_id})
    if state.status is Status.CLOSED:
        return Words("act.closed")
    if state.held:
        return _held_act(state)
    if state.status is Status.PAUSED:
        return Words("act.paused")
    round = state.round
    if round is None or round.over:
        return _between_rounds(state)
    if round.stage is not Stage.DEALING:
        return Words("act.paying" if round.stage is Stage.SETTLING else "act.refunding")
    if state.deck is None:
        return _load_act(state) if state.felt.clear or round.deal.cards else Words("act.collect_cards")
    match round.deal.standing:
        case Finished():
            done = "act.declare_result" if round.deal.cards else "act.nobody_bet"
            return _eyes_act(state, round, "act.square_cards") or Words(done)
        case Awaiting() as now:
            return _step_act(state, round, now)
    return Words("act.held")


def _eyes_act(state: TableState, round: Round, square: str) -> Words | None:
    """Cards the camera owes its word on: wait for it, and once it has taken too long, square them [HG21]."""
    if not (owed := waiting_for_eyes(round)):
        return None
    late = state.open_incident("camera_unsure") is not None
    return Words(square if late else "act.wait_camera", {"places": Places(owed)})


def _step_act(state: TableState, round: Round, now: Awaiting) -> Words:
    match now.step:
        case Burn(count=count):
            return Words("act.burn", {"count": count, "done": now.done, "left": count - now.done})
        case OpenBets():
            if round.window.closes_at_ms is not None:
                return Words("act.bets_open")
            return _eyes_act(state, round, "act.square_burn") or Words("act.open_bets")
        case Deal(box=box, face=face):
            return Words(
                "act.deal" if face is CardFace.UP else "act.deal_down", {"box": f"box.{box}", "place": now.place}
            )
        case Decide():
            return Words("act.decide" if round.window.closes_at_ms is not None else "act.open_decisions")
        case Turn(box=box):
            return Words("act.turn", {"box": f"box.{box}"})
        case Reveal(box=box):
            return Words("act.reveal", {"box": f"box.{box}"})
        case Lay(box=box):
            return Words("act.lay", {"box": f"box.{box}", "moves": moves_of(now.step)})
        case Shuffle():
            return Words("act.shuffle_stub", {"cards": going_back(state)})


def moves_of(lay: Lay) -> Moves:
    """Which card of the street goes where, by its place: the face is nobody's to see yet.

    >>> moves_of(Lay("seat1", ((1, "seat1_top", 2), (3, "seat1_bottom", 1)), (2,))).to
    ((1, 'top'), (2, 'muck'), (3, 'bottom'))
    """
    moves = {place: zone.partition("_")[2] for place, zone, _ in lay.to} | dict.fromkeys(lay.away, MUCK)
    return Moves(tuple(sorted(moves.items())))


def _held_act(state: TableState) -> Words:
    ruled = next((incident for incident in state.incidents.open if incident.ruled.ruling and incident.holds), None)
    if ruled is not None:
        left = left_to_do(state, ruled)
        bare = ruled.ruled.ruling == "reread_all" and left and not any(_card_lies(state, slot) for slot in left)
        if (moved := move_act(state, ruled, left)) is not None:
            return moved
        shown = left[:1] if ruled.ruled.ruling in ONE_BY_ONE and not bare else left
        aside = ruled.ruled.ruling == "reshuffle" and ruled.kind in STUB_KINDS
        key = "act.nothing_there" if bare else f"act.carry_out.{'stub' if aside else ruled.ruled.ruling}"
        return Words(key, {"places": Places(tuple(shown))})
    holding = next((incident for incident in state.incidents.open if incident.holds), None)
    if holding is None:
        return Words("act.frozen", {"by": state.pit.freeze.by_name})
    return Words("act.held", {"incident": f"incident.{holding.kind}"})


def _card_lies(state: TableState, slot: Slot) -> bool:
    """Whether there is a card to read in this place: one the camera sees, or one on record [HG14]."""
    return slot in state.felt.looks or (state.round is not None and card_at(state.round, slot) is not None)


def _between_rounds(state: TableState) -> Words:
    if not state.felt.clear:
        return Words("act.clear_felt")
    if shoe_is_short(state):
        return _load_act(state)
    return Words("act.start_round")


def _load_act(state: TableState) -> Words:
    if state.approved:
        return Words("act.load_shoe", {"deck": state.approved[-1]})
    return shuffle_act(state)


def primary(state: TableState) -> ButtonView | None:
    """The big button: the command of the next act, where the act is a button and not a card."""
    act = next_act(state).key
    if act not in _PRESSED:
        return None
    name = name_of(_PRESSED[act])
    off = refusal(state, _PRESSED[act](actor=_DEALER), 0)
    label = Words(_LABELS.get(act, f"button.{name}"))
    if off is None:
        return ButtonView(name, label, shortcut="Space")
    if act == "act.clear_felt":
        return None  # the camera sees it clear by itself
    return ButtonView(name, label, off.sentence, "Space", off.words_key, off.values)


def move_act(state: TableState, incident: Incident, left: Sequence[Slot]) -> Words | None:
    """What to do with the first card that is not yet where it belongs; None where the ruling moves none.

    `left` are the places that are still wrong, in the order they are put right.
    """
    round = state.round
    if round is None or incident.ruled.ruling not in {_MOVES, *_BACK} or not left:
        return None
    to = _due(state, round, incident, left)
    if to is None:
        return None
    fact = card_at(round, to)
    face = face_of(fact) if fact is not None else None
    where: dict[str, Value] = {"box": f"box.{to[0]}", "place": to[1]}
    key = f"act.carry_out.{incident.ruled.ruling}"
    if incident.ruled.ruling in _BACK:
        return Words(f"{key}.named", {"card": face.sign, **where}) if face is not None else None
    lies = _lies(state, round, incident, to, left)
    if face is None:
        return Words(f"{key}.sealed", {"places": Places((lies,)), **where}) if lies is not None else None
    other = _other_way(state, round, to, lies) if lies is not None else None
    if other is not None:
        return Words(f"{key}.exchange", {"card": face.sign, "other": other.sign})
    return Words(f"{key}.named", {"card": face.sign, **where})


def _due(state: TableState, round: Round, incident: Incident, left: Sequence[Slot]) -> Slot | None:
    """The place of the next card to be put right: the incident's own card first, then the others in the order they were
    read.
    """
    id = incident.scene.cards[0] if incident.scene.cards else ""
    own = (set_to(state, id) or place_of(round, id)) if id else None
    if own is not None and own in left:
        return own
    return next((slot for slot in left if card_at(round, slot) is not None), None)


def _lies(state: TableState, round: Round, incident: Incident, to: Slot, left: Sequence[Slot]) -> Slot | None:
    """The place where the card lies that belongs there; None where the camera sees it in no place."""
    fact = card_at(round, to)
    face = face_of(fact) if fact is not None else None
    told = incident.scene.slot
    if (
        incident.scene.cards
        and told in state.felt.looks
        and told != to
        and (fact is None or fact.card.id == incident.scene.cards[0])
    ):
        return told
    if face is not None:
        lying = (slot for slot, look in sorted(state.felt.looks.items()) if slot != to and open_face(look) is face)
        return next((slot for slot in lying if (own := card_at(round, slot)) is None or face_of(own) is not face), None)
    down = [slot for slot in left if slot in state.felt.looks and state.felt.looks[slot].face is CardFace.DOWN]
    return down[0] if len(down) == 1 and card_at(round, down[0]) is None else None


def _other_way(state: TableState, round: Round, to: Slot, lies: Slot) -> Card | None:
    """The open card of the place `lies`, if it lies at `to`: two cards that were exchanged. None otherwise."""
    fact, look = card_at(round, lies), state.felt.looks.get(to)
    face = face_of(fact) if fact is not None else None
    return face if face is not None and look is not None and open_face(look) is face else None


def view_messages(state: TableState) -> tuple[MessageView, ...]:
    """What is told now, if anything."""
    round = state.round
    if state.status is Status.CLOSED:
        return ()
    if round is not None and round.stage in (Stage.VOIDING, Stage.VOIDED):
        done = "done" if round.stage is Stage.VOIDED else "now"
        key = f"told.void_paid.{done}" if round.void.pays else f"told.void.{done}"
        return (MessageView(Words(key), class_of_row(state.game.key, round.void.row)),)
    if not state.held:
        return ()
    stand = round is not None and round.stakes.bets > 0 and not round.over
    first = next((incident for incident in state.incidents.open if incident.holds), None)
    because = _CLASS.get(first.kind, "check") if first is not None else "check"
    return (MessageView(Words("told.paused_bets" if stand else "told.paused"), because),)


def class_of_row(game: str, row: str) -> str:
    """The class of reason that bettors are told for this row; empty when its kinds differ in class, or when no row was
    ruled by.
    """
    found = {_CLASS.get(kind, "check") for one in procedures_of(game).rows if one.id == row for kind in one.kinds}
    return found.pop() if len(found) == 1 else ""
