"""Numbers for a monitoring system: whoever has their key may read them, and no card is among them."""

from __future__ import annotations

import pytest
from altered import altered
from flask import Flask
from flask.testing import FlaskClient

from dealer_ui.assembly.metrics import metrics_routes
from dealer_ui.desk.operator_key import digest_of_key
from studio.tables.books.book import Book
from studio.tables.config import TableConfig
from studio.tables.state.table import TableState
from studio.views import TableView, view_table
from studio.views.shape import ExposureView


def closed_table() -> TableView:
    return view_table(TableState(TableConfig(key="t1", title="Table 1", game="three_knights")), Book(), 7)


KEY = "a-key-of-the-metrics"
WITH_KEY = {"Authorization": f"Bearer {KEY}"}


def client_of(view: TableView, key_sha256: str = digest_of_key(KEY)) -> FlaskClient:
    app = Flask(__name__)
    app.register_blueprint(metrics_routes(lambda: [view], lambda: 3, key_sha256=key_sha256))
    return app.test_client()


def test_a_held_table_is_told_as_one() -> None:
    answer = client_of(altered(closed_table(), now={"held": True})).get("/metrics", headers=WITH_KEY)
    assert 'studio_table_held{table="t1"} 1.0' in answer.text
    assert "studio_commits_waiting 3.0" in answer.text
    assert 'studio_device_link_up{device="shoe",table="t1"} 0.0' in answer.text


def test_a_rounds_exposure_is_told_and_not_of_a_table_among_peers() -> None:
    view = altered(closed_table(), bets={"exposure": ExposureView(4_000, 10_000, 2)})
    text = client_of(view).get("/metrics", headers=WITH_KEY).text
    for line in ("studio_exposure_minor", "studio_exposure_most_minor", "studio_exposure_refused"):
        assert f'{line}{{table="t1"}}' in text
    assert 'studio_exposure_minor{table="t1"} 4000.0' in text
    assert (
        "studio_exposure_minor{"
        not in client_of(altered(view, bets={"exposure": None})).get("/metrics", headers=WITH_KEY).text
    )


@pytest.mark.parametrize(
    "headers",
    [{}, {"Authorization": "Bearer another"}, {"Authorization": f"Basic {KEY}"}, {"Authorization": "Bearer é"}],
    ids=["no key", "another key", "another scheme", "an odd key"],
)
def test_without_the_key_nobody_reads_them_not_even_here(headers: dict[str, str]) -> None:
    answer = client_of(closed_table()).get("/metrics", headers=headers)
    assert (answer.status_code, "studio_table" in answer.text) == (401, False)


def test_a_studio_that_has_set_no_key_has_no_metrics() -> None:
    assert client_of(closed_table(), "").get("/metrics", headers=WITH_KEY).status_code == 404
