"""Train the second network on a GPU: many processes draw the bank, the GPU photographs it and learns.

    python -m training.second.train --fonts DIR --art DIR [--photos DIR] --out DIR [--seconds 800] [--until 0.504]

Writes `second.onnx` with its record. The rate falls by a cosine over so many seconds, of which the share `until` is
run; what is kept is the running mean of the weights. Its length goes by the clock, so no run repeats another's file.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import os
import sys
import time
from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn

from training.second.bank import Lesson, WideBank, wide_bank
from training.second.chance import NOT_TAUGHT
from training.second.darkroom import GpuDarkroom
from training.second.shape import SecondNet
from training.train_reader import KINDS, RANKS, SUITS, export
from training.typeface import digests, typefaces

SHOOT, BATCH, POOL = 1024, 2048, 65_536
ECHO: Final = 2
"""How often a half is shown on average."""

RATE: Final = 3e-3
_WARM: Final = 0.03
_KEEP: Final = 0.9995


def loss_of(scores: Tensor, labels: Tensor) -> Tensor:
    """Cross entropy of the kind, and of rank and suit where there is a face."""
    parts = scores.float().split((KINDS, RANKS, SUITS), dim=1)
    total = torch.zeros((), device=scores.device)
    for number, part in enumerate(parts):
        total = total + nn.functional.cross_entropy(part, labels[:, number], ignore_index=NOT_TAUGHT, reduction="sum")
    return total / len(labels)


class Learner:
    """The network, its optimiser and the running mean of its weights, which is what is kept."""

    def __init__(self, device: str) -> None:
        self.net = SecondNet().to(device, memory_format=torch.channels_last)
        self.mean = copy.deepcopy(self.net).eval()
        decay = [p for p in self.net.parameters() if p.dim() > 1]
        plain = [p for p in self.net.parameters() if p.dim() <= 1]
        groups = [{"params": decay, "weight_decay": 2e-2}, {"params": plain, "weight_decay": 0.0}]
        self.optimiser = torch.optim.AdamW(groups, lr=RATE, fused=device == "cuda")
        self.loss = torch.zeros((), device=device)

    def learn(self, pictures: Tensor, labels: Tensor, share: float, step: int) -> None:
        """One step; `share` says how much of the plan is done."""
        for group in self.optimiser.param_groups:
            group["lr"] = RATE * min(1.0, share / _WARM) * (0.5 + 0.5 * math.cos(math.pi * share)) + 1e-6
        with torch.autocast(pictures.device.type, dtype=torch.bfloat16):
            scores = self.net(pictures)
        loss = loss_of(scores, labels)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.optimiser.step()
        self.loss = loss.detach() if step == 0 else self.loss * 0.99 + loss.detach() * 0.01
        self._average(min(_KEEP, 1 - 1 / (step + 2)))

    def _average(self, keep: float) -> None:
        with torch.no_grad():
            torch._foreach_lerp_(list(self.mean.parameters()), list(self.net.parameters()), 1 - keep)
            for old, new in zip(self.mean.buffers(), self.net.buffers(), strict=True):
                _ = old.lerp_(new, 1 - keep) if old.is_floating_point() else old.copy_(new)


def room_of(bank: WideBank, seed: int, device: str) -> GpuDarkroom:
    """The bank on the device, ready to be photographed."""
    pictures = torch.empty(bank.pictures.shape, dtype=torch.uint8, device=device)
    for start in range(0, len(pictures), 4096):
        pictures[start : start + 4096] = torch.from_numpy(bank.pictures[start : start + 4096]).to(device)
    labels, weights = (torch.from_numpy(part).to(device) for part in (bank.labels, bank.weights))
    return GpuDarkroom(pictures, labels, weights, seed)


def train(learner: Learner, room: GpuDarkroom, seconds: float, until: float) -> tuple[int, int]:
    """Teach from a pool of half cards of which a part is always replaced; gives the steps and the halves drawn."""
    device = room.device
    pool = torch.empty((POOL, 3, 80, 112), dtype=torch.uint8, device=device)
    marks = torch.empty((POOL, 3), dtype=torch.int64, device=device)
    for start in range(0, POOL, 2 * SHOOT):
        pool[start : start + 2 * SHOOT], marks[start : start + 2 * SHOOT] = room.shoot(SHOOT)
    started, step, drawn, share = time.monotonic(), 0, 0, 0.0
    while share < until:
        if step % ECHO == 0:
            halves, labels = room.shoot(SHOOT)
            at = torch.randint(0, POOL, (len(halves),), device=device)
            pool[at], marks[at] = halves, labels
            drawn += len(halves)
        which = torch.randint(0, POOL, (BATCH,), device=device)
        batch = (pool[which].float() / 255).contiguous(memory_format=torch.channels_last)
        learner.learn(batch, marks[which], share, step)
        step, share = step + 1, (time.monotonic() - started) / seconds
        if step % 100 == 0:
            sys.stderr.write(f"{step}: {100 * share:.0f} %, {drawn} drawn, loss {learner.loss.item():.4f}\n")
    return step, drawn


def main() -> None:
    asked = argparse.ArgumentParser()
    for name in ("--fonts", "--art", "--out"):
        asked.add_argument(name, type=Path, required=True)
    asked.add_argument("--photos", type=Path)
    asked.add_argument("--seconds", type=float, default=800)
    asked.add_argument("--until", type=float, default=0.504)
    asked.add_argument("--made-up", type=int, default=100_000)
    asked.add_argument("--seed", type=int, default=11)
    asked.add_argument("--device", default="cuda")
    given = asked.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    began, (taught, kept_out) = time.monotonic(), typefaces(given.fonts)
    fonts = ("",) * 6 + tuple(map(str, taught))
    lesson = Lesson(given.seed, fonts, given.art, given.photos, given.made_up)
    bank = wide_bank(lesson, max(1, (os.cpu_count() or 2) - 1))
    torch.manual_seed(given.seed)
    learner = Learner(given.device)
    steps, drawn = train(learner, room_of(bank, given.seed, given.device), given.seconds, given.until)
    net = learner.mean.cpu().float().eval().to(memory_format=torch.contiguous_format)
    record = {
        "sha256": export(net, given.out / "second.onnx"), "vector": "/11/Relu_output_0", "seed": given.seed,
        "samples": drawn, "shown": steps * BATCH, "steps": steps, "batch": BATCH, "drawn": given.made_up,
        "seconds": round(time.monotonic() - began), "photos": given.photos is not None,
        "temperatures": {"kind": 1.0, "rank": 1.0, "suits": [1.0] * 4},
        "fonts": digests(taught), "held_out_fonts": digests(kept_out),
    }  # fmt: skip
    (given.out / "second.json").write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
