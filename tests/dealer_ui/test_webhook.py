"""Rounds told to an operator's address: in order, signed, again for ever, whatever his server does. Real HTTP."""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
import os
import random
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from ended_rounds import Rounds
from patience import PATIENCE_S, wait_until
from round_post import SECRET, SHORT_S, KilledError, Post
from round_receiver import Heard, Receiver

from dealer_ui.process.shared_secret import read_secret
from dealer_ui.teller import round_desk
from dealer_ui.teller.round_teller import RoundTellers
from dealer_ui.wallets.line import WalletLine
from dealer_ui.wallets.webhook import Webhook, signed_text, signing_as_studio, signing_with
from studio.care.signing import Signer, is_signed
from studio.errors import BadInputError, StorageError
from studio.journal import Store, Unit
from studio.journal.extract.hearing_rows import hearings
from studio.wallets.answer import Said, Word
from studio.wallets.notice import RoundNotice
from studio.wallets.obligation import ALARMS_MS


@contextmanager
def posting(receiver: Receiver, **given: Any) -> Iterator[Post]:
    with Store.open(":memory:") as store:
        post = Post(store, receiver.address, **given)
        yield post
        post.caller.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


def ids(receiver: Receiver) -> list[str]:
    return [heard.id for heard in receiver.heard]


# --- what comes ----------------------------------------------------------------------------------------


def test_each_round_comes_once_in_the_order_of_its_table_with_its_corrections(receiver: Receiver) -> None:
    with posting(receiver) as post:
        post.over("t1-r1", "t2-r1", "t1-r2")
        post.over("t1-r1", kind="RoundResettled")
        post.turns()
        told = ids(receiver)
        assert sorted(told) == ["t1-r1:0", "t1-r1:1", "t1-r2:0", "t2-r1:0"]
        assert [id for id in told if id.startswith("t1")] == ["t1-r1:0", "t1-r2:0", "t1-r1:1"]
        post.turn()
        assert len(receiver.heard) == 4


def test_a_round_that_another_host_keeps_behind_a_newer_one_is_told_all_the_same(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its row has the lower number, and is there only once its host's transaction is over."""
    with posting(receiver) as post:
        reader, under_way = post.rounds.reader, [post.rounds.reader.head()]
        next_end, head = round_desk.next_end, reader.head
        monkeypatch.setattr(reader, "head", lambda: under_way[0] if under_way else head())
        monkeypatch.setattr(
            round_desk, "next_end", lambda *asked: None if under_way and asked[2] == "t1" else next_end(*asked)
        )
        post.over("t1-r1", "t2-r1")
        post.turn()
        post.turn()
        assert ids(receiver) == ["t2-r1:0"]
        under_way.clear()
        post.turn()
    assert ids(receiver) == ["t2-r1:0", "t1-r1:0"]


def test_what_ended_before_the_address_was_there_is_not_told(receiver: Receiver) -> None:
    with Store.open(":memory:") as store:
        before = Rounds(store)
        before.writer.commit(before.bet("t1-r1"))
        before.writer.commit(before.end("t1-r1"))
        post = Post(store, receiver.address, first=100)
        post.over("t1-r2")
        post.turns()
        post.caller.close()
    assert ids(receiver) == ["t1-r2:0"]


def test_a_round_of_another_operators_bettors_is_not_told(receiver: Receiver) -> None:
    with posting(receiver) as post:
        post.rounds.writer.commit(post.rounds.bet("t1-r1", "south"))
        post.rounds.writer.commit(post.rounds.end("t1-r1"))
        post.over("t1-r2")
        post.turns()
    assert ids(receiver) == ["t1-r2:0"]


def test_a_telling_is_signed_over_its_id_its_time_and_its_body(receiver: Receiver) -> None:
    with posting(receiver) as post:
        post.over("t1-r1")
        post.turns()
        [heard] = receiver.heard
        assert (heard.id, heard.at, heard.path) == ("t1-r1:0", str(post.now_ms // 1000), "/rounds")
    text = b"t1-r1:0." + heard.at.encode() + b"." + heard.body
    expected = base64.b64encode(hmac.new(SECRET, text, hashlib.sha256).digest()).decode()
    assert heard.signature == f"v1,{expected}"


def test_the_signature_is_that_of_the_public_example() -> None:
    """The example that the documents of Standard Webhooks print."""
    secret = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    text = signed_text("msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", b'{"test": 2432232314}')
    assert signing_with(secret)(text) == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_without_a_secret_the_studios_own_key_signs() -> None:
    signer = Signer.of(bytes(range(32)))
    kind, _, said = signing_as_studio(signer.signatures)(b"t1-r1:0.1.{}").partition(",")
    assert kind == "v1a"
    assert is_signed("t1-r1:0.1.{}", signer.public_key, base64.b64decode(said).hex())


# --- what his server does ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault", ["error", "redirect", "half", "garbage", "close", pytest.param("silent", marks=pytest.mark.long)]
)
def test_whatever_is_no_yes_is_told_again_under_the_same_id(receiver: Receiver, fault: str) -> None:
    left = itertools.count()
    receiver.does = lambda heard: fault if next(left) < 2 else "ok"
    with posting(receiver, wait_s=SHORT_S if fault == "silent" else PATIENCE_S) as post:
        post.over("t1-r1", "t1-r2")
        for _ in range(2):
            post.turn()
            post.now_ms += 5 * 60_000
        post.teller.outbox._wait_s = PATIENCE_S
        post.turns()
        assert ids(receiver) == ["t1-r1:0"] * 3 + ["t1-r2:0"]
        assert len({heard.at for heard in receiver.heard[:3]}) == 3, "each telling has its own time"
        assert len({heard.signature for heard in receiver.heard}) == 4


def test_a_slow_server_is_waited_for_and_no_other_table_waits_with_it(receiver: Receiver) -> None:
    receiver.does = lambda heard: "slow" if heard.id == "t1-r1:0" else "ok"
    with posting(receiver, wait_s=30.0) as post:
        post.over("t1-r1", "t2-r1", "t2-r2", "t1-r2")
        desk = post.teller.desk

        def turned() -> bool:
            post.teller.outbox.step()
            return desk.unheard(post.rounds.reader) == 2

        wait_until(turned)
        assert ids(receiver).count("t1-r2:0") == 0, "its own table keeps its order"
        assert {"t2-r1:0", "t2-r2:0"} < set(ids(receiver))
        receiver.release.set()
        post.turns()
        assert [id for id in ids(receiver) if id.startswith("t1")] == ["t1-r1:0", "t1-r2:0"]


def test_nobody_at_the_address_is_a_no_and_told_again(receiver: Receiver) -> None:
    with socket.socket() as held, Store.open(":memory:") as store:
        held.bind(("127.0.0.1", 0))  # nobody listens there, and nobody else can
        post = Post(store, f"http://127.0.0.1:{held.getsockname()[1]}/rounds")
        post.over("t1-r1")
        post.turn()
        assert post.teller.pulse.unknown == 1
        post.caller.close()
        post.address = receiver.address
        post.start()
        post.turns()
        post.caller.close()
    assert ids(receiver) == ["t1-r1:0"]


def test_tries_come_ever_more_rarely_and_a_server_that_is_down_is_left_alone(receiver: Receiver) -> None:
    receiver.does = lambda heard: "error"
    with posting(receiver) as post:
        post.over(*(f"t{table}-r1" for table in range(1, 8)))
        for _ in range(60):
            post.turn()
            post.now_ms += 1_000
        assert post.teller.pulse.silent
        assert len(receiver.heard) < 30
        tried = len(receiver.heard)
        for _ in range(50):
            post.turn()
        assert len(receiver.heard) <= tried + 1, "the clock stands still"
        receiver.does = lambda heard: "ok"
        post.turns()
        assert not post.teller.pulse.silent


def test_what_waits_is_counted_and_how_old_it_is(receiver: Receiver) -> None:
    receiver.does = lambda heard: "error"
    with posting(receiver) as post:
        post.over("t1-r1", "t1-r2", "t2-r1")
        post.turn()
        desk = post.teller.desk
        assert desk.unheard(post.rounds.reader) == 3
        assert desk.standing().oldest_since_ms == 1_000
        ages = [desk.standing().age_ms(1_000 + alarm_ms) for alarm_ms in ALARMS_MS]
        assert ages == list(ALARMS_MS)


def test_a_round_that_cannot_be_read_is_told_once_it_can(receiver: Receiver, capfd: pytest.CaptureFixture[str]) -> None:
    with posting(receiver) as post:
        whole, broken = post.write, [True]

        def write(notice: RoundNotice) -> bytes:
            if broken:
                broken.clear()
                raise BadInputError("A row cannot be read.")
            return whole(notice)

        post.write = write  # type: ignore[method-assign]
        post.caller.close()
        post.start()
        post.over("t1-r1")
        post.turns()
    assert ids(receiver) == ["t1-r1:0"]
    assert "cannot be read to be told" in "".join(capfd.readouterr())


# --- what survives -------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", ["before the commit", "after the commit"])
def test_killed_between_the_yes_and_the_row_it_is_told_again_under_its_id_and_nothing_is_lost(
    receiver: Receiver, at: str
) -> None:
    with posting(receiver) as post:
        post.over("t1-r1", "t1-r2")
        post.kill_at = at
        with pytest.raises(KilledError):
            post.turn()
        post.kill_at = ""
        post.caller.close()
        post.start()
        post.turns()
        again = 2 if at == "before the commit" else 1
        assert ids(receiver) == ["t1-r1:0"] * again + ["t1-r2:0"]


def test_a_disk_that_takes_nothing_has_it_heard_again_not_told_again(receiver: Receiver) -> None:
    with posting(receiver) as post:
        post.over("t1-r1")
        keep, full = post.commit, [True]

        def commit(unit: Unit) -> object:
            if full:
                raise StorageError("The disk is full.")
            return keep(unit)

        post.teller.desk._commit = commit
        with pytest.raises(StorageError):
            post.turn()
        full.clear()
        post.turns()
        assert ids(receiver) == ["t1-r1:0"]


def test_an_operator_without_an_address_is_told_no_more_and_begins_anew(receiver: Receiver) -> None:
    with posting(receiver) as post:
        post.over("t1-r1")
        post.turns()
        gone = RoundTellers(post.commit, lambda: post.now_ms)
        gone.begin(post.rounds.reader)
        assert hearings(post.rounds.reader) == {}
        post.over("t1-r2")
        post.caller.close()
        post.start()
        post.over("t1-r3")
        post.turns()
    assert ids(receiver) == ["t1-r1:0", "t1-r3:0"]


@pytest.mark.parametrize("seed", range(3))
def test_whatever_fails_and_restarts_each_table_is_heard_whole_and_in_order(receiver: Receiver, seed: int) -> None:
    chance = random.Random(seed)
    faults = ("ok", "ok", "error", "half", "close", "redirect")
    receiver.does = lambda heard: chance.choice(faults)
    with posting(receiver) as post:
        for number in range(40):
            table = chance.choice(("t1", "t2", "t3"))
            post.over(f"{table}-r{number}")
            if chance.random() < 0.2:
                post.over(f"{table}-r{number}", kind="RoundResettled")
            if chance.random() < 0.5:
                post.turn()
                post.now_ms += chance.randrange(120_000)
            if chance.random() < 0.1:
                post.caller.close()
                post.start()
        receiver.does = lambda heard: "ok"
        post.turns()
        expected = [f"{round}:{generation}" for round, generation in post.rounds.told["north"]]
    for table in ("t1", "t2", "t3"):
        first = list(dict.fromkeys(id for id in ids(receiver) if id.startswith(table)))
        assert first == [id for id in expected if id.startswith(table)]


def test_while_a_secret_is_changed_a_telling_is_signed_with_both(receiver: Receiver) -> None:
    new = b"the secret of the year to come"
    with closing(WalletLine(receiver.address)) as line:
        hook = Webhook(line, signing_with(SECRET, new), lambda notice: b"{}", lambda: 1_700_000_000_000)
        assert told_of(hook) is Word.OK
    [heard] = receiver.heard
    text = signed_text(heard.id, heard.at, heard.body)
    wanted = [base64.b64encode(hmac.digest(secret, text, hashlib.sha256)).decode() for secret in (SECRET, new)]
    assert heard.signature.split(" ") == [f"v1,{one}" for one in wanted]


def told_of(hook: Webhook) -> Word:
    """What one telling comes to."""
    said: Future[Said] = Future()
    hook.ask(RoundNotice(game="t1", round="t1-r1", generation=0, seq=1), 5.0, said.set_result)
    return said.result(PATIENCE_S).word


# --- the secret ----------------------------------------------------------------------------------------


def test_a_secret_is_read_as_it_is_or_as_receivers_libraries_write_it(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_bytes(SECRET + b"\n")
    assert read_secret(file) == SECRET
    file.write_bytes(b"whsec_" + base64.b64encode(SECRET))
    assert read_secret(file) == SECRET


@pytest.mark.parametrize(
    ("written", "sentence"),
    [(b"short", "16 bytes at the least"), (b"whsec_!!", "no base 64"), (None, "cannot be read")],
    ids=["short", "no base 64", "no file"],
)
def test_a_secret_that_is_none_is_refused(tmp_path: Path, written: bytes | None, sentence: str) -> None:
    if written is not None:
        (tmp_path / "secret").write_bytes(written)
    with pytest.raises(BadInputError, match=sentence):
        read_secret(tmp_path / "secret")


def test_a_line_to_a_whole_address_posts_there(receiver: Receiver) -> None:
    seen: list[Heard] = receiver.heard
    with closing(WalletLine(receiver.address)) as line:
        hook = Webhook(line, signing_with(SECRET), lambda notice: b"{}", lambda: 0)
        assert told_of(hook) is Word.OK
    assert [heard.path for heard in seen] == ["/rounds"]


# --- a process that is killed --------------------------------------------------------------------------

FOLDER = Path(__file__).parent
ENDED = "SELECT round || ':' || generation, \"table\" FROM round_end WHERE operator = 'north' AND seq > ? ORDER BY seq"


@pytest.mark.long
def test_a_program_that_is_killed_anywhere_leaves_no_round_untold_and_none_out_of_order(
    tmp_path: Path, receiver: Receiver
) -> None:
    database, chance = tmp_path / "studio.db", random.Random(7)
    path = os.pathsep.join((str(FOLDER), str(FOLDER.parent), str(FOLDER.parent.parent)))
    for run in range(4):
        program = [sys.executable, str(FOLDER / "round_post.py"), str(database), receiver.address, str(run * 10_000)]
        with subprocess.Popen(program, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"runs\n"
            enough = len(receiver.heard) + chance.randint(2, 40)
            wait_until(lambda enough=enough: len(receiver.heard) >= enough)  # type: ignore[misc]
            process.kill()
    with Store.open(database) as store:
        post = Post(store, receiver.address, 5.0, 90_000)
        post.turns(most=10_000)
        expected = post.rounds.reader.read(ENDED, (0,))
        post.caller.close()
        post.rounds.reader.close()
    assert len(expected) > 20
    for table in ("t0", "t1", "t2"):
        told = list(dict.fromkeys(id for id in ids(receiver) if id.startswith(f"{table}-")))
        assert told == [id for id, at in expected if at == table]
