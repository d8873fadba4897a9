"""Pay tables as house options: what may be written, and what is refused."""

from fractions import Fraction

import pytest

from studio.errors import BadInputError
from studio.rulebook.pay_ladder import check_ladders, read_ladder

USUAL = {"trips": "flush 8, straight 5, three_of_a_kind 4"}


def test_what_is_not_named_stays_as_it_was() -> None:
    assert check_ladders("Poker", USUAL, {"trips": "straight 6.5"}) == {
        "trips": "flush 8, straight 6.5, three_of_a_kind 4"
    }
    assert check_ladders("Poker", USUAL, {}) == USUAL
    assert check_ladders("Poker", USUAL, {"trips": "  "}) == USUAL


def test_a_checked_ladder_is_checked_again_to_the_same() -> None:
    checked = check_ladders("Poker", USUAL, {"trips": "straight 6.5,flush  7"})
    assert check_ladders("Poker", USUAL, checked) == checked
    assert read_ladder(checked["trips"])["straight"] == Fraction(13, 2)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        pytest.param({"trip": "flush 7"}, "Poker has no house option 'trip': it has trips", id="unknown-option"),
        pytest.param({"trips": "royal 7"}, "trips does not pay 'royal': it pays flush, straight", id="unknown-hand"),
        pytest.param({"trips": "flush"}, "cannot be read at 'flush'", id="no-number"),
        pytest.param({"trips": "flush -1"}, "cannot be read at 'flush -1'", id="below-nothing"),
        pytest.param({"trips": "flush 1e9"}, "cannot be read at 'flush 1e9'", id="no-plain-number"),
        pytest.param({"trips": "flush 7 straight 5"}, "a comma between", id="no-comma"),
        pytest.param({"trips": 7}, "trips cannot be 7: write it as text", id="no-text"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_sentence(rules: dict[str, object], said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        check_ladders("Poker", USUAL, rules)
