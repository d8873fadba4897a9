"""What each worker of the tests does once."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from functools import cache, partial

import cv2
import pytest
from held_to_document import hold_answers
from private_postgres import postgres, postgres_address  # noqa: F401 - fixtures for whoever asks

from dealer_ui.assembly import care
from dealer_ui.care.program_desk import ProgramDesk
from studio.care.program import look

cv2.setNumThreads(1)  # as a studio does: its cores have other workers to run
hold_answers()
gc.disable()  # nine thousand tests are collected, and none of them is garbage


def pytest_collection_finish(session: pytest.Session) -> None:
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def program_looked_at_once() -> Iterator[None]:
    """Hundreds of studios come up in one worker, and the program on the disk is that of the first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(care, "ProgramDesk", partial(ProgramDesk, look=cache(look)))
        yield
