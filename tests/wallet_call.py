"""The calls that tests of wallets make, all of one bettor and one round."""

from __future__ import annotations

from pathlib import Path

from dealer_ui.wallets.rsa_dialect import rsa_key
from studio.wallets.call import Adjust, Authenticate, Balance, Call, Cancel, Credit, Debit, EndRound, Status

WHO = {"bettor": "ann-1", "session": "s-9", "currency": "EUR", "game": "three_knights"}
KEY_FILE = Path(__file__).parent / "captures/wallets/test-key.pem"
KEY = rsa_key(KEY_FILE.read_bytes(), str(KEY_FILE))
SECRET = b"a secret of tests"

AUTHENTICATE = Authenticate(**WHO)
BALANCE = Balance(**WHO)
DEBIT = Debit(**WHO, id="d-1", round="t1-7", amount_minor=1205)
CREDIT = Credit(**WHO, id="c-1", round="t1-7", amount_minor=2410, debit="d-1")
CANCEL = Cancel(**WHO, id="x-1", round="t1-7", undoes="d-1")
END = EndRound(**WHO, id="e-1", round="t1-7", debit="d-1")
GIVEN = Adjust(**WHO, id="a-1", round="t1-7", amount_minor=5, debit="d-1")
TAKEN = Adjust(**WHO, id="a-2", round="t1-7", amount_minor=-5, debit="d-1")
STATUS = Status(**WHO, id="d-1")

CALLS: tuple[Call, ...] = (AUTHENTICATE, BALANCE, DEBIT, CREDIT, CANCEL, END, GIVEN, TAKEN, STATUS)
