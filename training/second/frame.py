"""The outline that the locator gives of a card: nearly its own, or a wrong one."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from training.bank import FACE, OTHER
from training.second.chance import NOT_TAUGHT, TALL_MM, WIDE_MM, Chance


class Frames(Chance):
    """Finds cards, with the locator's errors."""

    def _framed(self, n: int, labels: Tensor, marks: Tensor) -> tuple[Tensor, Tensor]:
        """The outline that the locator gives, in units of the card: nearly the card's own, or a wrong one."""
        frame = torch.tensor([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)], device=self.device).repeat(n, 1, 1)
        size = torch.tensor((WIDE_MM, TALL_MM), device=self.device)
        grow = self._n(n, 1, 1) * self.recipe.inset_mm * self._u(n, 1, 1)
        frame = frame + (frame - 0.5) * 2 * grow / size
        which = self._some(n, self.recipe.misframed)
        which = which[marks[which, 0] == FACE]
        if len(which):
            frame[which] = self._misframed(len(which))
            labels[which] = NOT_TAUGHT
            rows = labels[which]
            rows[..., 0] = OTHER
            labels[which] = rows
        return frame, labels

    def _misframed(self, m: int) -> Tensor:
        unit = torch.tensor([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)], device=self.device)
        corner = unit.repeat(m, 1, 1)
        # a frame too narrow for the face
        x, y = self._u(m, high=0.28), self._u(m, high=0.28)
        x = torch.where((x < 0.13) & (y < 0.1), x + 0.13, x)
        jitter = self._u(m, 4, low=-0.03, high=0.03)
        left, right = (x + jitter[:, 0]).clamp_min(0), 1 - (x + jitter[:, 1]).clamp_min(0)
        top, bottom = (y + jitter[:, 2]).clamp_min(0), 1 - (y + jitter[:, 3]).clamp_min(0)
        low, high = torch.stack((left, top), 1)[:, None], torch.stack((right, bottom), 1)[:, None]
        narrow = low + corner * (high - low)
        # a part of it
        side = self._u(m, 1, 1, low=0.15, high=0.4)
        part = 0.17 + self._u(m, 1, 2) * (0.63 - side) + corner * side
        # lying, turned, pushed aside
        size = torch.tensor((WIDE_MM, TALL_MM), device=self.device)
        lying = torch.roll(corner, 1, 1) + self._n(m, 4, 2) * 0.02
        turn = self._u(m, low=math.radians(30), high=math.radians(150)) * (self._u(m) < 0.5).float().mul(2).sub(1)
        spin = torch.stack((turn.cos(), turn.sin(), -turn.sin(), turn.cos()), 1).view(m, 2, 2)
        turned = ((corner - 0.5) * size @ spin) * self._u(m, 1, 1, low=0.6, high=1.1) / size + 0.5
        away = torch.stack(
            (self._u(m, low=0.22, high=0.6) * (self._u(m) < 0.5).float().mul(2).sub(1), self._u(m, low=-0.2, high=0.2)),
            1,
        )[:, None]
        aside = (corner - 0.5) * self._u(m, 1, 1, low=0.6, high=1.3) + 0.5 + away
        kinds = torch.stack((narrow, part, lying, turned, aside), dim=1)
        chance = torch.tensor((0.5, 0.12, 0.1, 0.1, 0.18), device=self.device)
        kind = torch.searchsorted(chance.cumsum(0), self._u(m)).clamp_max(4)
        return kinds[torch.arange(m, device=self.device), kind]
