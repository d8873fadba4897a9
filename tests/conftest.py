"""What each worker of the tests does once."""

from __future__ import annotations

import gc

import cv2
import pytest
from held_to_document import hold_answers
from private_postgres import postgres, postgres_address  # noqa: F401 - fixtures for whoever asks

cv2.setNumThreads(1)  # as a studio does: its cores have other workers to run
hold_answers()
gc.disable()  # nine thousand tests are collected, and none of them is garbage


def pytest_collection_finish(session: pytest.Session) -> None:
    gc.collect()
    gc.freeze()
    gc.enable()
