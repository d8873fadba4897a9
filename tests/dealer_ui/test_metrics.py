"""Numbers for a monitoring system: this machine alone may read them, and no card is among them."""

from __future__ import annotations

from dataclasses import replace

from flask import Flask

from dealer_ui.metrics import metrics_routes
from studio.tables.book import Book
from studio.tables.config import TableConfig
from studio.tables.state import TableState
from studio.views import TableView, view_table


def closed_table() -> TableView:
    return view_table(TableState(TableConfig(key="t1", title="Table 1", game="three_knights")), Book(), 7)


def client_of(view: TableView) -> Flask:
    app = Flask(__name__)
    app.register_blueprint(metrics_routes(lambda: [view], lambda: 3))
    return app


def test_a_held_table_is_told_as_one() -> None:
    answer = client_of(replace(closed_table(), held=True)).test_client().get("/metrics")
    assert 'studio_table_held{table="t1"} 1.0' in answer.text
    assert "studio_commits_waiting 3.0" in answer.text
    assert 'studio_device_link_up{device="shoe",table="t1"} 0.0' in answer.text


def test_another_machine_finds_no_metrics() -> None:
    answer = client_of(closed_table()).test_client().get("/metrics", environ_base={"REMOTE_ADDR": "10.0.0.9"})
    assert answer.status_code == 404
