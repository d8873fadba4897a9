"""The mistakes a person may make at the demo with one tap, and when each can be made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from dealer_ui.rehearsal.hand.deal_order import backwards, deals_down, due_slot, face_due, order_of_deal, places
from dealer_ui.rehearsal.own_hands.hands import Hands, ReaderWay
from dealer_ui.rehearsal.own_hands.reach import DISCARD, newest, newest_down, upon_another_fan
from dealer_ui.rehearsal.own_hands.sleight import empty_shoe, flash, fumble, lay_upon, shift, slip_in, swap
from dealer_ui.rehearsal.repertoire.register import find_wrong
from dealer_ui.rehearsal.repertoire.wrong import Wrong
from devices.sim.felt import LyingCard
from studio.errors import RefusedError
from studio.games import find_game
from studio.ports import CardFace
from studio.views import TableView

When = Callable[[Hands, TableView], str]
"""Empty when it can be done now, else the key of why not: `hands.when.<key>`, or `NEVER`."""

NEVER: Final = "never"
"""The deal of this game has no place for this mistake."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One of the repertoire, by its `key`, which names its words, too: `mistake.<key>` and `mistake_help.<key>`."""

    key: str
    when: When
    make: Callable[[Hands, TableView], None]

    @property
    def wrong(self) -> Wrong:
        return find_wrong(self.key)


def _card_due(hands: Hands, view: TableView) -> str:
    return "" if hands.owed.place() is not None else "card_due"


def _dealing(hands: Hands, view: TableView) -> str:
    due = hands.owed.place()
    return "" if due is not None and due[0] != "burn" else "dealing"


def _dealing_open(hands: Hands, view: TableView) -> str:
    due = hands.owed.place()
    open_due = due is not None and face_due(view, due) is CardFace.UP
    return "" if open_due else "dealing_open"


def _dealing_down(hands: Hands, view: TableView) -> str:
    if not deals_down(view.game.key, view.game.rules):
        return NEVER
    due = hands.owed.place()
    return "" if due is not None and face_due(view, due) is CardFace.DOWN else "dealing_down"


def _burning(hands: Hands, view: TableView) -> str:
    if not _burns(view):
        return NEVER
    due = due_slot(view)
    return "" if due is not None and due[0] == "burn" and hands.owed.place() is not None else "burning"


def _lies_down(hands: Hands, view: TableView) -> str:
    return "" if newest_down(hands.rig.felt) is not None and view.round.stage == "dealing" else "lies_down"


def _burn_done(hands: Hands, view: TableView) -> str:
    if not _burns(view):
        return NEVER
    burned = newest(hands.rig.felt, burned=True) is not None and view.round.stage == "dealing"
    return "" if burned and due_slot(view) is None else "burn_done"


def _bets_open(hands: Hands, view: TableView) -> str:
    return "" if view.bets.open else "bets_open"


def _card_lies(hands: Hands, view: TableView) -> str:
    return "" if newest(hands.rig.felt) is not None else "card_lies"


def _lay_upon(hands: Hands, view: TableView) -> str:
    return _dealing(hands, view) or _card_lies(hands, view)


def _hand_dealt(hands: Hands, view: TableView) -> str:
    felt = hands.rig.felt
    lies = hands.owed.place() is None and all(felt.count(*slot) for slot in order_of_deal(view))
    dealt = lies or view.now.act.key == "act.declare_result"
    done = view.round.id != "" and dealt
    return "" if done else "hand_dealt"


def _first_card(hands: Hands, view: TableView) -> str:
    if not _burns(view) or view.room is not None:
        return NEVER  # only Three Knights deals to boxes of one kind, which can change places
    felt, order = hands.rig.felt, order_of_deal(view)
    bare = not any(felt.count(*slot) for slot in order)
    return "" if bare and not hands.busy and due_slot(view) == order[0] else "first_card"


def _burns(view: TableView) -> bool:
    return any(box.key == "burn" for box in view.boxes)


def _something_lies(hands: Hands, view: TableView) -> str:
    return "" if hands.rig.felt.view().cards and view.round.stage == "dealing" else "something_lies"


def _two_lie(hands: Hands, view: TableView) -> str:
    return "" if len(_in_boxes(hands)) > 1 and view.round.stage == "dealing" else "two_lie"


def _open_lies(hands: Hands, view: TableView) -> str:
    up = any(lying.face is CardFace.UP for lying in hands.rig.felt.view().cards)
    one_deck = find_game(view.game.key).shoe.decks == 1
    return ("" if up and not _card_due(hands, view) else "open_lies") if one_deck else NEVER


def _in_boxes(hands: Hands) -> list[LyingCard]:
    """The cards in boxes, the last one laid at the end; of a fan the last one alone can be moved."""
    top = hands.rig.felt.view().top()
    last = {zone: place for zone, place in sorted(top)}
    fans = {fan.zone for fan in hands.rig.felt.layout.fans}
    found = [card for (zone, place), card in top.items() if zone not in fans or place == last[zone]]
    return sorted(
        (card for card in found if card.slot and card.slot[0] not in ("burn", DISCARD[0])), key=attrgetter("serial")
    )


def _shift(hands: Hands, view: TableView) -> None:
    shift(hands, _in_boxes(hands)[-1])


def _one_lies(hands: Hands, view: TableView) -> str:
    if hands.rig.felt.layout.fans:
        return NEVER  # cards of a fan have no place of their own
    return "" if _in_boxes(hands) and view.round.stage == "dealing" else "card_lies"


def _swap(hands: Hands, view: TableView) -> None:
    cards = _in_boxes(hands)
    up = [card for card in cards if card.face is CardFace.UP]
    one, other = (up if len(up) > 1 else cards)[-2:]
    swap(hands, f"card.{one.serial}", f"card.{other.serial}")


def _hidden(act: Callable[[Hands, str], None]) -> Callable[[Hands, TableView], None]:
    """With the card laid last, face down."""

    def make(hands: Hands, view: TableView) -> None:
        if (hidden := newest_down(hands.rig.felt)) is not None:
            act(hands, f"card.{hidden.serial}")

    return make


def _draw_early(hands: Hands, view: TableView) -> None:
    felt = hands.rig.felt
    hands.draw(next((slot for slot in order_of_deal(view) if not felt.count(*slot)), DISCARD))


def _wrong_box(hands: Hands, view: TableView) -> None:
    """The box dealt to after the right one; when no other comes, a box is overfilled."""
    due, order = hands.owed.place(), order_of_deal(view)
    assert due is not None
    if (upon := upon_another_fan(hands.rig.felt, due)) is not None:
        hands.draw(upon)
        return
    later = order[order.index(due) + 1 :] if due in order else [slot for slot, _ in places(view) if slot[0] != "burn"]
    bare = [slot for slot in later if slot[0] != due[0] and not hands.rig.felt.count(*slot)]
    hands.draw(next(iter((*bare, *(slot for slot in order if slot[0] != due[0])))))


def _with_newest(act: Callable[[Hands, str], None]) -> Callable[[Hands, TableView], None]:
    def make(hands: Hands, view: TableView) -> None:
        if (last := newest(hands.rig.felt)) is not None:
            act(hands, f"card.{last.serial}")

    return make


def _drawn(face: CardFace | None = None, reader: ReaderWay = ReaderWay.OVER) -> Callable[[Hands, TableView], None]:
    def make(hands: Hands, view: TableView) -> None:
        if (due := hands.owed.place()) is not None:
            hands.draw(due, face, reader)

    return make


def _one_burn_more(hands: Hands, view: TableView) -> None:
    burned = newest(hands.rig.felt, burned=True)
    if burned is not None and burned.slot is not None:
        hands.draw(burned.slot)


def _leave_hand(hands: Hands, view: TableView) -> None:
    if (due := hands.owed.place()) is not None:
        hands.draw(due)
        hands.toggle_hand(due)


def _switched(hands: Hands, view: TableView) -> None:
    if (due := hands.owed.place()) is not None:
        hands.draw_and_switch(due)


MISTAKES: Final[tuple[Mistake, ...]] = (
    Mistake("expose", _lies_down, _hidden(Hands.turn)),
    Mistake("flash", _lies_down, _hidden(flash)),
    Mistake("draw_early", _bets_open, _draw_early),
    Mistake("wrong_box", _dealing, _wrong_box),
    Mistake("beside", _card_due, lambda hands, view: hands.draw_beside()),
    Mistake("shift", _one_lies, _shift),
    Mistake("swap", _two_lie, _swap),
    Mistake("drop", _card_lies, _with_newest(Hands.drop)),
    Mistake("fumble", _dealing, lambda hands, view: fumble(hands)),
    Mistake("take_away", _card_lies, _with_newest(lambda hands, ref: hands.reach.take_away(ref))),
    Mistake("lay_upon", _lay_upon, lambda hands, view: lay_upon(hands)),
    Mistake("backwards", _first_card, lambda hands, view: hands.draw_many(backwards(view))),
    Mistake("burn_face_up", _burning, _drawn(CardFace.UP)),
    Mistake("one_burn_more", _burn_done, _one_burn_more),
    Mistake("extra_card", _hand_dealt, lambda hands, view: hands.draw_beside(face=CardFace.DOWN)),
    Mistake("clear_early", _something_lies, lambda hands, view: hands.clear()),
    Mistake("past_reader", _card_due, _drawn(reader=ReaderWay.PAST)),
    Mistake("unreadable", _card_due, _drawn(reader=ReaderWay.UNREAD)),
    Mistake("face_up", _dealing_down, _drawn(CardFace.UP)),
    Mistake("face_down", _dealing_open, _drawn(CardFace.DOWN)),
    Mistake("switched", _dealing, _switched),
    Mistake("hand_over", _dealing, _leave_hand),
    Mistake("slip_in", _open_lies, lambda hands, view: slip_in(hands)),
    Mistake("empty_shoe", _card_due, lambda hands, view: empty_shoe(hands)),
)
"""The commonest first; the keys of the page count in this order."""

MISTAKE_BY_KEY: Final = {mistake.key: mistake for mistake in MISTAKES}


def make_mistake(hands: Hands, key: str) -> None:
    """Make it, or refuse with why it cannot be made now."""
    mistake, view = MISTAKE_BY_KEY.get(key), hands.view()
    if mistake is None:
        raise RefusedError("hands_unknown", "Your hands do not know how to do that. Load the page again.")
    if why := mistake.when(hands, view):
        raise RefusedError(f"hands_{why}", "That mistake cannot be made now. Choose another one.")
    mistake.make(hands, view)
