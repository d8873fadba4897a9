"""Train the reader's network on synthetic half cards and write `reader.onnx` with its record `reader.json`.

    python training/train_reader.py --fonts DIR --out devices/camera/model [--samples 360000] [--seed 2]

Needs torch 2.13 and onnx beside the product's own packages, in an environment of its own (training/README.md).
One thread learns while one process draws; under half an hour on two cores.
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
from pathlib import Path

import cv2
import numpy as np
import torch
from crops import FACE, NO_LABEL, Hardness, Label, samples
from torch import nn

BATCH = 64
KINDS, RANKS, SUITS = 3, 13, 4
NOT_LETTERS = ("_K", "Initials", "_I.", "_I-", "Mono-Dingbats", "Keyboard", "Emoji", "SymbolNeu")


class HalfCardNet(nn.Sequential):
    """Half a card, `(n, 3, 64, 96)` in 0 to 1, to 20 scores: 3 kinds, 13 ranks, 4 suits.

    Conv, ReLU, MaxPool and Gemm only, so that every OpenCV runs it.
    """

    def __init__(self) -> None:
        super().__init__(
            *_block(3, 24, 2, 5), *_block(24, 32, 1), *_block(32, 48, 2), *_block(48, 48, 1), *_block(48, 64, 2),
            *_block(64, 64, 1), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(64 * 24, 160), nn.ReLU(inplace=True),
            nn.Dropout(0.1), nn.Linear(160, KINDS + RANKS + SUITS),
        )  # fmt: skip


def _block(inputs: int, outputs: int, stride: int, size: int = 3) -> tuple[nn.Module, ...]:
    conv = nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False)
    return conv, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)


def draw_batches(seed: int, fonts: tuple[str, ...], queue: multiprocessing.Queue) -> None:
    """The drawing process: shuffled batches without end, the same for the same seed."""
    cv2.setNumThreads(1)
    rng, source = np.random.default_rng(seed), samples(seed, fonts)
    pool = list(itertools.islice(source, BATCH * 24))
    while True:
        picked = rng.choice(len(pool), BATCH, replace=False)
        queue.put(_packed([pool[i] for i in picked]))
        for i, fresh in zip(picked, source, strict=False):
            pool[i] = fresh


def _packed(batch: list[tuple[np.ndarray, Label]]) -> tuple[np.ndarray, np.ndarray]:
    pictures = np.stack([picture for picture, _ in batch]).transpose(0, 3, 1, 2)
    return np.ascontiguousarray(pictures), np.array([(l.kind, l.rank, l.suit) for _, l in batch], np.int64)  # noqa: E741


def loss_of(scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Cross entropy of the kind, and of rank and suit where there is a face."""
    parts = scores.split((KINDS, RANKS, SUITS), dim=1)
    ignore = nn.CrossEntropyLoss(ignore_index=NO_LABEL, reduction="sum")
    return sum(ignore(part, labels[:, i]) for i, part in enumerate(parts)) / len(labels)  # type: ignore[return-value]


def train(seed: int, fonts: tuple[str, ...], count: int) -> nn.Module:
    torch.manual_seed(seed)
    net = HalfCardNet().to(memory_format=torch.channels_last)
    steps = count // BATCH
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=2e-4)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps, pct_start=0.1)
    queue: multiprocessing.Queue = multiprocessing.Queue(maxsize=60)
    drawer = multiprocessing.Process(target=draw_batches, args=(seed, fonts, queue), daemon=True)
    drawer.start()
    started, mean = time.monotonic(), 0.0
    for step in range(steps):
        pictures, labels = (torch.from_numpy(part) for part in queue.get())
        scores = net((pictures.float() / 255).to(memory_format=torch.channels_last))
        loss = loss_of(scores, labels)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        plan.step()
        mean = loss.item() if step == 0 else mean * 0.99 + loss.item() * 0.01
        if step % 200 == 0:
            seen = (step + 1) * BATCH
            sys.stderr.write(f"{step}/{steps} loss {mean:.4f} {seen / (time.monotonic() - started):.0f}/s\n")
    drawer.terminate()
    return net.eval().to(memory_format=torch.contiguous_format)


def export(net: nn.Module, path: Path) -> str:
    """Write the network as ONNX, normalisation folded in; gives the file's SHA-256."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net, (torch.zeros(1, 3, 64, 96),), str(path), dynamo=False, opset_version=13, input_names=["halves"],
            output_names=["scores"], dynamic_axes={"halves": {0: "n"}, "scores": {0: "n"}},
        )  # fmt: skip
    return hashlib.sha256(path.read_bytes()).hexdigest()


def held_out(net: nn.Module, seed: int, fonts: tuple[str, ...], count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Scores and labels of pairs of halves whose typefaces the training never saw."""
    source = samples(seed, fonts, hardness=Hardness(blur_mm=0.55, noise=10.0))
    scores, labels = [], []
    with torch.no_grad():
        for _ in range(count // 128):
            pictures, marks = _packed(list(itertools.islice(source, 128)))
            scores.append(net(torch.from_numpy(pictures).float() / 255))
            labels.append(torch.from_numpy(marks))
    return torch.cat(scores), torch.cat(labels)


def temperature(scores: torch.Tensor, labels: torch.Tensor) -> float:
    """The divisor of the scores that makes the probabilities honest on held-out halves."""
    tried = [(loss_of(scores / t, labels).item(), t) for t in np.arange(0.6, 2.6, 0.05)]
    return round(float(min(tried)[1]), 3)


def accepted(scores: torch.Tensor, labels: torch.Tensor, divisor: float) -> list[tuple[float, bool]]:
    """Of every pair of halves that agree on a face: the weaker half's probability, and whether it is right."""
    kind, rank, suit = ((part / divisor).softmax(1) for part in scores.split((KINDS, RANKS, SUITS), dim=1))
    sure = kind[:, FACE] * rank.max(1).values * suit.max(1).values
    named = rank.argmax(1) * 4 + suit.argmax(1)
    true = torch.where(labels[:, 0] == FACE, labels[:, 1] * 4 + labels[:, 2], torch.tensor(-1))
    up = kind.argmax(1) == FACE
    agree = (named[0::2] == named[1::2]) & up[0::2] & up[1::2]
    weaker = torch.minimum(sure[0::2], sure[1::2])
    return [(weaker[i].item(), bool(named[2 * i] == true[2 * i])) for i in agree.nonzero().flatten().tolist()]


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--fonts", type=Path, required=True)
    asked.add_argument("--out", type=Path, required=True)
    asked.add_argument("--samples", type=int, default=360_000)
    asked.add_argument("--seed", type=int, default=2)
    given = asked.parse_args()
    torch.set_num_threads(1)
    files = sorted(path for path in given.fonts.rglob("*.[to]tf") if not any(odd in path.name for odd in NOT_LETTERS))
    kept_out, taught = files[::7], [path for i, path in enumerate(files) if i % 7]
    started = time.monotonic()
    net = train(given.seed, ("",) * 8 + tuple(map(str, taught)), given.samples)
    given.out.mkdir(parents=True, exist_ok=True)
    digest = export(net, given.out / "reader.onnx")
    scores, labels = held_out(net, given.seed + 1000, tuple(map(str, kept_out)), 40_000)
    divisor = temperature(scores, labels)
    pairs = accepted(scores, labels, divisor)
    faces = int((labels[0::2, 0] == FACE).sum())
    wrong = sorted((sure for sure, right in pairs if not right), reverse=True)
    record = {
        "sha256": digest, "seed": given.seed, "samples": given.samples, "seconds": round(time.monotonic() - started),
        "temperature": divisor, "worst_wrong": wrong[:10], "held_out_faces": faces,
        "accepted_at": {str(t): sum(sure >= t for sure, _ in pairs) for t in (0.9, 0.95, 0.98, 0.99, 0.995)},
        "wrong_at": {str(t): sum(sure >= t for sure in wrong) for t in (0.9, 0.95, 0.98, 0.99, 0.995)},
        "fonts": {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in taught},
        "held_out_fonts": [path.name for path in kept_out],
    }  # fmt: skip
    (given.out / "reader.json").write_text(json.dumps(record, indent=1) + "\n")
    json.dump({k: v for k, v in record.items() if "fonts" not in k}, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
