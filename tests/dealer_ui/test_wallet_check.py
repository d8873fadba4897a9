"""The list a wallet is held to: a good operator holds all of it, and each bad one fails where he is bad."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from flawed_till import (
    AsksWinnersForASession,
    ForgetsCancels,
    GivesCredit,
    RepeatsWhateverItSaid,
    SaysYesAndDoesNothing,
    TakesEverySending,
    TakesFreeStakesFromTheBettor,
)
from patience import PATIENCE_S
from sample import sampled

from dealer_ui.cli import main
from dealer_ui.rehearsal.operator import setting_up
from dealer_ui.rehearsal.operator.fault import FAULTS, Faults
from dealer_ui.rehearsal.operator.server import OperatorServer
from dealer_ui.rehearsal.operator.setting_up import BALANCE_MINOR, BETTOR, OPERATOR, WALLET_FILE, open_operator
from dealer_ui.rehearsal.operator.till import Till
from dealer_ui.verbs.wallet import _faults
from dealer_ui.wallets.conformance import CLAUSES, check
from dealer_ui.wallets.wallet_file import dialect_of, forged_dialect, open_wallet, read_wallet
from dealer_ui.wallets.wallet_trial import Clause, WalletTrial
from studio.errors import BadInputError

PLAIN = 25
"""So many clauses at the head of the list need no fault."""
SHORT_S = 0.3
"""What a test waits for an operator who is not to answer; whether he does changes nothing."""


@contextmanager
def _operator(folder: Path, dialect: str) -> Iterator[OperatorServer]:
    server = open_operator(folder, dialect, Faults(slow_s=2 * SHORT_S))
    server.start()
    try:
        with closing(server.till):
            yield server
            server.close()
    finally:
        server.faults.close()


def _found(folder: Path, clauses: Iterable[Clause] = CLAUSES) -> dict[str, bool | None]:
    section = read_wallet(folder / WALLET_FILE, OPERATOR)
    assert section.trial is not None
    who = {"bettor": BETTOR, "session": section.trial.session, "currency": "EUR", "game": "three_knights"}
    ids = (f"id-{number}" for number in itertools.count())
    with ExitStack() as held:
        wallet = held.enter_context(closing(open_wallet(section, dialect_of(section.dialect, Path(section.key_file)))))
        forged = held.enter_context(closing(open_wallet(section, forged_dialect(section))))
        trial = WalletTrial(
            wallet, forged, who, 100, lambda: next(ids), PATIENCE_S, SHORT_S, section.trial.expired_session,
            _faults(section.trial.control, held), free_bet=section.trial.free_bet,
        )  # fmt: skip
        return {one.key: one.held for one in check(trial, clauses)}


@pytest.mark.parametrize("dialect", sampled(setting_up.DIALECTS, "hmac"))
def test_a_good_operator_holds_the_whole_list(tmp_path: Path, dialect: str) -> None:
    with _operator(tmp_path, dialect):
        assert _found(tmp_path) == {clause.key: True for clause in CLAUSES}


def test_every_fault_is_on_the_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: set[str] = set()
    with _operator(tmp_path, "hmac") as server:
        switch = server.faults.switch

        def noted(on: Iterable[str] = (), off: Iterable[str] = ()) -> frozenset[str]:
            tried.update(on)
            return switch((), off)

        monkeypatch.setattr(server.faults, "switch", noted)
        _found(tmp_path)
    assert tried == set(FAULTS)


FLAWS: dict[str, tuple[type[Till], set[str]]] = {
    "each sending moves money": (TakesEverySending, {"debit twice", "credit twice", "debit, then cancel"}),
    "cancels leave no trace": (ForgetsCancels, {"cancel before its debit", "acts long after it was given up"}),
    "an old yes for all that comes": (RepeatsWhateverItSaid, {"same id with another amount", "debit after its cancel"}),
    "winners need a session": (AsksWinnersForASession, {"session over: no debit, but the credit"}),
    "credit without limit": (GivesCredit, {"more than the balance", "zero and negative amounts"}),
    "free stakes are the bettor's": (
        TakesFreeStakesFromTheBettor,
        {"free stake, then its win", "free stake gone after a correction", "same id, free and then not"},
    ),
    "yes and nothing": (SaysYesAndDoesNothing, {"debit, then credit", "HTTP 500, then success"}),
}


@pytest.mark.parametrize("dialect", sampled(setting_up.DIALECTS, "hmac"))
@pytest.mark.parametrize(("till", "clauses"), FLAWS.values(), ids=FLAWS)
def test_a_bad_operator_fails_where_he_is_bad(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dialect: str, till: type[Till], clauses: set[str]
) -> None:
    monkeypatch.setattr(setting_up, "Till", till)
    with _operator(tmp_path, dialect):
        found = _found(tmp_path, [clause for clause in CLAUSES if clause.key in clauses])
    assert found == dict.fromkeys(clauses, False)


@pytest.mark.parametrize("dialect", setting_up.DIALECTS)
def test_who_does_not_look_at_signatures_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dialect: str
) -> None:
    with _operator(tmp_path, dialect) as server:
        monkeypatch.setattr(server.voice, "signed", lambda headers, body: True)
        found = _found(tmp_path, CLAUSES[:PLAIN])
    assert [key for key, held in found.items() if held is False] == ["wrong signature of ours"]


# --- as a program -------------------------------------------------------------------------------------


@contextmanager
def _process(folder: Path, *options: str) -> Iterator[dict[str, str]]:
    studio = Path(sys.executable).with_name("studio")
    command = [studio, "wallet", "operator", str(folder), "--json", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())
        finally:
            process.terminate()
            assert process.wait(PATIENCE_S) == 130


def _checked(folder: Path) -> tuple[int, list[dict[str, object]]]:
    """What `studio wallet check` says of an operator who takes no orders: as of one in the world."""
    file = folder / WALLET_FILE
    file.write_text("".join(line for line in file.read_text().splitlines(True) if not line.startswith("control")))
    asked = ["wallet", "check", "--operator", OPERATOR, "--config", str(file), "--json", "--wait", "60"]
    done = CliRunner().invoke(main, asked)
    return done.exit_code, [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("dialect", setting_up.DIALECTS)
def test_a_wallet_in_another_process_is_checked(tmp_path: Path, dialect: str) -> None:
    with _process(tmp_path, "--dialect", dialect):
        code, lines = _checked(tmp_path)
    assert code == 0
    assert {line["held"] for line in lines[:PLAIN]} == {True}
    assert {line["held"] for line in lines[PLAIN:]} == {None}
    assert _balance(tmp_path) == BALANCE_MINOR


@pytest.mark.parametrize("dialect", setting_up.DIALECTS)
def test_a_wallet_that_fails_ends_the_command_with_1_and_has_its_money_back(tmp_path: Path, dialect: str) -> None:
    with _process(tmp_path, "--dialect", dialect, "--fault", "half"):
        code, lines = _checked(tmp_path)
    assert code == 1
    why = "The authenticate was answered 'temporary' (the connection was closed before the answer was whole)."
    assert lines[0] == {"clause": "signs in", "held": False, "why": why}
    assert _balance(tmp_path) == BALANCE_MINOR


def test_an_operator_who_begins_again_has_the_balances_he_had(tmp_path: Path) -> None:
    with closing(Till(tmp_path / "operator.db")) as till:
        till.open_account(BETTOR, "s", "x", "EUR", 5)
    with _operator(tmp_path, "rsa"):
        assert _balance(tmp_path) == 5


def _balance(folder: Path) -> int:
    with closing(Till(folder / "operator.db")) as till:
        return till.balance_minor(BETTOR)


# --- the file -----------------------------------------------------------------------------------------

GOOD = '[north]\ndialect = "hmac"\naddress = "http://127.0.0.1:1"\nkey_file = "key"\n'
BAD_FILES: dict[str, tuple[str, str]] = {
    "no TOML": ("[north", "not valid TOML"),
    "another operator": (GOOD.replace("north", "south"), "no wallet of the operator 'north'; it has south"),
    "a dialect nobody speaks": (GOOD.replace("hmac", "soap"), "soap"),
    "a word nobody knows": (GOOD + "colour = 1\n", "colour"),
    "nothing staked": (GOOD + '[north.trial]\nbettor = "a"\nsession = "s"\namount_minor = 0\n', "above zero"),
    "no currency": (GOOD + '[north.trial]\nbettor = "a"\nsession = "s"\ncurrency = "euro"\n', "not a currency"),
    "nobody to try": (GOOD, r"under \[north.trial\]"),
    "a short secret": (GOOD + '[north.trial]\nbettor = "a"\nsession = "s"\n', "16 bytes at the least"),
}


@pytest.mark.parametrize(("text", "said"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_file_that_cannot_be_used_ends_the_command_with_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "wallet.toml"
    file.write_text(text)
    (tmp_path / "key").write_text("short")
    done = CliRunner().invoke(main, ["wallet", "check", "--operator", "north", "--config", str(file)])
    assert done.exit_code == 1
    assert done.output.startswith("Error: ")
    assert re.search(said, done.output)


def test_a_fault_nobody_knows_is_refused() -> None:
    with pytest.raises(BadInputError, match="no fault 'tired'"):
        Faults().switch(on=["tired"])
