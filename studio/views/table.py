"""The only place where a table's state becomes what a screen shows: the act, the felt, the buttons, the incidents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from studio.games.blackjack import BLACKJACK, DEALER
from studio.games.script import Burn, Deal, Decide, OpenBets, Reveal, Shuffle, Turn
from studio.people import Actor, Role
from studio.ports import CardFace
from studio.procedures import RULING_BY_KEY
from studio.rounds import Awaiting, CardBurned, CardDealt, Finished
from studio.tables import command as c
from studio.tables.book import Book
from studio.tables.carrying import left_to_do
from studio.tables.dealing import shoe_is_short, waiting_for_eyes
from studio.tables.decide import refusal
from studio.tables.limit import limit_in, limit_of
from studio.tables.reading import adopted
from studio.tables.seeing import awaited_slot, card_at, due_slot, place_of, unconfirmed
from studio.tables.state import Incident, Round, Slot, Stage, Status, TableState, awaited, phase_of
from studio.views import blackjack
from studio.views.case import view_case
from studio.views.pay_table import view_pay_table
from studio.views.shape import (
    BetsView,
    BoxView,
    ButtonView,
    CardView,
    IncidentView,
    PastView,
    ResultView,
    TableView,
    Words,
)

_DEALER: Final = Actor("", "the dealer", frozenset({str(Role.DEALER)}))


def view_table(
    state: TableState, book: Book, seq: int, results: Iterable[ResultView] = (), past: PastView | None = None
) -> TableView:
    """Everything a console needs of one table; holds no sealed face."""
    round = state.round
    after = adopted(state)
    next_slot = due_slot(after)
    hands = _hands(state, book)
    return TableView(
        table=state.config.key,
        title=state.config.title,
        game=state.game.key,
        game_title=state.game.title,
        seq=seq,
        moves=state.moves,
        status=str(state.status),
        phase=phase_of(state),
        held=state.held,
        frozen_by=state.frozen_by,
        pit_called_by=state.pit_called_by,
        dealer=state.dealer,
        dealer_name=state.dealer_name,
        act=next_act(state),
        primary=_primary(state),
        buttons=_buttons(state),
        boxes=tuple(
            _box(state, box, _cards(state, after, box, places, next_slot), hands.get(box, blackjack.HandView()))
            for box, places in state.game.zones.items()
        ),
        round=round.id if round else "",
        round_number=round.number if round else 0,
        round_stage=str(round.stage) if round else "",
        attempt=round.attempt if round else 0,
        outcome=round.outcome if round else None,
        bets=_bets(state, book),
        incidents=tuple(_incident(state, incident) for incident in state.incidents),
        deck_id=state.deck.id if state.deck else "",
        shoe_number=state.deck.shoe_number if state.deck else 0,
        cards_left=52 * state.game.decks - state.deck.drawn if state.deck else None,
        rounds_left=_rounds_left(state),
        links=_links(state),
        camera_blind=state.camera_blind,
        limits=_limits(state, state.config.currency),
        needs=dict(state.game.needs),
        pay_table=view_pay_table(state),
        results=tuple(results),
        past=past or PastView(),
        currencies={currency: _limits(state, currency) for currency in state.config.currencies},
        rates=state.config.rates,
        cases=tuple(view_case(case, state.config.currency) for case in state.cases),
        why=_why(state),
    )


def next_act(state: TableState) -> Words:
    """The one thing the dealer does next, as a message of the catalogue."""
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
        return _load_act(state) if state.felt_clear or round.cards else Words("act.collect_cards")
    match round.standing:
        case Finished():
            done = "act.declare_result" if round.cards else "act.nobody_bet"
            return _eyes_act(state, round, "act.square_cards") or Words(done)
        case Awaiting() as now:
            return _step_act(state, round, now)
    return Words("act.held")


def _eyes_act(state: TableState, round: Round, square: str) -> Words | None:
    """Cards the camera owes its word on: wait for it, and once it has taken too long, square them [HG21]."""
    if not waiting_for_eyes(round):
        return None
    late = state.open_incident("camera_unsure") is not None
    return Words(square if late else "act.wait_camera", {"places": _places(round)})


def _step_act(state: TableState, round: Round, now: Awaiting) -> Words:
    match now.step:
        case Burn(count=count):
            return Words("act.burn", {"count": count, "done": now.done, "left": count - now.done})
        case OpenBets():
            if round.closes_at_ms is not None:
                return Words("act.bets_open")
            return _eyes_act(state, round, "act.square_burn") or Words("act.open_bets")
        case Deal(box=box, face=face):
            return Words(
                "act.deal" if face is CardFace.UP else "act.deal_down", {"box": f"box.{box}", "place": now.place}
            )
        case Decide():
            return Words("act.decide" if round.closes_at_ms is not None else "act.open_decisions")
        case Turn(box=box):
            return Words("act.turn", {"box": f"box.{box}"})
        case Reveal(box=box):
            return Words("act.reveal", {"box": f"box.{box}"})
        case Shuffle():
            return Words("act.shuffle")


def _held_act(state: TableState) -> Words:
    ruled = next((incident for incident in state.incidents if incident.ruled and incident.holds), None)
    if ruled is not None:
        left = left_to_do(state, ruled)
        bare = ruled.ruled == "reread_all" and left and not any(_card_lies(state, slot) for slot in left)
        return Words("act.nothing_there" if bare else f"act.carry_out.{ruled.ruled}", {"places": _slots(left)})
    holding = next((incident for incident in state.incidents if incident.holds), None)
    if holding is None:
        return Words("act.frozen", {"by": state.frozen_by})
    return Words("act.held", {"incident": f"incident.{holding.kind}"})


def _card_lies(state: TableState, slot: Slot) -> bool:
    """Whether there is a card to read in this place: one the camera sees, or one on record [HG14]."""
    return slot in state.felt or (state.round is not None and card_at(state.round, slot) is not None)


def _between_rounds(state: TableState) -> Words:
    if not state.felt_clear:
        return Words("act.clear_felt")
    if shoe_is_short(state):
        return _load_act(state)
    return Words("act.start_round")


def _load_act(state: TableState) -> Words:
    if state.approved:
        return Words("act.load_shoe", {"deck": state.approved[-1]})
    return Words("act.shuffle")


def _primary(state: TableState) -> ButtonView | None:
    """The big button: the command of the next act, where the act is a button and not a card."""
    commands: Mapping[str, tuple[str, c.PersonCommand]] = {
        "act.start_round": ("start_round", c.StartRound(actor=_DEALER)),
        "act.load_shoe": ("load_shoe", c.LoadShoe(actor=_DEALER)),
        "act.open_bets": ("open_betting", c.OpenBetting(actor=_DEALER)),
        "act.bets_open": ("close_betting", c.CloseBetting(actor=_DEALER)),
        "act.open_decisions": ("open_betting", c.OpenBetting(actor=_DEALER)),
        "act.decide": ("close_betting", c.CloseBetting(actor=_DEALER)),
        "act.declare_result": ("declare_result", c.DeclareResult(actor=_DEALER)),
        "act.nobody_bet": ("declare_result", c.DeclareResult(actor=_DEALER)),
        "act.clear_felt": ("confirm_felt_clear", c.ConfirmFeltClear(actor=_DEALER)),
    }
    act = next_act(state).key
    found = commands.get(act)
    if found is None:
        return None
    name, command = found
    button = _button(state, command, name, _LABELS.get(act, f"button.{name}"), "Space")
    return None if act == "act.clear_felt" and button.refused else button  # the camera sees it clear by itself


_LABELS: Final = {
    "act.open_decisions": "button.open_decisions",
    "act.decide": "button.close_decisions",
    "act.nobody_bet": "button.close_round",
}
"""Where one command opens or closes a window of bets and one of decisions."""


def _buttons(state: TableState) -> tuple[ButtonView, ...]:
    offered: tuple[tuple[str, c.PersonCommand, str], ...] = (
        ("freeze", c.FreezeTable(actor=_DEALER), "F"),
        ("call_pit", c.CallPit(actor=_DEALER), "P"),
    )
    return tuple(_button(state, command, name, f"button.{name}", key) for name, command, key in offered)


def _button(state: TableState, command: c.PersonCommand, name: str, label: str, shortcut: str) -> ButtonView:
    off = refusal(state, command, 0)
    return ButtonView(name, Words(label), off.sentence if off else None, shortcut, off.key if off else "")


def _hands(state: TableState, book: Book) -> Mapping[str, blackjack.HandView]:
    """How the hands of a game that is played by boxes stand now."""
    round = state.round
    if state.game.key != BLACKJACK.key or round is None:
        return {}
    return blackjack.hands_of(round, book.by_bet if book.round == round.id else (), round.took)


def _why(state: TableState) -> Words | None:
    round = state.round
    if state.game.key != BLACKJACK.key or state.held or round is None or not round.live:
        return None
    slot = awaited_slot(state)
    return blackjack.why(round, draws=slot is not None and slot[0] == DEALER)


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


def _cards(state: TableState, after: TableState, box: str, places: int, due: Slot | None) -> tuple[CardView, ...]:
    return tuple(_card(state, after, (box, place), due) for place in range(1, places + 1))


def _card(state: TableState, after: TableState, slot: Slot, next_slot: Slot | None) -> CardView:
    """A place as it will be `after` the table goes on: a card drawn while it was held is owed, and has no face yet."""
    round = after.round
    fact = card_at(round, slot) if round is not None else None
    camera = _camera_word(state, slot)
    if round is None or fact is None:
        due = slot == next_slot
        unread = round is not None and (slot in round.unread or (slot in round.missed and slot in state.felt))
        return CardView(slot[1], "unread" if unread else "awaited" if due else "empty", None, camera)
    if isinstance(fact, CardBurned) or fact.face is None:
        seen = fact.card.id in round.confirmed
        return CardView(slot[1], "sealed" if seen else _doubt(round, fact.card.id, "sealed_owed"), None, camera)
    state_word = "confirmed" if fact.card.id in round.confirmed else _doubt(round, fact.card.id, "shoe")
    stands = state.round is not None and card_at(state.round, slot) is not None
    return CardView(slot[1], state_word, str(fact.face) if stands else None, camera)


def _doubt(round: Round, id: str, otherwise: str) -> str:
    why = round.doubts.get(id)
    return {None: otherwise, "contradiction": "contradiction"}.get(why, "unsure")


def _camera_word(state: TableState, slot: Slot) -> str:
    look = state.felt.get(slot)
    if look is None:
        return "none"
    return {CardFace.UP: "up", CardFace.DOWN: "down", CardFace.UNSURE: "unsure"}[look.face]


def _bets(state: TableState, book: Book) -> BetsView:
    round = state.round
    mine = round is not None and book.round == round.id
    running = round is not None and round.closes_at_ms is not None and round.live
    now = awaited(state)
    step = now.step if now else None
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
    steps = tuple(step.key for step in RULING_BY_KEY[incident.ruled].steps) if incident.ruled else ()
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
        device=_part(state, incident.device),
        evidence=incident.evidence,
        circumstances=incident.circumstances,
        asked_ruling=asked.ruling if asked else "",
        asked_by=asked.by if asked else "",
        asked_by_name=asked.by_name if asked else "",
        asked_arguments=asked.arguments if asked else (),
        asked_reason=asked.reason_code if asked else "",
        asked_words=asked.words if asked else "",
        asked_until_ms=asked.expires_at_ms if asked else 0,
        ruled=incident.ruled,
        steps=steps,
        due_box=due_box,
        due_place=due_place,
    )


def _belongs(state: TableState, incident: Incident) -> Slot:
    """Where the card of an incident belongs, if it lies somewhere else."""
    own = place_of(state.round, incident.cards[0]) if state.round and incident.cards and incident.place else None
    return own if own is not None and own != (incident.box, incident.place) else ("", 0)


def _rounds_left(state: TableState) -> int | None:
    if state.deck is None or state.game.rounds_per_shuffle is None:
        return None
    return max(0, state.game.rounds_per_shuffle - state.deck.rounds)


def _links(state: TableState) -> dict[str, bool]:
    """Each device the table has, by its part (`shoe`, `shuffler`, `camera`), and whether its link is up."""
    return {part: state.links.get(id, False) for part, id in _parts(state).items() if id}


def _part(state: TableState, device: str) -> str:
    """The part a device plays at this table; the id itself of one that has gone."""
    return next((part for part, id in _parts(state).items() if id and id == device), device)


def _parts(state: TableState) -> dict[str, str]:
    return {"shoe": state.config.shoe, "shuffler": state.config.shuffler, "camera": state.config.camera}


def _limits(state: TableState, currency: str) -> dict[str, tuple[int, int]]:
    config, game = state.config, state.game
    found = {bet: limit_in(limit_of(config, game, bet), currency, config) for bet in game.bets}
    return {bet: (limit.least_minor, limit.most_minor) for bet, limit in found.items()}


def _places(round: Round) -> str:
    return ", ".join(
        f"burn {fact.place}" if isinstance(fact, CardBurned) else f"{fact.box} {fact.place}"
        for fact in unconfirmed(round)
        if isinstance(fact, CardBurned | CardDealt)
    )


def _slots(slots: Iterable[Slot]) -> str:
    return ", ".join(f"{zone} {place}" for zone, place in slots)
