"""Homographies of many outlines at a time."""

from __future__ import annotations

import torch
from torch import Tensor


def square_to(quad: Tensor) -> Tensor:
    """The homography of the unit square to each outline, `(n, 3, 3)`."""
    p0, p1, p2, p3 = quad.unbind(1)
    d1, d2, s = p1 - p2, p3 - p2, p0 - p1 + p2 - p3
    det = d1[:, 0] * d2[:, 1] - d2[:, 0] * d1[:, 1]
    det = torch.where(det.abs() < 1e-6, torch.full_like(det, 1e-6), det)
    g = (s[:, 0] * d2[:, 1] - d2[:, 0] * s[:, 1]) / det
    h = (d1[:, 0] * s[:, 1] - s[:, 0] * d1[:, 1]) / det
    rows = (
        torch.stack((p1[:, 0] - p0[:, 0] + g * p1[:, 0], p3[:, 0] - p0[:, 0] + h * p3[:, 0], p0[:, 0]), 1),
        torch.stack((p1[:, 1] - p0[:, 1] + g * p1[:, 1], p3[:, 1] - p0[:, 1] + h * p3[:, 1], p0[:, 1]), 1),
        torch.stack((g, h, torch.ones_like(g)), 1),
    )
    return torch.stack(rows, 1)


def apply(plane: Tensor, points: Tensor) -> Tensor:
    """Points of each outline `(n, k, 2)` through its homography."""
    out = torch.baddbmm(plane[:, None, :, 2], points, plane[:, :, :2].transpose(1, 2))
    return out[..., :2] / out[..., 2:]


def sheet(plane: Tensor, points: Tensor) -> Tensor:
    """The same points `(h, w, 2)` through every homography: `(n, h, w, 2)`."""
    n, (h, w, _) = len(plane), points.shape
    return apply(plane, points.reshape(1, -1, 2).expand(n, -1, 2)).view(n, h, w, 2)


def centres(width: int, height: int, device: torch.device) -> Tensor:
    y, x = torch.meshgrid(
        torch.arange(height, device=device) + 0.5, torch.arange(width, device=device) + 0.5, indexing="ij"
    )
    return torch.stack((x, y), dim=-1)


def unit_centres(width: int, height: int, device: torch.device) -> Tensor:
    return centres(width, height, device) / torch.tensor((width, height), device=device)
