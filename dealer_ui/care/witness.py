"""Tells a witness: a file on another disk, or an address that takes JSON. Either may fail."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from studio.errors import StudioError

TIMEOUT_S: Final = 5.0


class WitnessError(StudioError):
    """The witness did not take it; the sentence says why. It is asked again."""


class Witness(Protocol):
    """Somebody who keeps checkpoints where the studio cannot take them back."""

    @property
    def name(self) -> str: ...

    def tell(self, line: str) -> None:
        """Blocks until the witness has taken the line for good; `WitnessError` when it has not."""
        ...


@dataclass(frozen=True, slots=True)
class FileWitness:
    """A file that is only appended to, best on a disk the studio's own account cannot delete from."""

    path: Path

    @property
    def name(self) -> str:
        return str(self.path)

    def tell(self, line: str) -> None:
        try:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise WitnessError(f"The witness file cannot be opened: {error.strerror}.") from error
        try:
            size = os.fstat(file).st_size
            torn = b"\n" if size and os.pread(file, 1, size - 1) != b"\n" else b""
            left = torn + line.encode() + b"\n"
            while left:
                left = left[os.write(file, left) :]
            os.fsync(file)
        except OSError as error:
            raise WitnessError(f"The witness file does not take it: {error.strerror}.") from error
        finally:
            os.close(file)


@dataclass(frozen=True, slots=True)
class UrlWitness:
    """An address that takes the line by POST and answers 2xx once it is kept."""

    url: str

    @property
    def name(self) -> str:
        return self.url

    def tell(self, line: str) -> None:
        request = urllib.request.Request(  # noqa: S310 - the configuration admits http and https only
            self.url, data=line.encode(), headers={"Content-Type": "application/json"}, method="POST"
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310
                answer.read(1024)
        except urllib.error.HTTPError as error:
            error.close()
            raise WitnessError(f"The witness answered {error.code}.") from error
        except (OSError, ValueError) as error:
            raise WitnessError(f"The witness cannot be reached: {getattr(error, 'reason', None) or error}.") from error


def witnesses(file: str, url: str) -> tuple[Witness, ...]:
    """Those a configuration names."""
    found: list[Witness] = []
    if file:
        found.append(FileWitness(Path(file)))
    if url:
        found.append(UrlWitness(url))
    return tuple(found)


def reachable(witness: Witness) -> str:
    """Why a witness could not be told anything now, in a sentence; empty when it could. Nothing is told."""
    if isinstance(witness, FileWitness):
        place = witness.path if witness.path.exists() else witness.path.parent
        return "" if os.access(place, os.W_OK) else f"Nothing can be written to {witness.path}."
    request = urllib.request.Request(witness.name, data=json.dumps({"format": "studio-ping"}).encode(), method="POST")  # noqa: S310
    request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S):  # noqa: S310
            return ""
    except urllib.error.HTTPError as error:
        error.close()
        return "" if error.code in (400, 405, 422) else f"{witness.name} answered {error.code}."
    except (OSError, ValueError) as error:
        return f"{witness.name} cannot be reached: {getattr(error, 'reason', None) or error}."
