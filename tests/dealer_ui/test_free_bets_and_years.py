"""Free bets and old records: a database from before there were any goes on with them, and so does a year that ends."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner
from lived_studio import SECOND
from older_record import as_kept_before
from patience import wait_until
from running_studio import DEALER, PIT, House, impatient
from sample import sampled
from sqlite_utils import Database
from test_free_bets import LEFT, PROMOTION, bet, error, granted, play_out, take_back
from test_seamless_wallet import MONEY, Operator, held, launch, owed, settled

from dealer_ui.cli import main
from studio.cards import parse_cards
from studio.care.signing import signer_beside
from studio.journal.link import GENESIS, Head, journal_text, link
from studio.journal.sqlite.schema import migrations
from studio.money import free_suspense_account
from studio.proof.audit.database import verify
from studio.tables import command as c

AGAIN: Final = parse_cards("Jh 2d Kd Qh 3d 3s 8c Td 6c 7c 8s 9c")
BEFORE: Final = "m007_free_bets"
_SUSPENSE: Final = free_suspense_account("north")


def said(*arguments: object) -> tuple[int, str]:
    told = CliRunner().invoke(main, [str(one) for one in arguments])
    return told.exit_code, told.output


def rest(house: House) -> None:
    """The table is cleared and closed."""
    house.do(c.ConfirmFeltClear, PIT)
    house.do(c.CloseTable, PIT)
    house.studio.stop()


def _without_the_word(old: sqlite3.Connection) -> None:
    """Wallets were not told of free stakes then: the rows about them lack the word, and are linked as they are."""
    ledger = {0: GENESIS.hash, **dict(old.execute("SELECT seq, hash FROM ledger"))}
    rows, hash = [], GENESIS.hash
    for seq, at_ms, kind, body, upto in old.execute("SELECT seq, at, kind, body, ledger_seq FROM journal ORDER BY seq"):
        told = body.replace(',"free":""', "")
        assert '"free"' not in told
        hash = link(hash, journal_text(seq, at_ms, Head(upto, ledger[upto]), kind, told))
        rows.append((told, hash, seq))
    old.execute("DROP TRIGGER journal_refuses_update")
    old.executemany("UPDATE journal SET body = ?, hash = ? WHERE seq = ?", rows)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as empty:
        migrations.apply(Database(empty, recursive_triggers=False), stop_before=BEFORE)
        [trigger] = empty.execute("SELECT sql FROM sqlite_master WHERE name = 'journal_refuses_update'").fetchone()
        old.execute(trigger)


def as_before(path: Path) -> None:
    """The same rows in the tables that the versions before free bets have made, by their own migrations."""
    as_kept_before(path, BEFORE)
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        _without_the_word(old)
        assert "free" not in {row[1] for row in old.execute("PRAGMA main.table_info(bet)")}


@pytest.fixture(params=sampled(["purses", "rsa", "hmac"], "hmac"))
def operator(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Operator | None]:
    """Nobody where the studio keeps the purses; else north with a wallet of this dialect."""
    if request.param == "purses":
        yield None
        return
    with ExitStack() as stack:
        made = Operator(tmp_path / "north", request.param)
        stack.callback(made.close)
        yield made


def opened(folder: Path, operator: Operator | None, seed: int = 1) -> House:
    """Another `seed` seals its cards under other ids."""
    return House(folder, seed=seed, wallet=operator.section if operator else None)


def begun(house: House, operator: Operator | None) -> None:
    house.betting()
    if operator:
        launch(house)


def reopened(house: House, operator: Operator | None) -> None:
    """The table goes on with the deck that lies in its shoe, and Ann has her session again."""
    house.links()
    house.do(c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)
    house.until(lambda view: view.now.act.key == "act.start_round")
    house.do(c.StartRound)
    for number, card in enumerate(SECOND, 1):
        house.deal("burn", number, card, up=False)
    house.until(lambda view: view.now.act.key == "act.open_bets")
    house.do(c.OpenBetting)
    if operator:
        launch(house)


def play_out_again(house: House) -> None:
    """The same ranks once more, in other suits: box 2 loses."""
    house.do(c.CloseBetting)
    house.until(lambda view: any(place.state == "awaited" for box in view.boxes for place in box.places))
    for card in AGAIN:
        box, place = next(
            (box.key, one.place) for box in house.view.boxes for one in box.places if one.state == "awaited"
        )
        house.deal(box, place, card, up=True)
    house.finish()


def test_a_database_from_before_free_bets_is_brought_up_dealt_on_and_given_some(
    operator: Operator | None, tmp_path: Path
) -> None:
    with opened(tmp_path, operator) as house:
        begun(house, operator)
        assert house.bet("b1").json["answers"][0]["status"] == "accepted"
        play_out(house)
        if operator:
            settled(house)
        own = operator.balance if operator else house.get("/bettors/ann/balance").json["balance"]
        moved = house.get("/movements").json["movements"]
        rest(house)
    as_before(house.database)
    assert said("verify", house.database)[0] == 0

    with opened(tmp_path, operator, seed=2) as again:
        assert again.get("/movements").json["movements"] == moved
        assert again.get("/bettors/ann/free-bets").json["free_bets"] == []
        reopened(again, operator)
        assert granted(again)["left"] == 2
        assert bet(again, "b1") == "client_id_reused"
        assert bet(again, "f1", "player2_lose") == "accepted"
        play_out_again(again)
        if operator:
            settled(again)
            wait_until(lambda: operator.server.till.promotion_minor("ann") == -300)
        now = operator.balance if operator else again.get("/bettors/ann/balance").json["balance"]
        assert now == own + 300
        assert (held(again, LEFT), held(again, PROMOTION)) == (300, 0 if operator else -300)
        rest(again)
    found = verify(house.database)
    assert found.ok, found.first_wrong
    code, told = said("report", "closing", "--db", house.database)
    assert (code, "All books agree" in told) == (0, True), told


def test_a_year_ends_with_free_bets_open_used_and_in_suspense(operator: Operator | None, tmp_path: Path) -> None:
    with opened(tmp_path, operator) as house:
        begun(house, operator)
        granted(house, count=3)
        granted(house, client_id="short", count=1)
        granted(house, client_id="gone", count=1)
        assert take_back(house, "gone").status_code == 200
        assert bet(house, "f1", "player2_lose") == "accepted"
        assert bet(house, "f2", "player2_lose", free_bet="short") == "accepted"
        if operator:
            _strand(house, operator)
        play_out(house)
        house.do(c.ConfirmFeltClear, PIT)
        before = {account: held(house, account) for account in (LEFT, PROMOTION, _SUSPENSE)}
        house.do(c.CloseTable, PIT)
        house.studio.stop()
    signer_beside(house.database, lambda count: bytes(range(count)))
    archived = tmp_path / "archive" / "studio-2026" / "studio.db"
    code, told = said("archive", house.database, 2026, "--to", tmp_path / "archive", "--by", "Mika")
    assert code == 0, told
    assert said("verify", archived)[0] == 0

    if operator:
        operator.faults.switch(off=("down",))
    with opened(tmp_path, operator, seed=2) as again:
        standing = {one["client_id"]: (one["status"], one["left"]) for one in _grants(again)}
        assert standing == {"welcome": ("open", 2), "short": ("used", 0), "gone": ("cancelled", 0)}
        if operator:
            wait_until(lambda: not owed(again) and not held(again, _SUSPENSE))
            settled(again)
            assert before[_SUSPENSE] == 300, "a free stake lay there as the year ended"
            assert (operator.balance, operator.server.till.promotion_minor("ann")) == (MONEY + 600, -600)
        assert held(again, LEFT) == before[LEFT] == 600
        begun(again, operator)
        assert bet(again, "f3", free_bet="short") == "free_bet_used"
        assert bet(again, "f4", free_bet="gone") == "free_bet_cancelled"
        assert bet(again, "f5", "player2_lose") == "accepted"
        assert granted(again, count=3)["duplicate"] is True
        play_out(again)
        if operator:
            settled(again)
        assert take_back(again).status_code == 200
        assert error(take_back(again, "short")) == (409, "free_bet_used")
        assert [one["left"] for one in _grants(again)] == [0, 0, 0]
        rest(again)
    code, told = said("verify", house.database, "--archive", archived)
    assert code == 0, told
    code, told = said("report", "closing", "--db", house.database)
    assert (code, "All books agree" in told) == (0, True), told
    if operator:
        _both_years_agree(operator, (archived, house.database), tmp_path)


def _grants(house: House) -> list[dict[str, object]]:
    return list(house.get("/bettors/ann/free-bets").json["free_bets"])


def _strand(house: House, operator: Operator) -> None:
    """A free stake that north took and said nothing of; then he is down, so that nothing more can be told him."""
    operator.faults.switch(on=("silent_after",))
    with impatient(house):
        assert bet(house, "f0") == "wallet_unknown"
    operator.faults.switch(on=("down",), off=("silent_after",))
    wait_until(lambda: held(house, _SUSPENSE) == 300)


def _both_years_agree(operator: Operator, records: tuple[Path, Path], folder: Path) -> None:
    """What north has of both years is what both records tell, line by line."""
    ours: list[str] = []
    for record in records:
        code, told = said("statement", record, "--operator", "north", "--csv", folder / "ours.csv")
        assert code == 0, told
        ours += (folder / "ours.csv").read_text().splitlines()[1:]
    unsure = {line.split(",")[1] for line in ours if ",unsure," in line}
    mine = sorted((kind, id, int(amount)) for kind, id, _, _, _, amount, *_ in (line.split(",") for line in ours))
    theirs = sorted((kind, id, amount) for kind, id, _, amount, _ in operator.server.till.lines())
    assert mine == theirs
    assert len(unsure) == 4, "a stake that nobody was sure of and one of a grant that was used up, and their cancels"
