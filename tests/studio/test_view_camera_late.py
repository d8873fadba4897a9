"""A camera that falls behind holds nothing and loses nothing; its table's screens say so until it has caught up."""

from __future__ import annotations

from table_bench import CONFIG, DEAL, Bench, bench

from studio import ports
from studio.tables.state.round import Stage
from studio.views import Words, view_table


def late_words(table: Bench) -> Words | None:
    return view_table(table.state, table.table.book, 1).devices.camera_late


def fall_behind(table: Bench, behind_ms: int = 2_600) -> None:
    table.say(ports.CameraFellBehind(device="camera", at_ms=0, behind_ms=behind_ms, shed_percent=55))


def test_the_screen_says_how_far_the_camera_is_behind_until_it_has_caught_up() -> None:
    with bench(CONFIG) as table:
        table.open()
        assert late_words(table) is None
        fall_behind(table)
        assert late_words(table) == Words("camera.behind", {"s": 3, "percent": 55})
        fall_behind(table, 300)
        assert late_words(table) == Words("camera.behind", {"s": 1, "percent": 55})
        table.say(ports.CameraCaughtUp(device="camera", at_ms=0))
        assert late_words(table) is None


def test_a_round_is_dealt_and_settled_behind_a_late_camera() -> None:
    with bench(CONFIG) as table:
        table.deposit()
        table.open().start().betting(("player1_win", 1000))
        fall_behind(table)
        table.deal(*DEAL).finish()
        assert table.round.stage is Stage.SETTLED
        assert table.state.incidents.open == ()


def test_a_camera_that_is_blind_or_gone_is_late_with_nothing() -> None:
    with bench(CONFIG) as table:
        table.open()
        fall_behind(table)
        table.say(ports.CameraBlind(device="camera", at_ms=0, reason="dark"))
        assert late_words(table) is None
        table.say(ports.CameraSeesAgain(device="camera", at_ms=0))
        assert late_words(table) is not None
        table.links(up=False, only=("camera",))
        assert late_words(table) is None
        table.links(only=("camera",))
        assert late_words(table) is None
