"""What a monitoring system scrapes: numbers of tables and storage, never a card or a name."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from flask import Blueprint, Response, abort, request
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from dealer_ui.desk.operator_key import digest_of_key
from studio.views import TableView

Look = Callable[[], Iterable[TableView]]
Owed = Callable[[], Mapping[str, int]]
"""How many checkpoints each witness is owed."""
Doors = Callable[[], Mapping[tuple[str, str], int]]
"""How often somebody was turned away, by door and reason."""


class TableCollector(Collector):
    """Reads the tables at each scrape; keeps nothing."""

    def __init__(self, look: Look, waiting: Callable[[], int], owed: Owed = dict, doors: Doors = dict) -> None:
        self._look = look
        self._waiting = waiting
        self._owed = owed
        self._doors = doors

    def collect(self) -> Iterator[Metric]:
        held = GaugeMetricFamily("studio_table_held", "1 while the table is held", labels=["table"])
        incidents = GaugeMetricFamily("studio_table_incidents", "Open incidents", labels=["table"])
        rounds = GaugeMetricFamily("studio_table_round", "Number of the newest round", labels=["table"])
        seq = GaugeMetricFamily("studio_table_journal_seq", "Newest journalled event", labels=["table"])
        links = GaugeMetricFamily("studio_device_link_up", "1 while the link is up", labels=["table", "device"])
        pots = GaugeMetricFamily("studio_pot_minor", "What lies in a pot, in minor units", labels=["pot", "currency"])
        exposure = GaugeMetricFamily("studio_exposure_minor", "What the house could lose on a round", labels=["table"])
        most = GaugeMetricFamily("studio_exposure_most_minor", "The most it may; 0: no limit", labels=["table"])
        refused = GaugeMetricFamily("studio_exposure_refused", "Bets of this round without room", labels=["table"])
        shown: set[str] = set()
        for view in self._look():
            if view.game.pot is not None and view.game.pot.key not in shown:
                shown.add(view.game.pot.key)
                pots.add_metric([view.game.pot.key, view.game.pot.currency], float(view.game.pot.amount_minor))
            if view.bets.exposure is not None:
                exposure.add_metric([view.table], float(view.bets.exposure.now_minor))
                most.add_metric([view.table], float(view.bets.exposure.most_minor))
                refused.add_metric([view.table], float(view.bets.exposure.refused))
            held.add_metric([view.table], float(view.now.held))
            incidents.add_metric([view.table], float(len(view.incidents.open)))
            rounds.add_metric([view.table], float(view.round.number))
            seq.add_metric([view.table], float(view.seq))
            for device, up in view.devices.links.items():
                links.add_metric([view.table, device], float(up))
        waiting = GaugeMetricFamily("studio_commits_waiting", "Commits that wait for the disk", value=self._waiting())
        owed = GaugeMetricFamily("studio_witness_owed", "Checkpoints a witness has not taken", labels=["witness"])
        for witness, count in self._owed().items():
            owed.add_metric([witness], float(count))
        yield from (held, incidents, rounds, seq, links, pots, exposure, most, refused, waiting, owed)
        yield self._turned_away()

    def _turned_away(self) -> Metric:
        told = CounterMetricFamily(
            "studio_turned_away", "Failed API keys and refused sign-ins", labels=["door", "reason"]
        )
        for (door, reason), count in self._doors().items():
            told.add_metric([door, reason], float(count))
        return told


def metrics_routes(
    look: Look, waiting: Callable[[], int], owed: Owed = dict, doors: Doors = dict, *, key_sha256: str = "",
    beside: Sequence[Collector] = (),
) -> Blueprint:  # fmt: skip
    """`/metrics`, for whoever has the key of that digest; without one nobody has. `beside`: what is told besides."""
    routes = Blueprint("metrics", __name__)
    registry = CollectorRegistry()
    registry.register(TableCollector(look, waiting, owed, doors))
    for collector in beside:
        registry.register(collector)

    @routes.get("/metrics")
    def metrics() -> Response:
        scheme, _, key = request.headers.get("Authorization", "").partition(" ")
        if not key_sha256:
            abort(404)
        if scheme.lower() != "bearer" or not hmac.compare_digest(digest_of_key(key.strip()), key_sha256):
            sentence = "Send the key of the metrics, in the header Authorization: Bearer <key>.\n"
            return Response(sentence, 401, {"WWW-Authenticate": 'Bearer realm="metrics"'}, mimetype="text/plain")
        return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)

    return routes
