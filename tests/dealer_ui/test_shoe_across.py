"""A shoe's bytes on the TCP line of a table host, and the screen of a web node: every process and engine its own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from nats_server import needs_nats
from private_postgres import NOT_THERE, programs

from bench.shoe_across import across, measure
from devices.shoe.angel_eye_codec import card_byte, encode_report
from studio.cards import Card
from studio.journal import Reader

pytestmark = [needs_nats, pytest.mark.night, pytest.mark.skipif(programs() is None, reason=NOT_THERE)]
ACE = Card.parse("As")


def test_a_card_on_the_line_of_a_host_is_on_the_screen_of_another_node_once_it_is_on_record() -> None:
    with across() as found:
        assert found is not None
        found.line.sendall(encode_report(0x31, "D", bytes((0x81, card_byte(ACE)))))
        with closing(Reader.open(found.address)) as reader:
            drawn = None
            while drawn is None:
                seq = found.screen.next_seq()
                drawn = next(iter(reader.events(kinds=("ShoeDrewCard",))), None)
        assert seq >= drawn.seq
        assert str(ACE).encode() not in drawn.body


def test_what_it_takes_is_measured_beside_the_bare_way() -> None:
    with ThreadPoolExecutor(1) as apart:  # a browser of other tests has its loop in this thread
        figures = apart.submit(measure, 20).result()
    assert [figure.raw_name for figure in figures] == ["TCP and NATS"] * 2 + ["TCP, one row, NATS"] * 2
    assert all(figure.ratio for figure in figures)
