"""Finish networks on a processor: learn on from their ONNX files, at a rate that falls to zero.

    python -m training.second.finish --from devices/camera/model --fonts DIR --art DIR [--photos DIR] --out DIR
                                     [--networks second reader] [--seconds 2700] [--seed 23]

One process draws, each network has one that learns in bfloat16 from what is drawn. The rate falls by a cosine over so
many seconds, so no run repeats another's file. What is kept lies half way between the weights it began with and the
running mean of those it came to, which alone name less of designs nobody taught. `DIR` of the typefaces holds packages,
each unpacked in a folder of its own. Writes NAME.onnx, NAME.json, NAME.finish.json, meanwhile NAME.pt and NAME.log.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import multiprocessing
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn

from training.second.bank import Lesson
from training.second.pool import Pool, fill
from training.second.teaching_fonts import of_packages, with_rare_ones_twice
from training.second.train import loss_of
from training.second.weights import from_onnx
from training.train_reader import export
from training.typeface import digests

BATCH: Final = {"second": 256, "reader": 128}
RATE: Final = {"second": 3e-4, "reader": 5e-4}
_WARM: Final = 0.02
_KEEP: Final = 0.995
SHARE: Final = 0.5
"""How far what is kept lies from the weights it began with to those it came to."""

_NORM_MAX: Final = 2.0
_TELL: Final = 50
_WRITE: Final = 500


@dataclass(frozen=True, slots=True)
class Plan:
    """How a network learns on."""

    seconds: float
    rate: float
    batch: int
    seed: int


class Learner:
    """A network, its optimiser and the running mean of its weights, which is what is kept."""

    def __init__(self, file: Path, plan: Plan) -> None:
        self.plan = plan
        self.net = from_onnx(file).to(memory_format=torch.channels_last)
        self.begun_with = copy.deepcopy(self.net)
        self.mean = copy.deepcopy(self.net)
        decay = [part for part in self.net.parameters() if part.dim() > 1]
        plain = [part for part in self.net.parameters() if part.dim() <= 1]
        groups = [{"params": decay, "weight_decay": 2e-2}, {"params": plain, "weight_decay": 0.0}]
        self.optimiser = torch.optim.AdamW(groups, lr=plan.rate)
        self.steps, self.loss = 0, 0.0

    def learn(self, pictures: Tensor, labels: Tensor, share: float) -> None:
        """One step; `share` says how much of the plan is done."""
        for group in self.optimiser.param_groups:
            group["lr"] = self.plan.rate * min(1.0, share / _WARM) * (0.5 + 0.5 * math.cos(math.pi * share)) + 1e-7
        with torch.autocast("cpu", dtype=torch.bfloat16):
            scores = self.net((pictures.float() / 255).contiguous(memory_format=torch.channels_last))
        loss = loss_of(scores, labels)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), _NORM_MAX)
        self.optimiser.step()
        self.loss = loss.item() if self.steps == 0 else self.loss * 0.99 + loss.item() * 0.01
        keep = min(_KEEP, 1 - 1 / (self.steps + 2))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.mean.parameters()), list(self.net.parameters()), 1 - keep)
        self.steps += 1

    def kept(self) -> nn.Module:
        net = copy.deepcopy(self.begun_with)
        with torch.no_grad():
            torch._foreach_lerp_(list(net.parameters()), list(self.mean.parameters()), SHARE)
        return net.eval().to(memory_format=torch.contiguous_format)


def teach(file: Path, pool: Pool, plan: Plan, out: Path) -> None:
    """The learning process of one network: to the end of the plan; leaves its file and what is to be recorded."""
    name = file.stem
    torch.set_num_threads(1)
    torch.manual_seed(plan.seed)
    learner = Learner(file, plan)
    pool.begun.wait()
    started, share = time.monotonic(), 0.0
    with (out / f"{name}.log").open("w") as log:
        while share < 1:
            which = torch.randint(0, pool.filled, (plan.batch,))
            learner.learn(pool.pictures[which], pool.labels[which], share)
            seconds = time.monotonic() - started
            share = seconds / plan.seconds
            if learner.steps % _TELL == 0:
                shown, drawn = learner.steps * plan.batch, pool.drawn.value
                log.write(f"{100 * share:.1f} %: {shown} shown, {drawn} drawn, loss {learner.loss:.4f}\n")
                log.flush()
            if learner.steps % _WRITE == 0:
                torch.save({"net": learner.net.state_dict(), "mean": learner.mean.state_dict()}, out / f"{name}.pt")
    told = {
        "sha256": export(learner.kept(), out / f"{name}.onnx"), "share": SHARE, "loss": round(learner.loss, 4),
        "steps": learner.steps, "shown": learner.steps * plan.batch, "samples": pool.drawn.value, **asdict(plan),
    }  # fmt: skip
    (out / f"{name}.finish.json").write_text(json.dumps(told, indent=1) + "\n")


def recorded(model: Path, out: Path, name: str, fonts: dict[str, str]) -> None:
    """The record of a finished network: that of the network it was, and what taught it since."""
    record = json.loads((model / f"{name}.json").read_text())
    told = json.loads((out / f"{name}.finish.json").read_text())
    if "finished" in record:
        record["finished_before"] = [*record.get("finished_before", ()), record["finished"]]
    record["finished"] = {**told, "from": record["sha256"]}
    record["fonts"] |= fonts
    record |= {"sha256": told["sha256"], "temperatures": {"kind": 1.0, "rank": 1.0, "suits": [1.0] * 4}}
    (out / f"{name}.json").write_text(json.dumps(record, indent=1) + "\n")


def asked_for() -> argparse.Namespace:
    asked = argparse.ArgumentParser()
    for name in ("--fonts", "--art", "--out"):
        asked.add_argument(name, type=Path, required=True)
    asked.add_argument("--from", type=Path, required=True, dest="model")
    asked.add_argument("--photos", type=Path)
    asked.add_argument("--networks", nargs="+", default=["second", "reader"])
    asked.add_argument("--seconds", type=float, default=2700)
    asked.add_argument("--made-up", type=int, default=8_400)
    asked.add_argument("--pool", type=int, default=49_152)
    asked.add_argument("--seed", type=int, default=23)
    return asked.parse_args()


def main() -> None:
    given = asked_for()
    given.out.mkdir(parents=True, exist_ok=True)
    taught = of_packages(given.fonts, given.seed)
    fonts = ("",) * 6 + tuple(map(str, with_rare_ones_twice(taught)))
    pool, context = Pool(given.pool), multiprocessing.get_context("fork")
    drawing = context.Process(
        target=fill, args=(pool, Lesson(given.seed, fonts, given.art, given.photos, given.made_up))
    )
    drawing.start()
    learning = []
    for number, name in enumerate(given.networks):
        plan = Plan(given.seconds, RATE[name], BATCH[name], given.seed + number)
        learning.append(context.Process(target=teach, args=(given.model / f"{name}.onnx", pool, plan, given.out)))
        learning[-1].start()
    for process in learning:
        process.join()
    drawing.terminate()
    for name in given.networks:
        recorded(given.model, given.out, name, digests(taught))


if __name__ == "__main__":
    main()
