"""The door by which the command line reaches a running studio: a socket beside its database.

Who may write the database may use it, and the kernel says who that is: nothing comes over the network, and there is no
secret to lose. The socket of a studio that is gone is replaced; nobody else can have the database open.
"""

from __future__ import annotations

import os
import pwd
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec
import structlog

from dealer_ui.assembly.operators_order import BYTES_MAX, Answered, Order, read_order
from studio.errors import BadInputError, StorageError

_LOG: Final = structlog.get_logger("dealer_ui.operators")
_ASK_S: Final = 35.0
"""An answer may wait for the disk."""
_LISTEN_S: Final = 0.5
_READ_S: Final = 2.0
_MODE: Final = 0o600
_PEER: Final = struct.Struct("3i")
_ANSWERED: Final = msgspec.json.Decoder(Answered)

Answer = Callable[[Order, str], Answered]
"""Takes an order and who asks."""


@contextmanager
def _address(database: Path) -> Iterator[str]:
    """However deep the folder lies: a socket's address has 107 bytes."""
    folder = os.open(database.absolute().parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{folder}/{database.name}.door"
    finally:
        os.close(folder)


class Door:
    """Open from the moment it is made; whoever comes waits until `keep` answers."""

    def __init__(self, database: Path) -> None:
        """`OSError` where no socket can lie beside the database."""
        self._database = database
        self._listening = socket.socket(socket.AF_UNIX)
        try:
            with _address(database) as address:
                with suppress(FileNotFoundError):
                    os.unlink(address)
                os.fchmod(self._listening.fileno(), _MODE)  # before it has a name: no umask leaves it open for a moment
                self._listening.bind(address)
                os.chmod(address, _MODE)
                self._number = os.stat(address).st_ino
            self._listening.listen(4)
            self._listening.settimeout(_LISTEN_S)
        except BaseException:
            self._listening.close()
            raise

    def keep(self, answer: Answer, stopping: threading.Event) -> None:
        """Answer whoever comes, one after another, until the studio stops."""
        while not stopping.is_set():
            with suppress(TimeoutError):
                come, _ = self._listening.accept()
                _serve(come, answer)
        self.close()

    def close(self) -> None:
        """The socket goes, where no other studio has put its own there since."""
        self._listening.close()
        with suppress(FileNotFoundError), _address(self._database) as address:
            if os.stat(address).st_ino == self._number:
                os.unlink(address)


def _serve(come: socket.socket, answer: Answer) -> None:
    with come:
        come.settimeout(_READ_S)
        try:
            by = _who(come)
            told = answer(read_order(_line(come)), by) if by else Answered("Only the studio's own account may do this.")
        except BadInputError as error:
            told = Answered(str(error))
        except (OSError, TimeoutError):
            return
        except Exception as error:
            _LOG.error("an order about operators failed", exc_info=error)
            told = Answered("The studio made a mistake over this and noted it: look at the list before you try again.")
        with suppress(OSError):
            come.sendall(msgspec.json.encode(told) + b"\n")


def _who(come: socket.socket) -> str:
    """The account at the other end, as the kernel says it; empty where it may not."""
    _, uid, _ = _PEER.unpack(come.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))
    return account(uid) if uid in (0, os.geteuid()) else ""


def account(uid: int) -> str:
    """Who works at the machine itself."""
    try:
        name = pwd.getpwuid(uid).pw_name
    except KeyError:
        name = str(uid)
    return f"{name} at the machine"


def ask_running(database: Path, order: Order) -> Answered | None:
    """The answer of the studio that runs on this database; None when none runs. `StorageError` when none comes."""
    if not database.absolute().parent.is_dir():
        return None
    with _address(database) as address, socket.socket(socket.AF_UNIX) as asking:
        asking.settimeout(_ASK_S)
        try:
            asking.connect(address)
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        except PermissionError as error:
            sentence = "Only the account the studio runs under, and root, may do this: run the command as one of them."
            raise BadInputError(sentence, where=str(database)) from error
        try:
            asking.sendall(msgspec.json.encode(order) + b"\n")
            return _ANSWERED.decode(_line(asking))
        except (OSError, msgspec.MsgspecError) as error:
            sentence = "The running studio did not answer: look at the list before you try again."
            raise StorageError(sentence) from error


def _line(read: socket.socket) -> bytes:
    got = b""
    while not got.endswith(b"\n") and len(got) <= BYTES_MAX:
        piece = read.recv(4096)
        if not piece:
            break
        got += piece
    return got
