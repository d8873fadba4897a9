"""Photograph flat things on a GPU: what `training.crops` does one by one, for a thousand cards at a time.

A flat thing is laid on a made-up ground, covered, lit, blurred, grained, compressed, found with the locator's errors
and flattened as the reader flattens it. One shoot has one scale and one stretch; everything else differs by card.
"""

from __future__ import annotations

import math
from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from training.bank import FACE
from training.second.chance import NOT_TAUGHT, TALL_MM, WIDE_MM
from training.second.cover import Covers
from training.second.frame import Frames
from training.second.homography import apply, centres, sheet, square_to, unit_centres
from training.second.lens import Lens
from training.second.light import Light

OUT_W, OUT_H = 112, 160
BLANK: Final = 24
"""Grey levels of contrast under which nothing is left to be read of a face."""


class GpuDarkroom(Covers, Light, Lens, Frames):
    """Everything between the flat thing and the half cards."""

    def shoot(self, n: int) -> tuple[Tensor, Tensor]:
        """`2n` half cards `(2n, 3, 80, 112) uint8` BGR and their labels `(2n, 3)`."""
        r, rng = self.recipe, self.rng
        scale = math.exp(rng.uniform(*(math.log(edge) for edge in r.px_per_mm)))
        if rng.random() < r.large:
            scale = rng.uniform(r.px_per_mm[1], r.large_px_per_mm)
        stretch = [1.0, 1.0]
        if rng.random() < 0.35 * r.mishap:
            stretch[rng.randrange(2)] = rng.uniform(0.6, 1.0)
        wide, tall = WIDE_MM * scale * stretch[0], TALL_MM * scale * stretch[1]
        margin = 5.5 * scale
        width, height = (16 * math.ceil((side + 2 * margin) / 16) for side in (wide, tall))

        picked = self._pick(n)
        marks = self.labels[picked]
        flat = self.pictures[picked].permute(0, 3, 1, 2).float()
        flat = self._reprinted(flat)
        drift = self._drift(n)
        crisp = rng.choice((1.0, 1.0, 1.25, 1.6))
        size = (min(280, max(40, round(tall * crisp))), min(200, max(28, round(wide * crisp))))
        if size != (280, 200):
            flat = F.interpolate(flat, size=size, mode="bilinear", antialias=True, align_corners=False)

        quad = self._laid(n, wide, tall, width, height, scale)
        plane = square_to(quad)
        canvas_uv = sheet(torch.linalg.inv(plane), centres(width, height, self.device))
        grid = canvas_uv * 2 - 1
        shifted = grid
        if drift is not None:
            shifted = grid + F.grid_sample(drift, grid, align_corners=False, padding_mode="border").permute(0, 2, 3, 1)
        laid = F.grid_sample(flat, shifted, align_corners=False, padding_mode="border")
        half_px = torch.tensor((wide / 2, tall / 2), device=self.device)
        inside = ((1 - grid.abs()) * half_px + 0.5).clamp(0, 1).prod(-1)[:, None]
        cover = ((laid[:, 3:] - 96) / 64).clamp(0, 1) * inside
        light = laid[:, :3] * cover + self._ground(n, width, height) * (1 - cover)

        labels = marks[:, None, :3].repeat(1, 2, 1)
        labels[labels < 0] = NOT_TAUGHT
        light, labels = self._covered(light, labels, marks, canvas_uv)
        shot = self._developed(self._lit(light), scale)
        frame, labels = self._framed(n, labels, marks)
        corners = apply(plane, frame)
        spread = r.corner_mm * self._u(n, 1, 1) * scale
        if rng.random() < 0.5:
            corners = corners + self._n(n, 4, 2) * spread
        else:
            corners = corners + self._n(n, 4, 2) * spread * 0.5
        out_uv = sheet(square_to(corners), unit_centres(OUT_W, OUT_H, self.device))
        where = torch.stack((out_uv[..., 0] / width, out_uv[..., 1] / height), dim=-1) * 2 - 1
        card = F.grid_sample(shot, where, align_corners=False, padding_mode="border")
        card = self._greyed(card).round_().clamp_(0, 255).to(torch.uint8)
        halves = torch.stack((card[:, :, : OUT_H // 2], card[:, :, OUT_H // 2 :].flip((2, 3))), dim=1).flatten(0, 1)
        labels = labels.flatten(0, 1)
        soft = F.avg_pool2d(halves[:, :, :60].float(), 4)
        blank = (soft.amax((2, 3)) - soft.amin((2, 3))).amax(1) < BLANK
        labels[blank & (labels[:, 0] == FACE)] = NOT_TAUGHT
        return halves, labels

    def _reprinted(self, flat: Tensor) -> Tensor:
        """Bolder or finer print."""
        which = self._some(len(flat), self.recipe.reprint * 0.4)
        if len(which):
            part = flat[which]
            kernel = self.rng.choice(((2, 2), (3, 2), (2, 3)))
            padded = F.pad(part[:, :3], (0, kernel[1] - 1, 0, kernel[0] - 1), mode="replicate")
            bold = -F.max_pool2d(-padded, kernel, 1)
            fine = F.max_pool2d(padded, kernel, 1)
            side = (self._u(len(which), 1, 1, 1) < 0.5).float()
            part[:, :3] = bold * side + fine * (1 - side)
            flat[which] = part
        return flat

    def _drift(self, n: int) -> Tensor | None:
        """Signs a little out of shape and place, in the units of `grid_sample`."""
        cells = self.rng.choice(((3, 4), (5, 7), (7, 9)))
        reach = self._u(n, 1, 1, 1, low=0.5, high=5.0) * (self._u(n, 1, 1, 1) < self.recipe.reprint)
        rough = self._n(n, 2, cells[1], cells[0]) * reach / cells[0] * 2
        rough = F.interpolate(rough, scale_factor=4, mode="bicubic", align_corners=False)
        return rough * torch.tensor((2 / 200, 2 / 280), device=self.device).view(1, 2, 1, 1)

    def _laid(self, n: int, wide: float, tall: float, width: int, height: int, scale: float) -> Tensor:
        base = torch.tensor([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], device=self.device)
        base = base * torch.tensor((wide, tall), device=self.device)
        turn = self._u(n, low=-0.1, high=0.1)
        spin = torch.stack((turn.cos(), turn.sin(), -turn.sin(), turn.cos()), dim=1).view(n, 2, 2)
        lean = self._u(n, 4, 2, low=-3.2, high=3.2) * scale
        middle = torch.tensor((width / 2, height / 2), device=self.device) + self._u(n, 1, 2, low=-4.0, high=4.0)
        return base[None] @ spin + lean + middle

    def _ground(self, n: int, width: int, height: int) -> Tensor:
        few = self.rng.choice((1, 1, 2, 4, 12))
        rough = self._u(n, 3, few, few, high=255.0)
        plain = self._u(n, 3, 1, 1, high=255.0)
        rough = plain + (rough - plain) * self._u(n, 1, 1, 1)
        mode = self.rng.choice(("bilinear", "nearest"))
        ground = F.interpolate(rough, size=(height, width), mode=mode)
        if self.rng.random() < 0.5:
            ground = ground + self._n(n, 1, height, width) * self._u(n, 1, 1, 1, high=25.0)
        return ground
