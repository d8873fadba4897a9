"""Train the reader's network on synthetic half cards and write `reader.onnx` with its record `reader.json`.

    python -m training.train_reader --fonts DIR --art DIR [--photos DIR] --out DIR [--samples 520000] [--seed 5]

Needs torch 2.13 and onnx beside the product's own packages, in an environment of its own (training/README.md).
One thread learns, in bfloat16, while one process draws; equal seed and inputs give an equal file.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import multiprocessing
import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from devices.camera.picture.quadrilateral import CARD_PX
from training.bank import NO_LABEL, training_bank
from training.crops import Darkroom, Hardness, Sample
from training.typeface import digests, typefaces

BATCH = 128
TAUGHT = Hardness(reprint=0.45)
KINDS, RANKS, SUITS = 3, 13, 4


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a training run is given."""

    seed: int
    samples: int
    fonts: tuple[str, ...]
    art: Path
    photos: Path | None
    drawn: int


class HalfCardNet(nn.Sequential):
    """Half a card, `(n, 3, 80, 112)` in 0 to 1, to 20 scores: 3 kinds, 13 ranks, 4 suits.

    Conv, ReLU and Gemm only, so that every OpenCV runs it.
    """

    def __init__(self) -> None:
        super().__init__(
            *_block(3, 20, 2, 5), *_block(20, 32, 1), *_block(32, 48, 2), *_block(48, 48, 1), *_block(48, 64, 2),
            *_block(64, 64, 1), *_block(64, 96, 2), *_block(96, 56, 1, 1), nn.Flatten(), nn.Linear(56 * 35, 128),
            nn.ReLU(inplace=True), nn.Dropout(0.2), nn.Linear(128, KINDS + RANKS + SUITS),
        )  # fmt: skip


def _block(inputs: int, outputs: int, stride: int, size: int = 3) -> tuple[nn.Module, ...]:
    conv = nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False)
    return conv, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)


def draw_batches(lesson: Lesson, queue: multiprocessing.Queue) -> None:
    """The drawing process: shuffled batches without end, the same for the same seed."""
    cv2.setNumThreads(1)
    bank = training_bank(lesson.seed, lesson.fonts, lesson.art, lesson.photos, lesson.drawn)
    rng, source = np.random.default_rng(lesson.seed), Darkroom(lesson.seed, bank, TAUGHT).samples()
    pool = list(itertools.islice(source, BATCH * 16))
    while True:
        picked = rng.choice(len(pool), BATCH, replace=False)
        queue.put(packed([pool[i] for i in picked]))
        for i, fresh in zip(picked, source, strict=False):
            pool[i] = fresh


def packed(batch: list[Sample]) -> tuple[np.ndarray, np.ndarray]:
    pictures = np.stack([picture for picture, _ in batch]).transpose(0, 3, 1, 2)
    return np.ascontiguousarray(pictures), np.array([(l.kind, l.rank, l.suit) for _, l in batch], np.int64)  # noqa: E741


def loss_of(scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Cross entropy of the kind, and of rank and suit where there is a face."""
    parts = scores.split((KINDS, RANKS, SUITS), dim=1)
    ignore = nn.CrossEntropyLoss(ignore_index=NO_LABEL, reduction="sum")
    return sum(ignore(part, labels[:, i]) for i, part in enumerate(parts)) / len(labels)  # type: ignore[return-value]


def train(lesson: Lesson, checkpoint: Path) -> nn.Module:
    torch.manual_seed(lesson.seed)
    torch.use_deterministic_algorithms(True)
    net = HalfCardNet().to(memory_format=torch.channels_last)
    steps = lesson.samples // BATCH
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=3e-2)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=steps, pct_start=0.1)
    queue: multiprocessing.Queue = multiprocessing.Queue(maxsize=40)
    drawer = multiprocessing.Process(target=draw_batches, args=(lesson, queue), daemon=True)
    drawer.start()
    started, mean = time.monotonic(), 0.0
    for step in range(steps):
        pictures, labels = (torch.from_numpy(part) for part in queue.get())
        with torch.autocast("cpu", dtype=torch.bfloat16):
            scores = net((pictures.float() / 255).to(memory_format=torch.channels_last))
        loss = loss_of(scores.float(), labels)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        plan.step()
        mean = loss.item() if step == 0 else mean * 0.99 + loss.item() * 0.01
        if step % 100 == 0:
            seen, waiting = (step + 1) * BATCH, queue.qsize()
            speed = seen / (time.monotonic() - started)
            sys.stderr.write(f"{step}/{steps} loss {mean:.4f} {speed:.0f}/s, {waiting} batches waiting\n")
        if step % 1000 == 999:
            torch.save(net.state_dict(), checkpoint)
    drawer.terminate()
    return net.eval().to(memory_format=torch.contiguous_format)


def export(net: nn.Module, path: Path) -> str:
    """Write the network as ONNX, normalisation folded in; gives the file's SHA-256."""
    half = torch.zeros(1, 3, CARD_PX[1] // 2, CARD_PX[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net, (half,), str(path), dynamo=False, opset_version=13, input_names=["halves"],
            output_names=["scores"], dynamic_axes={"halves": {0: "n"}, "scores": {0: "n"}},
        )  # fmt: skip
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--fonts", type=Path, required=True)
    asked.add_argument("--art", type=Path, required=True)
    asked.add_argument("--photos", type=Path)
    asked.add_argument("--out", type=Path, required=True)
    asked.add_argument("--samples", type=int, default=520_000)
    asked.add_argument("--drawn", type=int, default=12_000)
    asked.add_argument("--seed", type=int, default=5)
    given = asked.parse_args()
    torch.set_num_threads(1)
    taught, kept_out = typefaces(given.fonts)
    fonts = ("",) * 6 + tuple(map(str, taught))
    started = time.monotonic()
    given.out.mkdir(parents=True, exist_ok=True)
    lesson = Lesson(given.seed, given.samples, fonts, given.art, given.photos, given.drawn)
    net = train(lesson, given.out / "checkpoint.pt")
    digest = export(net, given.out / "reader.onnx")
    record = {
        "sha256": digest, "seed": given.seed, "samples": given.samples, "drawn": given.drawn,
        "seconds": round(time.monotonic() - started), "photos": given.photos is not None,
        "temperatures": {"kind": 1.0, "rank": 1.0, "suits": [1.0] * 4},
        "fonts": digests(taught), "held_out_fonts": digests(kept_out),
    }  # fmt: skip
    (given.out / "reader.json").write_text(json.dumps(record, indent=1) + "\n")
    sys.stdout.write(f"{digest}\n")


if __name__ == "__main__":
    main()
