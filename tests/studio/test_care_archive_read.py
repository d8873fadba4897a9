"""A year is closed while somebody reads the record: it waits for him, and no old log is read with the new file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from test_care_archive import close_year, run, settled_year

from studio.cli.verify import command as verify_command
from studio.journal import Reader

READS = """
import sys
from studio.journal import Reader
with Reader.open(sys.argv[1]) as reader:
    print(reader.head().seq, flush=True)
    sys.stdin.read()
"""


@contextmanager
def read_by_another(db: Path) -> Iterator[None]:
    """As a report does that takes its time: in a process of its own."""
    other = subprocess.Popen([sys.executable, "-c", READS, str(db)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdin is not None
    assert other.stdout is not None
    try:
        other.stdout.readline()
        yield
    finally:
        other.stdin.close()
        other.wait()
        other.stdout.close()


def test_a_year_is_not_closed_while_somebody_reads_the_record(tmp_path: Path) -> None:
    db, into = settled_year(tmp_path / "studio.db"), tmp_path / "archive"
    with Reader.open(db) as reader:
        head = reader.head()
    with read_by_another(db):
        said = close_year(db, into)
        assert (said.exit_code, "Somebody still reads it" in said.output) == (1, True)
        with Reader.open(db) as reader:
            assert reader.head() == head
    assert run(verify_command, db).exit_code == 0
    assert close_year(db, into).exit_code == 0
    both = run(verify_command, db, "--archive", into / "studio-2026" / "studio.db")
    assert (both.exit_code, "one history" in both.output) == (0, True)
    assert not [path.name for path in tmp_path.iterdir() if path.name.endswith(("-wal", "-shm"))]
