"""The shape of the second network: Conv, ReLU, Add and Gemm only, so that every OpenCV runs it."""

from __future__ import annotations

from torch import Tensor, nn

from training.train_reader import KINDS, RANKS, SUITS


def block(inputs: int, outputs: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    conv = nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class Again(nn.Module):
    """A convolution whose outcome is added to what came in."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.norm = nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x: Tensor) -> Tensor:
        return self.relu(x + self.norm(self.conv(x)))


class SecondNet(nn.Sequential):
    """Half a card, `(n, 3, 80, 112)` in 0 to 1, to 20 scores: 3 kinds, 13 ranks, 4 suits."""

    def __init__(self) -> None:
        super().__init__(
            block(3, 24, 2, 5), block(24, 32),
            block(32, 56, 2), Again(56),
            block(56, 88, 2), Again(88), Again(88),
            block(88, 112, 2), block(112, 24, 1, 1), nn.Flatten(),
            nn.Linear(24 * 35, 128), nn.ReLU(inplace=True), nn.Linear(128, KINDS + RANKS + SUITS),
        )  # fmt: skip
