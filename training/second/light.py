"""The light on a card: uneven, coloured, a shadow, glare; and the eye that sees no colour."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from training.second.chance import Chance


class Light(Chance):
    """Lights cards."""

    def _lit(self, light: Tensor) -> Tensor:
        n, _, height, width = light.shape
        mishap = self.recipe.mishap
        deep = self._u(n, 1, 1, 1, low=0.05, high=0.45)
        rough = 1 - deep + (0.1 + deep) * self._u(n, 1, 3, 3)
        gain = F.interpolate(rough, size=(height, width), mode="bicubic", align_corners=True)
        gain = gain * self._u(n, 1, 1, 1, low=0.45, high=1.2)
        which = self._some(n, 0.22 * mishap)
        if len(which):
            gain[which] = gain[which] * self._shadow(len(which), height, width)
        cast = self._u(n, 3, 1, 1, low=0.85, high=1.12)
        strong = self._u(n, 3, 1, 1, low=0.55, high=1.12)
        cast = torch.where(self._u(n, 1, 1, 1) < 0.15, strong, cast)
        bright = self._u(n, 1, 1, 1) < 0.12 * mishap
        exposure = torch.where(bright, self._u(n, 1, 1, 1, low=1.1, high=2.3), 1.0)
        light = light * (gain * cast * exposure)
        veiled = bright | (self._u(n, 1, 1, 1) < 0.15 * mishap)
        veil = self._u(n, 1, 1, 1, high=110.0) * veiled
        light = light + veil * (1 - light / 330)
        pale = torch.where(self._u(n, 1, 1, 1) < 0.3, self._u(n, 1, 1, 1, low=0.35, high=1.4), 1.0)
        grey = light.mean(1, keepdim=True)
        light = grey + (light - grey) * pale + self._u(n, 1, 1, 1, high=30.0)
        which = self._some(n, 0.12 * mishap)
        if len(which):
            light[which] = light[which] + self._glare(len(which), height, width)
        which = self._some(n, 0.3)
        if len(which):
            power = self._u(len(which), 1, 1, 1, low=0.6, high=1.6)
            light[which] = 255 * (light[which].clamp(0, 400) / 255) ** power
        return light

    def _shadow(self, m: int, height: int, width: int) -> Tensor:
        """One or two straight edges, softened: darker beyond."""
        y, x = torch.meshgrid(
            torch.linspace(-1, 1, height, device=self.device),
            torch.linspace(-1, 1, width, device=self.device),
            indexing="ij",
        )
        inside = torch.ones((), device=self.device)
        for _ in range(2):
            turn, at = self._u(m, 1, 1, high=2 * math.pi), self._u(m, 1, 1, low=-0.8, high=0.6)
            soft = self._u(m, 1, 1, low=2.0, high=40.0)
            inside = inside * torch.sigmoid((x * turn.cos() + y * turn.sin() - at) * soft)
        return (1 - inside * self._u(m, 1, 1, low=0.2, high=0.8))[:, None]

    def _glare(self, m: int, height: int, width: int) -> Tensor:
        y, x = torch.meshgrid(
            torch.arange(height, device=self.device) / 1.0, torch.arange(width, device=self.device) / 1.0, indexing="ij"
        )
        far = ((x - self._u(m, 1, 1, high=width)) ** 2 + (y - self._u(m, 1, 1, high=height)) ** 2).sqrt()
        edge, radius = self._u(m, 1, 1, low=1.5, high=14.0), self._u(m, 1, 1, low=6.0, high=45.0)
        return (self._u(m, 1, 1, low=90, high=260) * torch.sigmoid((radius - far) / edge))[:, None]

    def _greyed(self, card: Tensor) -> Tensor:
        n = len(card)
        which = self._some(n, 0.13 * self.recipe.mishap)
        if len(which):
            m = len(which)
            weights = torch.stack(
                (self._u(m, low=0.05, high=0.4), self._u(m, low=0.3, high=0.8), self._u(m, low=0.1, high=0.5)), 1
            )
            grey = (card[which] * (weights / weights.sum(1, keepdim=True)).view(m, 3, 1, 1)).sum(1, keepdim=True)
            harsh = self._u(m, 1, 1, 1) < 0.4
            sharp = (grey - self._u(m, 1, 1, 1, high=60)) * self._u(m, 1, 1, 1, low=1.0, high=1.8)
            card[which] = torch.where(harsh, sharp, grey).expand(-1, 3, -1, -1)
        return card
