"""Does a work in a process of its own and kills it at a named place; reads what to do from stdin, a line of JSON each.

    {"folder": "F", "work": "night", "kill": "a key is to be written", "number": 3, "fault": "", "address": ""}

With an `address` the record is a server's. With nothing to `kill` the work is done whole. Each is done by a child that
knows nothing of the others; how it ended, and how often it came by each place, is told as one line of JSON.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from aimed_fault import FAULTS
from aimed_place import PLACES, Aim
from aimed_work import ADDRESS, WORKS

from dealer_ui.process.log import quiet_logs


def do(asked: dict[str, Any], told: int) -> None:
    folder = Path(asked["folder"])
    folder.mkdir()
    if asked["address"]:
        (folder / ADDRESS).write_text(asked["address"])
    places = [place for place in PLACES if place.work == asked["work"]]
    aim, work = Aim(places, asked["kill"], asked["number"]), WORKS[asked["work"]]
    work.prepare(folder)
    FAULTS[asked["fault"]]()
    aim.take()
    work.act(folder)
    sys.settrace(None)
    os.write(told, json.dumps(aim.passed).encode())


def main() -> None:
    quiet_logs()
    for line in sys.stdin:
        heard, told = os.pipe()
        child = os.fork()
        if not child:
            os.close(heard)
            do(json.loads(line), told)
            os._exit(0)
        os.close(told)
        with os.fdopen(heard, "rb") as pipe:
            passed = pipe.read()
        _, status = os.waitpid(child, 0)
        ended = {"signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, "passed": json.loads(passed or "{}")}
        print(json.dumps(ended), flush=True)


if __name__ == "__main__":
    main()
