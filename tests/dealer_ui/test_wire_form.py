"""What travels between processes comes out as it went in, and nothing else is ever made of it."""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import fake_floor
import fake_poker
import msgspec
import pytest
from fake_blackjack import FIRST, SECOND, jack
from running_studio import BURNS, DEALER, House

from dealer_ui.process.throttle import TooOftenError
from dealer_ui.wire.call import CALLS, COMMAND, FATE, PICTURE, PLACE_BETS, HostCall
from dealer_ui.wire.form import RoundNamed, digest_of, form_of, read, written
from dealer_ui.wire.host_end import HostEnd
from dealer_ui.wire.message import (
    VERSION,
    raise_refusal,
    read_ask,
    read_shown,
    read_told,
    refusal,
    show,
    version_of,
    view_in,
)
from studio.errors import BadInputError, RefusedError, StorageError, StudioError
from studio.spoken import Amount, Places, Seats
from studio.tables import command as c
from studio.tables.command import COMMANDS
from studio.views import TableView

VIEWS = {
    "idle": fake_floor.IDLE, "burning": fake_floor.BURNING, "betting": fake_floor.BETTING,
    "dealing": fake_floor.DEALING, "declared": fake_floor.DECLARED, "held": fake_floor.held(),
    "past": fake_floor.altered(fake_floor.IDLE, past={"results": fake_floor.results(8)}),
    "a box is played": jack(*FIRST, *SECOND),
    **{f"poker: {name}": view for name, view in fake_poker.STATES.items()},
}  # fmt: skip


def there_and_back(view: TableView) -> TableView:
    return view_in(read_shown(show("a", "run", view)))


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_comes_out_as_it_went_in(name: str) -> None:
    back = there_and_back(VIEWS[name])
    assert back == VIEWS[name]
    assert repr(back) == repr(VIEWS[name])


def test_every_view_of_a_round_comes_out_as_it_went_in(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        for step in (house.open, house.burn, house.deal_all, house.finish):
            if step == house.deal_all:
                house.do(c.OpenBetting)
                house.bet("b1")
                house.do(c.CloseBetting)
            step()
            assert repr(there_and_back(house.view)) == repr(house.view)
            plain = zlib.decompress(read_shown(show("a", "run", house.view)).of)
            assert not [card for card in BURNS if b"\xa2" + str(card).encode() in plain]  # they lie face down, for good


def _least(hint: str) -> Any:
    """A value of a field that is written so."""
    kinds = {"tuple": (), "Mapping": {}, "float": 1.5, "NUMBER": 3, "Number": 3, "int": 3, "bool": True, "Yes": True}
    return next((value for name, value in kinds.items() if name in hint), "x")


def _commands() -> Iterator[Any]:
    for made in COMMANDS:
        given: dict[str, Any] = {"actor": DEALER.with_pin(5), "id": "tap-1", "seen": 4}
        hints = {one.name: one for one in dataclasses.fields(made)}
        for name, hint in hints.items():
            if hint.default is dataclasses.MISSING and hint.default_factory is dataclasses.MISSING:
                given.setdefault(name, _least(str(hint.type)))
        if not {"dossier", "sealed"} & given.keys():
            yield made(**given)


@pytest.mark.parametrize("command", tuple(_commands()), ids=lambda one: type(one).__name__)
def test_a_command_comes_out_as_it_went_in(command: Any) -> None:
    packed = msgspec.msgpack.decode(msgspec.msgpack.encode(COMMAND.pack(("t1", command))))
    assert COMMAND.unpack(packed) == ["t1", command]


def test_a_round_is_named_and_never_sent() -> None:
    form = form_of(c.Dossier)
    assert form.read("t1-0000001") == RoundNamed("t1-0000001")


def test_what_a_refusal_names_comes_out_as_it_went_in() -> None:
    sent = RefusedError(
        "moved", "It moved.", which="on", at=Places((("player1", 2),)), sum=Amount(5, "EUR"), seats=Seats(("seat1",)),
        n=3, who="Ann",
    )  # fmt: skip
    with pytest.raises(RefusedError) as told:
        raise_refusal(refusal(sent))
    assert (told.value.key, told.value.words_key, told.value.sentence) == ("moved", "moved.on", "It moved.")
    assert told.value.values == sent.values


@pytest.mark.parametrize(
    "error", [TooOftenError("often", "Wait.", 4), StorageError("The disk is full."), BadInputError("No such table.")]
)
def test_another_error_is_raised_as_what_it_was(error: StudioError) -> None:
    with pytest.raises(type(error), match=str(error)):
        raise_refusal(refusal(error))


@pytest.mark.parametrize("message", [b"", b"\xc1", b"\x93\x01\x02\x03", b"\x91" * 20_000, b"\x80"], ids=repr)
def test_a_message_that_is_none_is_told_in_a_sentence(message: bytes) -> None:
    for reading in (read_ask, read_told, read_shown):
        with pytest.raises(BadInputError, match="cannot be read"):
            reading(message)


@pytest.mark.parametrize(
    "plain",
    [None, [], ["t1"], ["t1", {"is": "Popen", "of": []}], ["t1", {"is": "StartRound", "of": [1, 2, 3]}], [7, {}]],
)
def test_a_command_that_is_none_makes_nothing(plain: Any) -> None:
    with pytest.raises((TypeError, ValueError, LookupError, StudioError)):
        COMMAND.unpack(plain)


def test_a_text_is_no_number() -> None:
    [table, operator, offers, currency] = PLACE_BETS.pack(("t1", "north", (), "EUR"))
    with pytest.raises(TypeError):
        PLACE_BETS.unpack([table, operator, 5, currency])
    with pytest.raises(BadInputError, match="another version"):
        read(TableView, [1, 2, 3])
    assert offers == []


def test_a_view_that_unpacks_to_more_than_one_is_refused() -> None:
    shown = read_shown(show("a", "run", fake_floor.IDLE))
    bomb = msgspec.structs.replace(shown, of=zlib.compress(b"\x00" * 9_000_000))
    with pytest.raises(BadInputError, match="longer than one is"):
        view_in(bomb)


def test_versions_differ_where_the_fields_of_anything_within_do() -> None:
    @dataclasses.dataclass(frozen=True)
    class Inner:
        a: int

    plain = digest_of(TableView, *COMMANDS)
    assert plain == digest_of(*reversed(COMMANDS), TableView)
    assert plain != digest_of(TableView)
    assert len({digest_of(tuple[Inner, ...]), digest_of(int), digest_of(str)}) == 3


def test_every_call_has_a_form_and_the_host_answers_it() -> None:
    for call in CALLS.values():
        assert all(kind is not None for kind in call.takes)
        assert hasattr(HostEnd, f"_{call.name}"), call.name
    assert written(TableView, fake_floor.IDLE)


# --- versions -------------------------------------------------------------------------------------------

EVERY = (*CALLS.values(), FATE)


def renamed(one: HostCall) -> HostCall:
    return dataclasses.replace(one, name=f"{one.name}_once")


def taking_more(one: HostCall) -> HostCall:
    return dataclasses.replace(one, takes=(*one.takes, float))


def giving_more(one: HostCall) -> HostCall:
    return dataclasses.replace(one, gives=tuple[one.gives, float])  # type: ignore[name-defined]


@pytest.mark.parametrize("changed", [renamed, taking_more, giving_more], ids=lambda one: one.__name__)
@pytest.mark.parametrize("call", EVERY, ids=lambda one: one.name)
def test_a_call_that_is_named_takes_or_gives_something_else_is_of_another_version(
    call: HostCall, changed: Callable[[HostCall], HostCall]
) -> None:
    assert version_of(*EVERY) == VERSION
    assert version_of(*(changed(one) if one is call else one for one in EVERY)) != VERSION


def test_versions_whose_pictures_are_told_otherwise_are_two() -> None:
    """As they were: a picture and when it came, or nothing."""
    before = dataclasses.replace(PICTURE, gives=tuple[bytes, int] | None)
    assert version_of(*(before if one is PICTURE else one for one in EVERY)) != VERSION


def test_a_field_of_another_type_deep_in_a_call_is_of_another_version() -> None:
    def digest(kind: Any) -> str:
        inner = msgspec.defstruct("Inner", [("count", kind)])
        return digest_of(tuple[msgspec.defstruct("Outer", [("of", inner)]), ...])  # type: ignore[misc]

    assert digest(int) == digest(int) != digest(str)
