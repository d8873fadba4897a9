"""Every written-down round, replayed and compared line by line."""

from pathlib import Path

import pytest
from playthrough import replayed

from studio.errors import BadInputError

FILES = sorted(Path(__file__).parent.glob("*.round"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_round_plays_as_it_is_written_down(file: Path) -> None:
    written = file.read_text("utf-8")
    assert replayed(written) == written.splitlines()


def test_there_are_rounds_written_down() -> None:
    assert len(FILES) >= 9


def test_a_line_that_cannot_be_played_is_named_by_its_number() -> None:
    with pytest.raises(BadInputError, match="line 2: 'shuffle twice'"):
        replayed("game three_knights\nshuffle twice\n")
    with pytest.raises(BadInputError, match="line 2: 'replace player1 1 As'"):
        replayed("game three_knights\nreplace player1 1 As\n")


def test_what_the_program_says_otherwise_than_written_is_seen() -> None:
    assert replayed("game three_knights\nstart\n  awaits burn 2 of 4\n")[-1] == "  awaits burn 1 of 4"
