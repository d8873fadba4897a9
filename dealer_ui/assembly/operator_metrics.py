"""What a monitoring system is told of operators: how wallets answer, what these are owed, and who hears of rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from dealer_ui.floor.floor import Floor
from dealer_ui.teller.look import Look, RoundLook, looks, round_looks

RoundLooks = Callable[[], Iterable[RoundLook]]
WalletLooks = Callable[[], Iterable[Look]]
_OF: Final = ["operator"]


class RoundCollector(Collector):
    """Looks at the webhooks at each scrape; keeps nothing."""

    def __init__(self, looks: RoundLooks, now_ms: Callable[[], int]) -> None:
        self._looks = looks
        self._now_ms = now_ms

    def collect(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("studio_webhook_up", "1 while a webhook is called, 0 while it is silent", labels=_OF)
        told = CounterMetricFamily("studio_webhook_calls", "Rounds told, and told again", labels=_OF)
        failed = CounterMetricFamily("studio_webhook_failed", "Tellings that were answered with no yes", labels=_OF)
        unheard = GaugeMetricFamily("studio_webhook_unheard", "Rounds that have still to be told", labels=_OF)
        oldest = GaugeMetricFamily("studio_webhook_oldest_seconds", "Age of the oldest of them", labels=_OF)
        now_ms = self._now_ms()
        for look in self._looks():
            name = [look.operator]
            up.add_metric(name, float(not look.pulse.silent))
            told.add_metric(name, float(look.pulse.calls))
            failed.add_metric(name, float(look.pulse.unknown))
            unheard.add_metric(name, float(look.unheard))
            oldest.add_metric(name, look.owed.age_ms(now_ms) / 1000)
        yield from (up, told, failed, unheard, oldest)


class WalletCollector(Collector):
    """Looks at the wallets at each scrape; keeps nothing."""

    def __init__(self, looks: WalletLooks, now_ms: Callable[[], int]) -> None:
        self._looks = looks
        self._now_ms = now_ms

    def collect(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("studio_wallet_up", "1 while a wallet is asked, 0 while it is silent", labels=_OF)
        asked = CounterMetricFamily("studio_wallet_calls", "Calls that a wallet was asked", labels=_OF)
        unclear = CounterMetricFamily("studio_wallet_unknown", "Calls without a clear answer", labels=_OF)
        took = GaugeMetricFamily("studio_wallet_ms", "How long the newest answers took", labels=[*_OF, "quantile"])
        owed = GaugeMetricFamily("studio_wallet_owed", "Movements that a wallet has yet to be told", labels=_OF)
        oldest = GaugeMetricFamily("studio_wallet_owed_oldest_seconds", "Age of the oldest of them", labels=_OF)
        people = GaugeMetricFamily("studio_wallet_for_people", "Movements that people are to look into", labels=_OF)
        suspense = GaugeMetricFamily(
            "studio_wallet_suspense_minor", "What may have been taken, in minor units", labels=[*_OF, "currency"]
        )
        now_ms = self._now_ms()
        for look in self._looks():
            name, pulse = look.operator, look.pulse
            up.add_metric([name], float(not pulse.silent))
            asked.add_metric([name], float(pulse.calls))
            unclear.add_metric([name], float(pulse.unknown))
            took.add_metric([name, "0.5"], float(pulse.median_ms))
            took.add_metric([name, "0.99"], float(pulse.slowest_ms))
            owed.add_metric([name], float(look.owed.count))
            oldest.add_metric([name], look.owed.age_ms(now_ms) / 1000)
            people.add_metric([name], float(look.owed.for_people))
            for currency, amount_minor in look.suspense.items():
                suspense.add_metric([name, currency], float(amount_minor))
        yield from (up, asked, unclear, took, owed, oldest, people, suspense)


def operator_collectors(floor: Floor) -> tuple[Collector, ...]:
    """Of their wallets, and of who is told of his rounds."""
    return (
        WalletCollector(lambda: looks(floor.tellers, floor.reader(), own=True), floor.now_ms),
        RoundCollector(lambda: round_looks(floor.tellers, floor.reader()), floor.now_ms),
    )
