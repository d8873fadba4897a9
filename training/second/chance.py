"""What every step of the GPU's darkroom shares: the bank, the recipe, and chance drawn from one seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

WIDE_MM, TALL_MM = 63.0, 88.0
NOT_TAUGHT: Final = -100


@dataclass(frozen=True, slots=True)
class Recipe:
    """How badly the camera treats a card."""

    px_per_mm: tuple[float, float] = (1.1, 3.4)
    large: float = 0.12
    """How often a card is larger still, to `large_px_per_mm`."""
    large_px_per_mm: float = 4.8
    blur_mm: float = 0.6
    noise: float = 12.0
    corner_mm: float = 0.85
    inset_mm: float = 0.45
    covered: float = 0.12
    misframed: float = 0.07
    reprint: float = 0.45
    mishap: float = 1.0


class Chance:
    """Things of the bank and how badly they are treated; a seed decides everything."""

    def __init__(
        self, pictures: Tensor, labels: Tensor, weights: Tensor, seed: int, recipe: Recipe | None = None
    ) -> None:
        """`pictures` `(n, 280, 200, 4) uint8`, `labels` and `weights` as `wide_bank` gives them, all on one device."""
        self.pictures, self.labels = pictures, labels
        self.device = pictures.device
        self.recipe = recipe or Recipe()
        self.rng = random.Random(seed)  # noqa: S311 - synthetic pictures
        self.gen = torch.Generator(self.device).manual_seed(seed)
        self._sums = weights.double().cumsum(0)
        self._sums /= self._sums[-1].clone()

    def _u(self, *shape: int, low: float = 0.0, high: float = 1.0) -> Tensor:
        return torch.rand(shape, generator=self.gen, device=self.device) * (high - low) + low

    def _n(self, *shape: int) -> Tensor:
        return torch.randn(shape, generator=self.gen, device=self.device)

    def _some(self, n: int, share: float) -> Tensor:
        """The numbers of those it befalls."""
        return (self._u(n) < share).nonzero()[:, 0]

    def _pick(self, n: int) -> Tensor:
        return torch.searchsorted(self._sums, self._u(n).double()).clamp_max(len(self._sums) - 1)
