"""Runs the reader's network: half cards in, its scores and the numbers before them out.

ONNX Runtime runs it, in a third of OpenCV's time; where a machine has none, OpenCV does. What the two say differs by
less than a thousandth. Nothing else in the house runs a network.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.picture.quadrilateral import Pixels

Rows = NDArray[np.float64]
Said = tuple[Rows, Rows]
"""The scores of half cards and the numbers before them, `(halves, n)` each."""

_SCORES: Final = 20
_VECTOR: Final = 128
_BATCH: Final = 8
"""Halves a call: more are slower, for what lies between the layers then leaves the processor's cache."""

_GRAPH: Final = 7
_OUTPUT: Final = 12
_NAME: Final = 1
"""Where a model's graph, a graph's outputs and an output's name stand in the ONNX format (`onnx.proto`)."""


class Network(Protocol):
    """One network, loaded; not thread-safe."""

    @property
    def engine(self) -> str:
        """What runs it, for a technician: "onnxruntime" or "opencv"."""

    def forward(self, halves: Sequence[Pixels]) -> Said:
        """What it says of half cards, `(80, 112, 3) uint8` each, in the same order."""


def load_network(model: bytes, vector: str) -> Network:
    """The network of an ONNX file; `vector` names the numbers before its scores."""
    return RuntimeNetwork(model, vector) if find_spec("onnxruntime") else OpenCvNetwork(model)


class RuntimeNetwork:
    """The network run by ONNX Runtime on one core, as every camera's thread has one."""

    engine = "onnxruntime"

    def __init__(self, model: bytes, vector: str) -> None:
        runtime: Any = importlib.import_module("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = runtime.InferenceSession(_telling(model, vector), options, providers=["CPUExecutionProvider"])
        self._input = self._session.get_inputs()[0].name

    def forward(self, halves: Sequence[Pixels]) -> Said:
        return _joined([self._session.run(None, {self._input: batch}) for batch in _batches(halves)])


class OpenCvNetwork:
    """The network run by OpenCV, which is there wherever there is a camera."""

    engine = "opencv"

    def __init__(self, model: bytes) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(model, np.uint8))
        layers = self._net.getLayerNames()
        self._outputs = [layers[-1], next(layer for layer in reversed(layers) if "Relu" in layer)]

    def forward(self, halves: Sequence[Pixels]) -> Said:
        return _joined([self._of(batch) for batch in _batches(halves)])

    def _of(self, batch: NDArray[np.float32]) -> Sequence[Any]:
        self._net.setInput(batch)
        return [np.array(one) for one in self._net.forward(self._outputs)]


def _batches(halves: Sequence[Pixels]) -> list[NDArray[np.float32]]:
    starts = range(0, len(halves), _BATCH)
    stacks = (np.stack(halves[start : start + _BATCH]).transpose(0, 3, 1, 2) for start in starts)
    return [np.ascontiguousarray(stack, dtype=np.float32) / np.float32(255) for stack in stacks]


def _joined(said: Sequence[Sequence[Any]]) -> Said:
    if not said:
        return np.zeros((0, _SCORES)), np.zeros((0, _VECTOR))
    rows, vectors = (np.concatenate([np.asarray(one[at], dtype=np.float64) for one in said]) for at in (0, 1))
    return rows, vectors


def _telling(model: bytes, vector: str) -> bytes:
    """The model with one output more. Messages of this format that are written one after the other are merged."""
    return model + _field(_GRAPH, _field(_OUTPUT, _field(_NAME, vector.encode())))


def _field(number: int, content: bytes) -> bytes:
    assert max(number * 8, len(content)) < 128, "Both fit into one byte each."
    return bytes((number << 3 | 2, len(content))) + content
