"""Second factors sealed under a new pepper, where one of them can be opened no more: the others go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_ui.process.factor_file import FactorFile
from studio.errors import RefusedError
from studio.people.second_factor import TotpSecret

LOST, FIRST, SECOND = (letter * 32 for letter in (b"l", b"1", b"2"))


def test_a_factor_that_is_lost_keeps_no_pepper_from_being_exchanged(tmp_path: Path) -> None:
    """As one that a file of another backup brought along: each try left a pepper more, and none counted."""
    path, secret = tmp_path / "studio.db.factors", TotpSecret(b"s" * 20)
    FactorFile(path, LOST).keep("lost", secret, ())
    file = FactorFile(path, FIRST)
    file.keep("good", secret, ())
    file.seal_anew(SECOND, FIRST)
    for again in (file, FactorFile(path, SECOND)):
        assert again.secret("good").key() == secret.key()
        with pytest.raises(RefusedError, match="have the second factor reset"):
            again.secret("lost")
    assert FactorFile(path, LOST).secret("lost").key() == secret.key()
