"""A PostgreSQL of a rehearsal's own: in the rehearsal's folder, on a socket in it, and gone with it.

Root starts it as the `postgres` that Debian's package makes; anybody else as himself.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from studio.errors import BadInputError

NOT_THERE: Final = (
    "PostgreSQL is not installed, so each table host keeps a record of its own: install it with"
    " `apt-get install postgresql` to see them share one."
)
_DATABASE: Final = "postgres"
_PORT: Final = 5432
"""In a socket's name alone: it listens to no network."""


@dataclass(frozen=True, slots=True)
class PrivatePostgres:
    """`programs` and `folder`: of the engine, and where it is to keep everything."""

    programs: Path
    folder: Path

    @classmethod
    def in_folder(cls, folder: Path) -> PrivatePostgres | None:
        """Made there, not yet running; None where PostgreSQL is not installed."""
        if (found := programs()) is None:
            return None
        made = cls(found, folder)
        folder.mkdir(mode=0o700)
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
            folder.parent.chmod(0o711)
        initdb = [str(found / "initdb"), "-D", str(folder / "data"), "-U", "postgres", "-A", "trust", "-N"]
        try:
            subprocess.run(  # noqa: S603 - the engine's own program
                _as_server([*initdb, "-E", "UTF8", "--locale=C"]), check=True, stdout=subprocess.DEVNULL, cwd="/"
            )
        except (OSError, subprocess.CalledProcessError) as error:
            raise BadInputError(f"PostgreSQL cannot be set up: {error}.", where=str(folder)) from error
        return made

    @property
    def address(self) -> str:
        return self.address_of(_DATABASE)

    def address_as(self, role: str) -> str:
        """The same database, as another role has it."""
        return f"postgresql://{role}@/{_DATABASE}?host={self.folder}"

    def address_of(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def has_database(self, name: str) -> bool:
        """Whether it is there by now; made where it is not."""
        made = [str(self.programs / "createdb"), "-h", str(self.folder), "-p", str(_PORT), "-U", "postgres", name]
        done = subprocess.run(made, check=False, capture_output=True, text=True, cwd="/")  # noqa: S603 - as above
        return done.returncode == 0 or "already exists" in done.stderr

    @property
    def command(self) -> Sequence[str]:
        """Runs it until it is told to end."""
        server = [str(self.programs / "postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder)]
        return _as_server([*server, "-p", str(_PORT), "-c", "listen_addresses=", "-c", "max_connections=100"])

    @property
    def answers(self) -> bool:
        ready = [str(self.programs / "pg_isready"), "-q", "-h", str(self.folder), "-p", str(_PORT)]
        return subprocess.run(ready, check=False, cwd="/").returncode == 0  # noqa: S603 - the engine's own program


def programs() -> Path | None:
    """Where PostgreSQL's programs lie on this machine; None where it is not installed."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda found: int(found.parts[-3]))
    found = debian[-1] if debian else shutil.which("initdb")
    return Path(found).parent if found else None


def _as_server(command: list[str]) -> list[str]:
    if os.geteuid() != 0:
        return command
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
