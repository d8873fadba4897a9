"""What lies on a card: fingers, chips, another card; whose index is hidden nobody may name."""

from __future__ import annotations

import math
from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from training.bank import FACE, OTHER
from training.second.chance import NOT_TAUGHT, TALL_MM, WIDE_MM, Chance

SEEN: Final = 0.06
HIDDEN: Final = 0.16
"""An index is whole below the one share covered, nobody's above the other; between them nothing is taught."""


class Covers(Chance):
    """Lays things on cards."""

    def _covered(self, light: Tensor, labels: Tensor, marks: Tensor, uv: Tensor) -> tuple[Tensor, Tensor]:
        which = self._some(len(light), self.recipe.covered)
        if not len(which):
            return light, labels
        thirds = which.chunk(3)
        for part, put in zip(thirds, (self._finger, self._chip, self._card_over), strict=False):
            if not len(part):
                continue
            mm = uv[part] * torch.tensor((WIDE_MM, TALL_MM), device=self.device)
            boxes = self._index_boxes(marks[part])
            cover, hidden, paint = put(len(part), mm, boxes)
            light[part] = light[part] * (1 - cover) + paint * cover
            face = marks[part, 0] == FACE
            rows = labels[part]
            dim = (hidden > SEEN) & face[:, None]
            rows[dim] = NOT_TAUGHT
            rows[..., 0][(hidden > HIDDEN) & face[:, None]] = OTHER
            labels[part] = rows
        return light, labels

    def _index_boxes(self, marks: Tensor) -> Tensor:
        """Spots of the index of both halves in millimetres, `(m, 2, 80, 2)`."""
        u, v = torch.meshgrid(
            torch.linspace(0, 1, 10, device=self.device),
            torch.linspace(0.03, 0.3, 8, device=self.device),
            indexing="ij",
        )
        far = torch.where(marks[:, 3] == 1, 0.97, 0.22)[:, None]
        u = 0.03 + u.flatten()[None] * (far - 0.03)
        box = torch.stack((u * WIDE_MM, (v.flatten() * TALL_MM)[None].expand_as(u)), dim=-1)
        size = torch.tensor((WIDE_MM, TALL_MM), device=self.device)
        return torch.stack((box, size - box), dim=1)

    def _paint(self, m: int) -> Tensor:
        skin = torch.tensor((110.0, 140.0, 190.0), device=self.device) * self._u(m, 1, low=0.4, high=1.25)
        skin = skin + self._n(m, 3) * 12
        any_ink = self._u(m, 3, high=255.0)
        return torch.where(self._u(m, 1) < 0.5, skin, any_ink).view(m, 3, 1, 1)

    def _finger(self, m: int, mm: Tensor, boxes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """One to three fingers from outside."""
        size = torch.tensor((WIDE_MM, TALL_MM), device=self.device)
        tip = self._u(m, 2) * size
        turn = self._u(m, high=2 * math.pi)
        away = torch.stack((turn.cos(), turn.sin()), dim=1)
        beside = torch.stack((-away[:, 1], away[:, 0]), dim=1)
        radius = self._u(m, low=5.0, high=10.0)
        count = int(self.rng.random() * 3) + 1

        def outside(at: Tensor) -> Tensor:
            least = torch.full(at.shape[:-1], 1e6, device=self.device)
            shape = (m,) + (1,) * (at.dim() - 2)
            for finger in range(count):
                start = tip + beside * (finger * 2.1 * radius)[:, None] + away * (finger * 5.0)
                apart = at - start.view(*shape, 2)
                along = (apart * away.view(*shape, 2)).sum(-1).clamp_min(0)
                apart = apart - along[..., None] * away.view(*shape, 2)
                least = torch.minimum(least, apart.norm(dim=-1) - radius.view(shape))
            return least

        cover = (0.5 - outside(mm) / 0.6).clamp(0, 1)[:, None]
        return cover, (outside(boxes) < 0).float().mean(-1), self._paint(m) + self._n(m, 1, *mm.shape[1:3]) * 4

    def _chip(self, m: int, mm: Tensor, boxes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """A chip anywhere, its rim in another colour."""
        size = torch.tensor((WIDE_MM, TALL_MM), device=self.device)
        at, radius = self._u(m, 2) * size, self._u(m, low=6.0, high=24.0)

        def apart(spot: Tensor) -> Tensor:
            shape = (m,) + (1,) * (spot.dim() - 2)
            return (spot - at.view(*shape, 2)).norm(dim=-1) - radius.view(shape)

        off = apart(mm)[:, None]
        rim = ((off + radius.view(m, 1, 1, 1) * 0.25) > 0).float()
        paint = self._u(m, 3, 1, 1, high=255.0) * (1 - rim) + self._u(m, 3, 1, 1, high=255.0) * rim
        return (0.5 - off / 0.6).clamp(0, 1), (apart(boxes) < 0).float().mean(-1), paint

    def _card_over(self, m: int, mm: Tensor, boxes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Another card over a corner or a side."""
        size = torch.tensor((WIDE_MM, TALL_MM), device=self.device)
        over = self.pictures[self._pick(m)].permute(0, 3, 1, 2).float()
        over = F.interpolate(over, scale_factor=0.6, mode="bilinear", antialias=True)
        turn = (self._u(m) - 0.5) * 0.9 + (self._u(m, high=2).floor() * 0.5 * math.pi)
        around = self._u(m, high=2 * math.pi)
        reach = self._u(m, low=0.45, high=1.05)
        at = size / 2 + torch.stack((around.cos() * WIDE_MM, around.sin() * TALL_MM), dim=1) * reach[:, None]
        spin = torch.stack((turn.cos(), turn.sin(), -turn.sin(), turn.cos()), dim=1).view(m, 2, 2)

        def unit(spot: Tensor) -> Tensor:
            flat = (spot.reshape(m, -1, 2) - at[:, None]) @ spin
            return (flat / (size / 2)).view(spot.shape)

        where = unit(mm)
        laid = F.grid_sample(over, where, align_corners=False, padding_mode="zeros")
        cover = ((laid[:, 3:] - 96) / 64).clamp(0, 1)
        hidden = (unit(boxes).abs().amax(-1) < 1).float().mean(-1)
        return cover, hidden, laid[:, :3] / (laid[:, 3:] / 255).clamp_min(0.2)
