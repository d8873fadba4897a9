"""A table's state as a screen shows it: the felt, the bets, the incidents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Final

from studio.games.blackjack import BLACKJACK, DEALER
from studio.games.script import Decide, OpenBets, Turn
from studio.ports import CardFace
from studio.rounds import CardBurned, WindowClosed
from studio.spoken import Slot
from studio.tables.bets.readiness import NOBODY, readiness
from studio.tables.books.book import Book
from studio.tables.felt.camera_look import awaited_slot, card_at, due_slot, place_of
from studio.tables.felt.shoe_reading import adopted
from studio.tables.felt.street_layout import set_to
from studio.tables.irregularity.eye_account import readings
from studio.tables.irregularity.ruling import hindrance, revealed
from studio.tables.limit import limit_in, limit_of
from studio.tables.state.incident import Incident
from studio.tables.state.table import Round, Stage, TableState, awaited, phase_of
from studio.views import blackjack, poker
from studio.views.act import next_act
from studio.views.button import primary
from studio.views.case import view_case
from studio.views.correction import view_correction
from studio.views.count import view_change, view_count
from studio.views.deck import view_decks, view_machine
from studio.views.device import part_of, parts, view_devices
from studio.views.exposure import view_exposure
from studio.views.message import view_messages
from studio.views.open_face import rows_shown
from studio.views.pay_table import view_pay_table
from studio.views.procedure import row_words, view_following, view_procedure
from studio.views.room import view_room
from studio.views.shape import (
    BetsView,
    BoxView,
    CardView,
    HindranceView,
    IncidentView,
    PastView,
    ResultView,
    SeatView,
    TableView,
    Words,
)
from studio.views.showdown import hands_shown
from studio.views.unsealing import view_sealed
from studio.views.vouch import view_vouch

NO_HAND: Final = blackjack.HandView()


def view_table(
    state: TableState, book: Book, seq: int, results: Iterable[ResultView] = (), past: PastView | None = None
) -> TableView:
    """Everything a console needs of one table; holds no sealed face."""
    round = state.round
    return TableView(
        table=state.config.key,
        title=state.config.title,
        game=state.game.key,
        game_title=state.game.title,
        seq=seq,
        moves=state.moves.count,
        status=str(state.status),
        phase=phase_of(state),
        held=state.held,
        frozen_by=state.pit.freeze.by,
        frozen_by_name=state.pit.freeze.by_name,
        frozen_with=state.pit.freeze.floor,
        pit_called_by=state.pit.call.by,
        pit_called_by_name=state.pit.call.by_name,
        dealer=state.seat.dealer,
        dealer_name=state.seat.dealer_name,
        act=next_act(state),
        primary=primary(state),
        boxes=_boxes(state, book),
        round=round.id if round else "",
        round_number=round.number if round else 0,
        round_stage=str(round.stage) if round else "",
        attempt=round.attempt if round else 0,
        outcome=round.outcome if round else None,
        bets=_bets(state, book),
        incidents=tuple(_incident(state, incident) for incident in state.incidents.open),
        deck_id=state.deck.id if state.deck else "",
        shoe_number=state.deck.shoe_number if state.deck else 0,
        cards_left=state.game.shoe.cards - state.deck.drawn if state.deck else None,
        rounds_left=_rounds_left(state),
        links=_links(state),
        devices=view_devices(state),
        machine=view_machine(state),
        decks=view_decks(state),
        camera_blind=state.devices.camera_blind,
        limits=_limits(state, state.config.currency),
        needs=dict(state.game.betting.needs),
        pay_table=view_pay_table(state),
        results=tuple(results),
        past=past or PastView(),
        currencies={currency: _limits(state, currency) for currency in state.config.currencies},
        rates=state.config.rates,
        cases=tuple(view_case(case, state.config.currency) for case in state.aftermath.cases),
        correction=view_correction(state.aftermath.corrections.current),
        sealed=view_sealed(state),
        camera_late=_camera_late(state),
        why=_why(state),
        seat=_seat(state),
        own_rows=state.config.own_rows,
        following=view_following(state),
        messages=view_messages(state),
        count=view_count(state),
        change=view_change(state),
        rules=state.config.rules,
        window_s=state.config.window_s,
        changed_by=state.pit.terms.changed_by,
        preset=state.pit.terms.preset,
        exposure=view_exposure(state, book),
        room=view_room(state),
        decided=_decided(round),
        revealed=revealed(state),
    )


def _seat(state: TableState) -> SeatView:
    seat = state.seat
    plan = tuple((turn.dealer, turn.dealer_name, turn.at_ms) for turn in seat.plan)
    return SeatView(seat.since_ms, seat.relief, seat.relief_name, seat.relief_at_ms, plan, seat.stood_down, seat.why)


def _boxes(state: TableState, book: Book) -> tuple[BoxView, ...]:
    hands, rows, after = _hands(state, book), rows_shown(state), adopted(state)
    next_slot = due_slot(after)
    touched = _touched(state, after, next_slot)
    found = (
        _box(state, box, _cards(state, after, (box, places), next_slot, touched), hands.get(box, NO_HAND))
        for box, places in state.game.felt.zones.items()
    )
    return tuple(replace(box, hand=rows[box.key]) if box.key in rows else box for box in found)


def _hands(state: TableState, book: Book) -> Mapping[str, blackjack.HandView]:
    """How the hands of a game that is played by boxes stand now."""
    round = state.round
    if state.game.key != BLACKJACK.key or round is None:
        return {}
    return blackjack.hands_of(round, book.by_bet if book.round == round.id else (), round.took)


def _why(state: TableState) -> Words | None:
    round = state.round
    if state.game.peers is not None:
        return poker.said(state, hands_shown(state))
    if state.game.key != BLACKJACK.key or state.held or round is None or not round.live:
        return None
    slot = awaited_slot(state)
    return blackjack.why(round, draws=slot is not None and slot[0] == DEALER)


def _camera_late(state: TableState) -> Words | None:
    """A camera that is blind, or whose cable is out, has nothing to be late with."""
    late = state.devices.camera_late
    if late is None or state.devices.camera_blind or not state.devices.links.get(state.config.camera, False):
        return None
    return Words("camera.behind", {"s": max(1, round(late.behind_ms / 1000)), "percent": late.shed_percent})


def _box(state: TableState, box: str, cards: tuple[CardView, ...], hand: blackjack.HandView) -> BoxView:
    ranks_as, won, ranks_in = _hand(state.round, box)
    return BoxView(box, f"box.{box}", cards, ranks_as, won, ranks_in, hand.points, hand.soft, hand.marks)


def _hand(round: Round | None, box: str) -> tuple[str, str, str]:
    """The words of a complete hand, how it stands and its class, from the game's own description."""
    described = _described(round).get(box)
    if not isinstance(described, Mapping):
        return "", "", ""
    name, won, ranks_in = (str(described.get(key, "")) for key in ("name", "result", "class"))
    return name, won, ranks_in


def _described(round: Round | None) -> Mapping[str, object]:
    if round is None or round.stage in (Stage.VOIDING, Stage.VOIDED):
        return {}
    return round.outcome or {}


def _touched(state: TableState, after: TableState, due: Slot | None) -> frozenset[Slot]:
    """The places of which there is anything to tell; all others are bare."""
    round = after.round
    dealt = (*round.cards, *round.accepted, *round.unread) if round is not None else ()
    return frozenset((*dealt, *state.felt.looks, *((due,) if due is not None else ())))


def _cards(
    state: TableState, after: TableState, zone: tuple[str, int], due: Slot | None, touched: frozenset[Slot]
) -> tuple[CardView, ...]:
    box, places = zone
    return tuple(
        _card(state, after, (box, place), due) if (box, place) in touched else _bare(place)
        for place in range(1, places + 1)
    )


@cache
def _bare(place: int) -> CardView:
    return CardView(place, "empty", None, "none")


def _card(state: TableState, after: TableState, slot: Slot, next_slot: Slot | None) -> CardView:
    """A place as it will be `after` the table goes on: a card drawn while it was held is owed, and has no face yet."""
    round = after.round
    fact = card_at(round, slot) if round is not None else None
    camera = _camera_word(state, slot)
    if round is None or fact is None:
        due = slot == next_slot
        unread = round is not None and (slot in round.unread or (slot in round.missed and slot in state.felt.looks))
        return CardView(slot[1], "unread" if unread else "awaited" if due else "empty", None, camera)
    if isinstance(fact, CardBurned) or fact.face is None:
        seen = fact.card.id in round.confirmed
        return CardView(slot[1], "sealed" if seen else _doubt(round, fact.card.id, "sealed_owed"), None, camera)
    state_word = "confirmed" if fact.card.id in round.confirmed else _doubt(round, fact.card.id, "shoe")
    stands = state.round is not None and card_at(state.round, slot) is not None
    vouch = view_vouch(round, fact, state.felt.looks.get(slot)) if stands else None
    return CardView(slot[1], state_word, str(fact.face) if stands else None, camera, vouch)


def _doubt(round: Round, id: str, otherwise: str) -> str:
    why = round.doubts.get(id)
    return {None: otherwise, "contradiction": "contradiction"}.get(why, "unsure")


def _camera_word(state: TableState, slot: Slot) -> str:
    look = state.felt.looks.get(slot)
    if look is None:
        return "none"
    return {CardFace.UP: "up", CardFace.DOWN: "down", CardFace.UNSURE: "unsure"}[look.face]


def _were_open(round: Round) -> bool:
    """Whether bettors could bet: no other window comes before theirs, and a round dealt again has had it."""
    closed = any(isinstance(fact, WindowClosed) for fact in round.facts)
    return closed or round.closes_at_ms is not None or round.attempt > 1


def _bets(state: TableState, book: Book) -> BetsView:
    round = state.round
    mine = round is not None and book.round == round.id
    running = round is not None and round.closes_at_ms is not None and round.live
    now = awaited(state)
    step = now.step if now else None
    said = readiness(round, book) if round and state.game.owned is not None else NOBODY
    return BetsView(
        open=running and isinstance(step, OpenBets),
        deciding=step.options if running and isinstance(step, Decide | Turn) else (),
        turn=step.box if running and isinstance(step, Turn) else "",
        asked=_asked(state, book, step) if running and mine else 0,
        decided=book.conduct.decided if running and mine else 0,
        closes_at_ms=round.closes_at_ms if round else None,
        count=round.bets if round else 0,
        stake_minor=round.stake_minor if round else 0,
        currency=state.config.currency,
        by_bet=dict(book.by_bet) if mine else {},
        ready=said.ready,
        bettors=said.bettors,
        opened=round is not None and _were_open(round),
    )


def _asked(state: TableState, book: Book, step: object) -> int:
    """How many have something to decide now: boxes, where hands are dealt to them, else bettors."""
    if isinstance(step, Turn):
        return 1
    if not isinstance(step, Decide):
        return 0
    round = state.round
    return len(round.boxes) if round and round.boxes else book.conduct.asked(state.game, step)


def _incident(state: TableState, incident: Incident) -> IncidentView:
    asked = incident.asked
    due_box, due_place = _belongs(state, incident)
    return IncidentView(
        id=incident.id,
        kind=incident.kind,
        phase=incident.phase,
        row=incident.row,
        text=incident.text,
        ruling=incident.ruling,
        options=incident.options or (incident.ruling,),
        approval=incident.approval,
        refund=incident.refund,
        arguments=incident.arguments,
        reported_by=incident.reported_by,
        opened_at_ms=incident.opened_at_ms,
        holds=incident.holds,
        box=incident.box,
        place=incident.place,
        device=part_of(state, incident.device),
        evidence=incident.evidence,
        circumstances=incident.circumstances,
        asked_ruling=asked.ruling if asked else "",
        asked_by=asked.asked_by if asked else "",
        asked_by_name=asked.asked_by_name if asked else "",
        asked_arguments=asked.arguments if asked else (),
        asked_reason=asked.reason_code if asked else "",
        asked_words=asked.words if asked else "",
        asked_until_ms=asked.expires_at_ms if asked else 0,
        asked_mark=asked.mark if asked else "",
        ruled=incident.ruled,
        due_box=due_box,
        due_place=due_place,
        words=row_words(state, incident),
        procedure=view_procedure(state, incident),
        readings=tuple((one.ruling, one.eye, str(one.face)) for one in readings(state, incident)),
        hindered=_hindered(state, incident),
    )


def _hindered(state: TableState, incident: Incident) -> dict[str, HindranceView]:
    ways = () if incident.ruled else incident.options or (incident.ruling,)
    found = {way: hindrance(state, incident, way) for way in ways}
    return {
        way: HindranceView(why.sentence, why.words_key, why.values) for way, why in found.items() if why is not None
    }


def _belongs(state: TableState, incident: Incident) -> Slot:
    """Where the card of an incident belongs, if it lies somewhere else."""
    if state.round is None or not incident.cards or not incident.place:
        return ("", 0)
    own = set_to(state, incident.cards[0]) or place_of(state.round, incident.cards[0])
    return own if own is not None and own != (incident.box, incident.place) else ("", 0)


def _rounds_left(state: TableState) -> int | None:
    if state.deck is None or state.game.shoe.rounds_per_shuffle is None:
        return None
    return max(0, state.game.shoe.rounds_per_shuffle - state.deck.rounds)


def _links(state: TableState) -> dict[str, bool]:
    """Each device the table has, by its part (`shoe`, `shuffler`, `camera`), and whether its link is up."""
    return {part: state.devices.links.get(id, False) for part, id in parts(state).items() if id}


def _decided(round: Round | None) -> dict[str, str]:
    """What each bet decided before the end returns, once those bets are paid; empty for a void round."""
    if round is None or round.parts.turned is not None or round.stage in (Stage.VOIDING, Stage.VOIDED):
        return {}
    return {bet: str(ret) for bet, ret in round.parts.returns.items()}


def _limits(state: TableState, currency: str) -> dict[str, tuple[int, int]]:
    config, game = state.config, state.game
    found = {bet: limit_in(limit_of(config, game, bet), currency, config) for bet in game.betting.bets}
    return {bet: (limit.least_minor, limit.most_minor) for bet, limit in found.items()}
