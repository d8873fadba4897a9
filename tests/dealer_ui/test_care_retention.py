"""Retention: the right pictures go on the right day, by a row of their own; what somebody needs stays."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from running_studio import House

from dealer_ui.care.retention_desk import PictureFolder, expire, expired_by, look, retention_duty
from dealer_ui.verbs.care import care
from studio.care.event import PicturesExpired, entry_of, read_care
from studio.care.retention import DAY_MS, Keep, plan
from studio.errors import StorageError
from studio.journal import Entry, Row, Store, Unit, Writer
from studio.journal.chain import check

KEEP = Keep(round_days=10, incident_days=100, device_days=30)


def digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def row(kind: str, day: int, *, round: str = "", picture: str = "", **told: object) -> Row:
    event = {"kind": kind, **told, **({"evidence": digest(picture)} if picture else {})}
    body = json.dumps({"table": "t1", "round": round, "event": event}).encode()
    return Row(day + 1, day * DAY_MS, kind, body)


ORDINARY = [row("RoundStarted", 0, round="r1"), row("CameraSawCard", 0, round="r1", picture="a")]
INCIDENT = [*ORDINARY, row("IncidentOpened", 1, round="r1", id="i1"), row("IncidentClosed", 2, round="r1", id="i1")]
COMPLAINT = Row(
    9, DAY_MS, "ComplaintMade", b'{"pit": {"kind": "ComplaintMade", "id": "c1", "table": "t1", "round": "r1"}}'
)
ANSWERED = Row(9, 2 * DAY_MS, "ComplaintAnswered", b'{"pit": {"kind": "ComplaintAnswered", "id": "c1", "round": "r1"}}')


@pytest.mark.parametrize(
    ("rows", "last_day", "rule"),
    [
        pytest.param(ORDINARY, 10, "round", id="an ordinary round"),
        pytest.param(INCIDENT, 102, "incident", id="a round with an incident, from its last word on"),
        pytest.param([*ORDINARY, row("ExceptionRecorded", 3, round="r1")], 103, "incident", id="an exception"),
        pytest.param([*ORDINARY, row("RoundVoided", 1, round="r1")], 101, "incident", id="a void round"),
        pytest.param([*ORDINARY, COMPLAINT, ANSWERED], 102, "incident", id="a complaint that was answered"),
        pytest.param([row("DeviceServiced", 0, picture="a")], 30, "device", id="a device's self-test"),
        pytest.param([*ORDINARY, row("DeviceServiced", 0, picture="a")], 30, "device", id="two things, the longer"),
        pytest.param([*ORDINARY, row("IncidentOpened", 0, id="i2", picture="a"), row("IncidentClosed", 0, id="i2")],
                     100, "incident", id="an incident without a round that names it"),
    ],
)  # fmt: skip
def test_a_picture_goes_on_the_day_its_rule_says_and_not_before(rows: list[Row], last_day: int, rule: str) -> None:
    before = plan(rows, [digest("a")], KEEP, last_day * DAY_MS - 1)
    assert (before.count, before.unknown) == (0, ())
    assert plan(rows, [digest("a")], KEEP, last_day * DAY_MS).due == {rule: (digest("a"),)}


@pytest.mark.parametrize(
    "still_open",
    [
        row("IncidentOpened", 1, round="r1", id="i9"),
        row("CompensationOpened", 1, round="r1", case="k1"),
        row("CorrectionAsked", 1, round="r1", id="x1"),
        COMPLAINT,
        row("IncidentOpened", 1, id="i9", picture="a"),
    ],
    ids=lambda one: one.kind,
)
def test_what_something_open_needs_is_kept_for_as_long_as_it_takes(still_open: Row) -> None:
    found = plan([*ORDINARY, still_open], [digest("a")], KEEP, 10_000 * DAY_MS)
    assert (found.due, found.needed) == ({}, (digest("a"),))


def test_a_case_is_over_when_it_is_paid_or_pays_nothing() -> None:
    case = [*ORDINARY, row("CompensationOpened", 1, round="r1", case="k1")]
    decided = row("CompensationDecided", 2, round="r1", case="k1", pays="full")
    paid = row("CompensationPaid", 3, round="r1", case="k1", over=True)
    nothing = row("CompensationDecided", 2, round="r1", case="k1", pays="none")
    for more, count in (([decided], 0), ([decided, paid], 1), ([nothing], 1)):
        assert plan([*case, *more], [digest("a")], KEEP, 10_000 * DAY_MS).count == count


def test_what_the_record_does_not_know_is_left_alone() -> None:
    found = plan(ORDINARY, [digest("a"), digest("stray")], KEEP, 10_000 * DAY_MS)
    assert (found.unknown, found.count) == ((digest("stray"),), 1)


def test_it_is_journalled_first_and_a_kill_between_is_made_good_the_next_day(tmp_path: Path) -> None:
    kept = _pictures(tmp_path, "a", "b")
    with Store.open(tmp_path / "studio.db") as store, store.reader() as reader:
        writer = Writer(store)
        writer.commit(Unit(entries=tuple(Entry(one.kind, one.at_ms, one.body) for one in ORDINARY)))

        def full(unit: Unit) -> None:
            raise StorageError("The disk is full.")

        now = 11 * DAY_MS
        with pytest.raises(StorageError):
            expire(look(reader, kept, KEEP, now), kept, KEEP, full, now)
        assert len(list(kept.digests())) == 2
        expire(look(reader, kept, KEEP, now), kept, KEEP, writer.commit, now)
        assert list(kept.digests()) == [digest("b")]
        gone = expired_by(reader, digest("a"))
        assert gone == PicturesExpired(rule="round", days=10, at_ms=now, digests=(digest("a"),))
        assert expired_by(reader, digest("b")) is None
        _pictures(tmp_path, "a")  # as if the kill had come before the deletion
        assert look(reader, kept, KEEP, now).count == 1
        assert check(tmp_path / "studio.db") is None


def _pictures(folder: Path, *names: str) -> PictureFolder:
    for name in names:
        path = folder / "evidence" / digest(name)[:2] / f"{digest(name)}.img"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"\xff\xd8\xff picture")
    return PictureFolder(folder / "evidence")


def test_it_runs_by_itself_once_a_day(tmp_path: Path) -> None:
    kept, now = _pictures(tmp_path, "a"), [20 * DAY_MS]
    with Store.open(tmp_path / "studio.db") as store, store.reader() as reader:
        writer = Writer(store)
        writer.commit(Unit(entries=tuple(Entry(one.kind, one.at_ms, one.body) for one in ORDINARY)))
        duty = retention_duty(lambda: reader, kept, KEEP, writer.commit, lambda: now[0])
        duty()
        assert len(list(kept.digests())) == 1  # not in the first minutes after a start
        now[0] += 600_000
        duty()
        assert list(kept.digests()) == []
        [told] = [read_care(one.body) for one in reader.events(kinds=("PicturesExpired",))]
        assert isinstance(told, PicturesExpired)


def test_the_command_says_what_it_would_do_and_then_does_it(tmp_path: Path) -> None:
    _pictures(tmp_path, "a", "stray")
    config = tmp_path / "studio.toml"
    config.write_text(
        f'[studio]\ndatabase = "{tmp_path}/studio.db"\nevidence = "{tmp_path}/evidence"\n[care.keep]\nround_days = 1\n'
        '[[tables]]\nkey = "t1"\ntitle = "One"\ngame = "three_knights"\n'
    )
    with Store.open(tmp_path / "studio.db") as store:
        writer = Writer(store)
        writer.commit(Unit(entries=tuple(Entry(one.kind, one.at_ms, one.body) for one in ORDINARY)))
        writer.close()
    dry = CliRunner().invoke(care, ["retention", "--config", str(config), "--dry-run"]).output
    assert dry.startswith("1 pictures may be deleted by the rule 'round'.")
    assert "1 stand nowhere in the record" in dry
    with Store.open(tmp_path / "studio.db"):
        busy = CliRunner().invoke(care, ["retention", "--config", str(config)])
        assert "Another studio is using it" in busy.output
    assert "1 pictures were deleted" in CliRunner().invoke(care, ["retention", "--config", str(config)]).output
    assert "No picture's days are over." in CliRunner().invoke(care, ["retention", "--config", str(config)]).output


def test_a_page_says_when_a_picture_expired_and_by_which_rule(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        house.staff()
        client = house.studio.app.test_client()
        client.post("/sign-in", data={"badge": "2001", "pin": "730162"}, headers={"Origin": "http://localhost"})
        assert client.get(f"/evidence/{digest('a')}").status_code == 404
        told = PicturesExpired(rule="round", days=90, at_ms=1_700_000_000_000, digests=(digest("a"),))
        house.floor.commit(Unit(entries=(entry_of(told),)))
        answer = client.get(f"/evidence/{digest('a')}?language=en")
        assert answer.status_code == 410
        assert "expired on 2023-11-15: pictures of ordinary rounds are kept for 90 days" in answer.text
