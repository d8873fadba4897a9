"""A network of the reader as torch holds it while it learns on: read out of its ONNX file, normalisation folded in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from training.second.shape import SecondNet
from training.train_reader import HalfCardNet

SHAPES = {"reader": HalfCardNet, "second": SecondNet}
"""The shape of each network, by the name of its files."""


def from_onnx(path: Path) -> nn.Module:
    """The network in a file `reader.onnx` or `second.onnx`."""
    net = _folded(SHAPES[path.stem]())
    graph = onnx.load(str(path)).graph
    weights = {one.name: torch.from_numpy(np.array(numpy_helper.to_array(one))) for one in graph.initializer}
    nodes = [node for node in graph.node if node.op_type in ("Conv", "Gemm")]
    layers = [layer for layer in net.modules() if isinstance(layer, nn.Conv2d | nn.Linear)]
    with torch.no_grad():
        for node, layer in zip(nodes, layers, strict=True):
            layer.weight.copy_(weights[node.input[1]])
            assert layer.bias is not None
            layer.bias.copy_(weights[node.input[2]])
    return net


def _folded(net: nn.Module) -> nn.Module:
    """The same without normalisation: every convolution has a bias, as in the file."""
    for name, part in list(net.named_children()):
        match part:
            case nn.Conv2d(in_channels=inputs, out_channels=outputs, kernel_size=size, stride=stride, padding=around):
                setattr(net, name, nn.Conv2d(inputs, outputs, size, stride, around))
            case nn.BatchNorm2d() | nn.Dropout():
                setattr(net, name, nn.Identity())
            case _:
                _folded(part)
    return net
