"""Text that people wrote or brought: files, TOML and JSON, read whole, with a sentence for all that can be wrong."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any, Final

from studio.errors import BadInputError

BYTES_MAX: Final = 64 * 1024 * 1024
"""More than any such file holds; a device that never ends is not read for ever."""


def read_text(path: Path, *, what: str = "The file") -> str:
    """The text of a file, without a byte order mark; `BadInputError` when there is none. `what` begins the sentence."""
    try:
        with path.open("rb") as file:
            data = file.read(BYTES_MAX + 1)
    except OSError as error:
        raise BadInputError(f"{what} cannot be read: {error.strerror}.", where=str(path)) from error
    if len(data) > BYTES_MAX:
        raise BadInputError(f"{what} has more than {BYTES_MAX >> 20} MiB: name another.", where=str(path))
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise BadInputError(f"{what} is not UTF-8 text.", where=str(path)) from error


def read_toml(text: str, where: str) -> dict[str, Any]:
    """The values of a TOML text. `tomllib.TOMLDecodeError` says itself where it stands, and is left to the caller."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError as error:
        raise BadInputError("This is not valid TOML: it is nested too deep.", where=where) from error
    except ValueError as error:
        raise BadInputError("This is not valid TOML: a number in it has too many digits.", where=where) from error


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text; `ValueError` when it is none, however it was made to fail."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except ValueError as error:
        raise ValueError("a number in it has too many digits") from error
