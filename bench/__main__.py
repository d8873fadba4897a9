"""The benches: `python -m bench [KEY…] [--json]` runs them and prints the figures."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

import click
import msgspec
from rich.console import Console
from rich.table import Table

from bench import (
    betting,
    cluster_betting,
    crowd_round,
    fan_watching,
    flooding,
    frame_reading,
    journal_append,
    kept,
    laying,
    open_face_watching,
    poker_hands,
    roads,
    server_append,
    settling,
    settling_million,
    shoe_across,
    shoe_latency,
    simulating,
    streaming,
    tables,
    verifying,
    wallet_bets,
    wallet_calls,
)
from bench.figure import Figure, Measurement


def _cluster() -> Sequence[Figure]:
    return [*shoe_across.measure(), *cluster_betting.measure()]


MEASUREMENTS: Final[tuple[Measurement, ...]] = (
    Measurement("shoe", "From the shoe's line to a live screen", shoe_latency.measure),
    Measurement("streams", "Live screens held at once", streaming.measure),
    Measurement("bets", "Bets taken over HTTP, durable when answered", betting.measure),
    Measurement("flood", "Acts and bets while four operators flood a table", flooding.measure),
    Measurement("crowd", "100,000 bettors on one round, all deciding", crowd_round.measure),
    Measurement("settle", "Settle a large round", settling.measure),
    Measurement("million", "Settle a round of a million bets", settling_million.measure),
    Measurement("frame", "Read a frame on one core", frame_reading.measure),
    Measurement("fans", "Watch the felt of Blackjack on one core", fan_watching.measure),
    Measurement("ofc", "Watch hands of Open-Face Chinese", open_face_watching.measure),
    Measurement("tables", "Tables that two cores carry", tables.measure),
    Measurement("night", "Simulate", simulating.measure),
    Measurement("roads", "Draw the roads of a shoe", roads.measure),
    Measurement("laid", "From a card being laid until the camera confirms it", laying.measure),
    Measurement("verify", "Verify a database", verifying.measure),
    Measurement("kept", "What grows with the rounds that are kept", kept.measure),
    Measurement("journal", "Append to the journal", journal_append.measure),
    Measurement("server", "Append to the journal in PostgreSQL", server_append.measure),
    Measurement("cluster", "From a shoe's line to another node's screen; bets through a web node", _cluster),
    Measurement("wallet", "Ask an operator's wallet over HTTP", wallet_calls.measure),
    Measurement("wallets", "Bets through operators' wallets", wallet_bets.measure),
    Measurement("hands", "Read poker hands", poker_hands.measure),
)


@click.command()
@click.argument("keys", nargs=-1, type=click.Choice([one.key for one in MEASUREMENTS]), metavar="[KEY]...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def main(keys: Sequence[str], as_json: bool) -> None:
    """Measure everything, or what is named; exit 1 when a figure misses its target."""
    missed = False
    for measurement in MEASUREMENTS:
        if keys and measurement.key not in keys:
            continue
        figures = measurement.run()
        missed = missed or any(figure.holds is False for figure in figures)
        if as_json:
            _print_lines(measurement, figures)
        else:
            _print_table(measurement, figures)
    sys.exit(1 if missed else 0)


def _print_lines(measurement: Measurement, figures: Sequence[Figure]) -> None:
    for figure in figures:
        line = {"measurement": measurement.key, **asdict(figure), "ratio": figure.ratio}
        print(msgspec.json.encode(line).decode(), flush=True)


def _print_table(measurement: Measurement, figures: Sequence[Figure]) -> None:
    table = Table(title=measurement.title, title_justify="left")
    for heading in ("figure", "measured", "raw cost", "ratio", "must hold"):
        table.add_column(heading, justify="left" if heading in ("figure", "must hold") else "right")
    for figure in figures:
        raw = f"{figure.raw:,.1f} {figure.unit} {figure.raw_name}" if figure.raw is not None else "–"
        ratio = "–" if figure.ratio is None else f"{figure.ratio:.1f}" if figure.ratio >= 1 else f"{figure.ratio:.2g}"
        table.add_row(figure.name, f"{figure.value:,.1f} {figure.unit}", raw, ratio, _promise(figure))
    Console().print(table)


def _promise(figure: Figure) -> str:
    if figure.holds is None:
        return figure.target or "–"
    return f"{figure.target}: {'yes' if figure.holds else 'NO'}"


if __name__ == "__main__":
    main()
