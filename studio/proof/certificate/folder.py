"""Folders of certificates: those that ship with the program, and a studio's own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from studio.errors import BadInputError
from studio.proof.certificate.digest import code_digest, table_digest
from studio.proof.certificate.page import certificate_page
from studio.proof.certificate.record import Certificate, read_certificate, write_certificate
from studio.rulebook.game import Game
from studio.rulebook.script import Rules

SHIPPED: Final = Path(__file__).parent / "shipped"
"""The default tables of all house games, proved before the program was given out."""


def save_certificate(certificate: Certificate, folder: Path) -> tuple[Path, Path]:
    """Write the record and the page to print; what was proved of the same pay table before gives way to it."""
    record, page = (folder / f"{certificate.name}{suffix}" for suffix in (".json", ".html"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        record.write_bytes(write_certificate(certificate))
        page.write_text(certificate_page(certificate), encoding="utf-8")
    except OSError as error:
        sentence = f"No certificate can be written here: {error.strerror}. Name a folder that can be written to."
        raise BadInputError(sentence, where=str(folder)) from None
    return record, page


def write_pages(folder: Path) -> None:
    """Write the page of each certificate in a folder again, as pages look now."""
    for certificate in read_folder(folder):
        save_certificate(certificate, folder)


def read_folder(folder: Path) -> tuple[Certificate, ...]:
    """The certificates in a folder; `BadInputError` names what is none. A folder that is not there holds none."""
    return tuple(read_certificate(path.read_bytes(), str(path)) for path in sorted(folder.glob("*.json")))


class Certificates:
    """What is proved, found by the pay table it was proved of."""

    def __init__(self, found: Iterable[Certificate]) -> None:
        self._found = {(one.game, one.version, one.table_digest, one.code_digest): one for one in found}

    @classmethod
    def of(cls, *folders: Path) -> Certificates:
        return cls(one for folder in folders for one in read_folder(folder))

    def find(self, game: Game, rules: Rules) -> Certificate | None:
        """The certificate of exactly this pay table, rulebook and code; None where that was never proved."""
        if game.peers is not None:
            return None
        return self._found.get((game.key, game.edition.version, table_digest(game, rules), code_digest(game.key)))
