"""Lens, sensor, enlargement and compression, a card at a time its own."""

from __future__ import annotations

import math
from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from training.second.chance import Chance, Recipe

_Y_TABLE: Final = (
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56,
    14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
)  # fmt: skip
_C_TABLE: Final = (
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99,
    47, 66, 99, 99, 99, 99, 99, 99, *(99,) * 32,
)  # fmt: skip

_EXCHANGES: Final = (
    (1, 2), (4, 5), (7, 8), (0, 1), (3, 4), (6, 7), (1, 2), (4, 5), (7, 8), (0, 3),
    (5, 8), (4, 7), (3, 6), (1, 4), (2, 5), (4, 7), (4, 2), (6, 4), (4, 2),
)  # fmt: skip


class Lens(Chance):
    """Photographs lit cards."""

    def __init__(
        self, pictures: Tensor, labels: Tensor, weights: Tensor, seed: int, recipe: Recipe | None = None
    ) -> None:
        super().__init__(pictures, labels, weights, seed, recipe)
        k = torch.arange(8, device=self.device, dtype=torch.float32)
        self._dct = torch.cos((2 * k[None] + 1) * k[:, None] * math.pi / 16) * 0.5
        self._dct[0] *= math.sqrt(0.5)
        tables = (_Y_TABLE, _C_TABLE, _C_TABLE)
        self._tables = torch.tensor(tables, device=self.device, dtype=torch.float32).view(3, 8, 8)

    def _developed(self, light: Tensor, scale: float) -> Tensor:
        n, _, height, width = light.shape
        light = self._blurred(light, scale)
        which = self._some(n, 0.2)
        if len(which):
            part = light[which]
            soft = F.avg_pool2d(F.pad(part, (1, 1, 1, 1), mode="replicate"), 3, 1)
            light[which] = part + (part - soft) * self._u(len(which), 1, 1, 1, high=1.6)
        noise = 0.3 + self._u(n, 1, 1, 1) ** 1.5 * self.recipe.noise
        grain = self._n(*light.shape)
        if self.rng.random() < 0.35:
            coarse = self._n(n, 3, height // 2, width // 2)
            grain = 0.6 * grain + F.interpolate(coarse, size=(height, width), mode="bilinear", align_corners=False)
        shot = (light + grain * noise).clamp(0, 255)
        if self.rng.random() < 0.6 and scale > 1.5:
            which = self._some(n, 0.25)
            if len(which):
                small = self.rng.uniform(max(0.45, 1.15 / scale), 0.9)
                part = F.interpolate(
                    shot[which], size=(round(height * small), round(width * small)), mode="bilinear", antialias=True
                )
                mode = self.rng.choice(("bilinear", "bicubic"))
                shot[which] = F.interpolate(part, size=(height, width), mode=mode, align_corners=False).clamp(0, 255)
        which = self._some(n, 0.06)
        if len(which):
            shot[which] = self._salted(shot[which])
        which = self._some(n, 0.7)
        if len(which):
            shot[which] = self._compressed(shot[which])
        return shot.round().clamp(0, 255)

    def _blurred(self, light: Tensor, scale: float) -> Tensor:
        """Each card with a lens of its own: out of focus, softened, moved."""
        n = len(light)
        sigma = self._u(n) ** 2 * self.recipe.blur_mm * scale
        streak = torch.where(self._u(n) < 0.15, self._u(n, low=0.6, high=1.0 + 0.5 * scale), 0.0)
        disc = torch.where(self._u(n) < 0.1, self._u(n, low=0.6, high=0.6 + 0.45 * scale), 0.0)
        need = torch.maximum(torch.maximum(sigma, streak) * 2.2, disc + 0.5)
        for low, high, reach in ((0.55, 2.4, 2), (2.4, 99.0, 5)):
            which = ((need > low) & (need <= high)).nonzero()[:, 0]
            if not len(which):
                continue
            kernel = self._kernels(sigma[which], streak[which], disc[which], reach)
            part = F.pad(light[which], (reach,) * 4, mode="replicate")
            m, c, h, w = part.shape
            soft = F.conv2d(part.view(1, m * c, h, w), kernel.repeat_interleave(c, 0)[:, None], groups=m * c)
            light[which] = soft.view(m, c, h - 2 * reach, w - 2 * reach)
        return light

    def _kernels(self, sigma: Tensor, streak: Tensor, disc: Tensor, reach: int) -> Tensor:
        steps = torch.arange(-reach, reach + 1, device=self.device).float()
        y, x = torch.meshgrid(steps, steps, indexing="ij")
        turn = self._u(len(sigma), 1, 1, high=math.pi)
        along, across = x * turn.cos() + y * turn.sin(), y * turn.cos() - x * turn.sin()
        one = torch.hypot(sigma, streak).clamp_min(0.25)[:, None, None]
        two = sigma.clamp_min(0.25)[:, None, None]
        kernel = torch.exp(-0.5 * ((along / one) ** 2 + (across / two) ** 2))
        round_ = torch.sigmoid((disc[:, None, None] - torch.hypot(x, y)) / 0.3)
        kernel = torch.where(disc[:, None, None] > sigma[:, None, None], round_ + 1e-6, kernel)
        return kernel / kernel.sum((1, 2), keepdim=True)

    def _salted(self, shot: Tensor) -> Tensor:
        m, _, h, w = shot.shape
        share, chance = self._u(m, 1, 1, 1, low=0.002, high=0.03), self._u(m, 1, h, w)
        shot = torch.where(chance < share / 2, 0.0, torch.where(chance > 1 - share / 2, 255.0, shot))
        padded = F.pad(shot, (1, 1, 1, 1), mode="replicate")
        return _median([padded[:, :, y : y + h, x : x + w] for y in range(3) for x in range(3)])

    def _compressed(self, shot: Tensor) -> Tensor:
        """JPEG: colour halved in half of them, blocks of 8, quality 25 to 95."""
        m = len(shot)
        b, g, r = shot.unbind(1)
        y = 0.299 * r + 0.587 * g + 0.114 * b
        chroma = torch.stack(((b - y) * 0.564, (r - y) * 0.713), dim=1)
        quality = self._u(m, low=25, high=95)
        factor = torch.where(quality < 50, 50 / quality, 2 - quality / 50).view(m, 1, 1, 1, 1, 1)
        y = self._quantised(y[:, None] - 128, factor, self._tables[:1]) + 128
        if self.rng.random() < 0.6:
            small = self._quantised(F.avg_pool2d(chroma, 2), factor, self._tables[1:])
            chroma = F.interpolate(small, scale_factor=2, mode="bilinear", align_corners=False)
        else:
            chroma = self._quantised(chroma, factor, self._tables[1:])
        cb, cr = chroma[:, :1], chroma[:, 1:]
        out = torch.cat((y + cb / 0.564, y - 0.344 * cb - 0.714 * cr, y + cr / 0.713), dim=1)
        return out.clamp(0, 255)

    def _quantised(self, plane: Tensor, factor: Tensor, tables: Tensor) -> Tensor:
        m, c, h, w = plane.shape
        ph, pw = (-h) % 8, (-w) % 8
        if ph or pw:
            plane = F.pad(plane, (0, pw, 0, ph), mode="replicate")
        blocks = plane.view(m, c, (h + ph) // 8, 8, (w + pw) // 8, 8).transpose(3, 4)
        step = (tables.view(1, c, 1, 1, 8, 8) * factor).clamp(1, 255)
        waves = (self._dct @ blocks @ self._dct.T / step).round() * step
        back = (self._dct.T @ waves @ self._dct).transpose(3, 4).reshape(m, c, h + ph, w + pw)
        return back[:, :, :h, :w]


def _median(nine: list[Tensor]) -> Tensor:
    """The middle one of nine, by exchanges."""
    for low, high in _EXCHANGES:
        nine[low], nine[high] = torch.minimum(nine[low], nine[high]), torch.maximum(nine[low], nine[high])
    return nine[4]
