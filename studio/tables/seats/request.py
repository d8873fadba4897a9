"""What bettors ask of the seats of a poker table: to sit, buy chips, go away, come back and leave.

A buy-in is one commit: the money and the seat. Who is in a hand is paid out when it is over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from studio.errors import RefusedError
from studio.money import Answer, Offer, Transfer, answer_of, bettor_account, format_minor, taking
from studio.rulebook.game import PeerRules
from studio.tables.books.commit import DurableTable
from studio.tables.books.taken import TakenStakes, Weighed, entry_of, nothing_taken
from studio.tables.event import table as e
from studio.tables.state.room import Player, SeatRequest, stack_purse
from studio.tables.state.table import Status, TableState
from studio.value import replace

_NOT_ASKED: Final = "The bettor's wallet was not asked for these chips and nothing was taken: ask for them again."


def take_seats(
    table: DurableTable, requests: Sequence[SeatRequest], at_ms: int, taken: TakenStakes | None = None
) -> tuple[Answer, ...]:
    """Take requests one after another, each answered; `taken`: what bettors' own wallets gave for chips."""
    table.now(at_ms)
    stakes = taken or nothing_taken()
    return tuple(_take(table, request, stakes) for request in requests)


def weigh_seat(table: DurableTable, request: SeatRequest, at_ms: int) -> Answer | Weighed:
    """What would become of this request now, and the chips it buys; nothing is done."""
    table.now(at_ms)
    try:
        _, transfers = _asked(table, request)
    except RefusedError as refused:
        return answer_of(refused, request.client_id)
    return Weighed(tuple(_chips(table, request, moved) for moved in transfers if moved.kind == "buy_in"), 0)


def _take(table: DurableTable, request: SeatRequest, taken: TakenStakes) -> Answer:
    try:
        events, transfers = _asked(table, request)
        bought = [taken.give(_chips(table, request, moved)) for moved in transfers if moved.kind == "buy_in"]
        if any(offer.outside for offer in bought):
            raise RefusedError("wallet_busy", _NOT_ASKED)
        bought = [offer for offer in bought if offer.taken]
        ended = taken.ends(bought, bought, table.at_ms)
        table.commit(events, (*map(taking, bought), *transfers), entry_of(ended))
        taken.book(ended)
    except RefusedError as refused:
        return answer_of(refused, request.client_id)
    return Answer(request.client_id, "", "accepted")


def _asked(table: DurableTable, request: SeatRequest) -> _Asked:
    """What comes of the request; `RefusedError` where nothing does."""
    peers = table.state.game.peers
    if peers is None:
        raise RefusedError("no_seats", "Nobody sits at this table: its bettors play against the house.")
    if request.act not in _ACTS:
        raise RefusedError("no_such_act", f"A seat can {', '.join(_ACTS)}: choose one of them.")
    if table.storage_failed:
        raise RefusedError("held", "The table is held and takes nobody until it goes on.")
    if (known := table.state.room.known(request.operator, request.client_id)) is not None:
        _refuse_again(known, request)
    return _ACTS[request.act](_as_of(table.state, table.at_ms), peers, request)


def _chips(table: DurableTable, request: SeatRequest, moved: Transfer) -> Offer:
    """A buy-in as the stake that a wallet is asked for."""
    return Offer(
        moved.bet, request.operator, request.client_id, request.bettor, table.state.config.key, moved.round, "chips",
        moved.amount_minor, moved.currency,
    )  # fmt: skip


def _as_of(state: TableState, at_ms: int) -> TableState:
    """The table as its guests find it now: who left long enough ago is a new one."""
    return_ms = 1000 * int(state.game.options.check(state.config.rules).get("return_s", 0))
    left = tuple(one for one in state.room.left if at_ms - one.at_ms < return_ms)
    return replace(state, room=replace(state.room, left=left))


_Asked = tuple[tuple[e.AnyEvent, ...], tuple[Transfer, ...]]


def _sit(state: TableState, peers: PeerRules, asked: SeatRequest) -> _Asked:
    if state.status is Status.CLOSED:
        raise RefusedError("closed", "The table is closed; take a seat when it opens.")
    if asked.seat not in peers.seats:
        raise RefusedError("no_such_seat", f"The seats are {peers.seats[0]} to {peers.seats[-1]}: name one of them.")
    if here := state.room.seat_of(asked.operator, asked.bettor):
        raise RefusedError("seated", f"The bettor sits at {here} already; he has one seat at a table.")
    if asked.seat in state.room.players:
        raise RefusedError("seat_taken", f"Somebody sits at {asked.seat}; choose a free seat.")
    left = state.room.left_by(asked.operator, asked.bettor)
    _need_amount(state, asked, 0, left.stack_minor if left else 0)
    waits = bool(state.room.button) and peers.blinds_wait
    taken = e.SeatTaken(
        seat=asked.seat, operator=asked.operator, bettor=asked.bettor, stack_minor=asked.amount_minor,
        client_id=asked.client_id, waits=waits,
    )  # fmt: skip
    return (taken,), _buying(state, asked)


def _refuse_again(known: SeatRequest, asked: SeatRequest) -> None:
    """A request that was taken before changes nothing, however late it comes again."""
    if known == asked.plain:
        raise RefusedError("duplicate", "This was asked and done before; nothing is done again.")
    raise RefusedError(
        "client_id_reused", f"The id {asked.client_id} already names another request; give each one an id of its own."
    )


def _buy(state: TableState, peers: PeerRules, asked: SeatRequest) -> _Asked:
    seat, player = _seated(state, asked)
    if seat in state.room.dealt_in:
        raise RefusedError("in_hand", "Chips are bought between two hands; ask again when this one is over.")
    if player.leaving:
        raise RefusedError("leaving", "The seat is being left; take one again to go on playing.")
    _need_amount(state, asked, player.stack_minor)
    bought = e.ChipsBought(seat=seat, amount_minor=asked.amount_minor, client_id=asked.client_id)
    return (bought,), _buying(state, asked)


def _leave(state: TableState, peers: PeerRules, asked: SeatRequest) -> _Asked:
    seat, player = _seated(state, asked)
    if seat not in state.room.dealt_in:
        return paid_out(state, seat, player, asked.client_id)
    return (() if player.leaving else (e.LeaveAsked(seat=seat, client_id=asked.client_id),)), ()


def _away(state: TableState, peers: PeerRules, asked: SeatRequest) -> _Asked:
    seat, player = _seated(state, asked)
    return (() if player.away else (e.SeatAway(seat=seat, client_id=asked.client_id),)), ()


def _back(state: TableState, peers: PeerRules, asked: SeatRequest) -> _Asked:
    seat, player = _seated(state, asked)
    _need_chips(player)
    changes = player.away or player.posts
    return ((e.SeatBack(seat=seat, client_id=asked.client_id),) if changes else ()), ()


def _post(state: TableState, peers: PeerRules, asked: SeatRequest) -> _Asked:
    seat, player = _seated(state, asked)
    _need_chips(player)
    if not player.waits and not player.away:
        raise RefusedError("waits_for_nothing", "The seat waits for no blind; it is dealt in with the next hand.")
    back = e.SeatBack(seat=seat, posts=True, client_id=asked.client_id)
    return ((back,) if not player.posts else ()), ()


def _need_chips(player: Player) -> None:
    if not player.stack_minor:
        raise RefusedError("no_chips", "The seat has no chips: buy some to be dealt in.")


def _look(state: TableState, peers: PeerRules, asked: SeatRequest) -> _Asked:
    seat, _ = _seated(state, asked)
    if seat not in state.room.dealt_in:
        raise RefusedError("no_cards", "The seat has no cards now: wait for the next hand.")
    if seat in state.room.seen:
        return (), ()
    return (e.HandSeen(seat=seat),), ()


_ACTS: Final[Mapping[str, Callable[[TableState, PeerRules, SeatRequest], _Asked]]] = {
    "sit": _sit, "buy": _buy, "leave": _leave, "away": _away, "back": _back, "post": _post, "look": _look,
}  # fmt: skip


def _seated(state: TableState, asked: SeatRequest) -> tuple[str, Player]:
    seat = state.room.seat_of(asked.operator, asked.bettor)
    if not seat:
        raise RefusedError("not_seated", "The bettor has no seat at this table: take one first.")
    return seat, state.room.players[seat]


def _need_amount(state: TableState, asked: SeatRequest, held_minor: int, took_minor: int = 0) -> None:
    """A buy-in lies between the table's least and most, and a stack is filled up to the most. Who left with chips a
    little while ago, `took_minor`, brings back at least as many [PR-11].
    """
    rules, currency = state.game.options.check(state.config.rules), state.config.currency
    least, most = rules["buy_in_least"], max(rules["buy_in_most"], took_minor)
    if held_minor >= most:
        raise RefusedError("stack_full", f"The stack is {format_minor(most, currency)} or more: no chips are bought.")
    least, most = max(1, least - held_minor), most - held_minor
    if least <= asked.amount_minor < took_minor:
        took = format_minor(took_minor, currency)
        raise RefusedError("brings_less", f"The bettor left here with {took}: come back with as much, or later.")
    if not least <= asked.amount_minor <= most:
        said = f"from {format_minor(max(least, took_minor), currency)} to {format_minor(most, currency)}"
        raise RefusedError("buy_in", f"Chips are bought here {said}: name an amount between.")


def _buying(state: TableState, asked: SeatRequest) -> tuple[Transfer, ...]:
    purse, stack = _accounts(state, asked.operator, asked.bettor)
    id = f"{asked.operator}/{asked.client_id}"
    return (Transfer(room_of(state), id, "buy_in", purse, stack, asked.amount_minor, state.config.currency),)


def paid_out(state: TableState, seat: str, player: Player, client_id: str = "", missed: int = 0) -> _Asked:
    """The seat is left, and all of its chips go back to the bettor's own purse."""
    purse, stack = _accounts(state, player.operator, player.bettor)
    left = e.SeatLeft(seat=seat, stack_minor=player.stack_minor, client_id=client_id, missed=missed)
    id = f"{state.config.key}/{state.moves.count}/{seat}"
    moved = Transfer(room_of(state), id, "cash_out", stack, purse, player.stack_minor, state.config.currency)
    return (left,), (moved,) if player.stack_minor else ()


def room_of(state: TableState) -> str:
    """What stands for a round where chips are bought and paid out, so that no id moves money twice at a table."""
    return f"room:{state.config.key}"


def _accounts(state: TableState, operator: str, bettor: str) -> tuple[str, str]:
    stack = bettor_account(operator, stack_purse(bettor, state.config.key))
    return bettor_account(operator, bettor), stack


def leaving_now(state: TableState) -> tuple[str, Player] | None:
    """Who asked to leave and is in no hand any more, and then, between two hands, who missed too many [PR-11]."""
    players = sorted(state.room.players.items())
    left = next((one for one in players if one[1].leaving and one[0] not in state.room.dealt_in), None)
    if left is not None or state.room.dealt_in or not any(one.missed for _, one in players):
        return left
    most = state.game.options.check(state.config.rules)["away_hands"]
    return next((one for one in players if 0 < most <= one[1].missed), None)
