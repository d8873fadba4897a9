"""Two dialects of wallets: golden bytes out, and every odd answer in."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from wallet_call import (
    AUTHENTICATE,
    BALANCE,
    CALLS,
    CANCEL,
    CREDIT,
    DEBIT,
    END,
    GIVEN,
    KEY,
    SECRET,
    STATUS,
    TAKEN,
)

from dealer_ui.wallets.dialect import Dialect
from dealer_ui.wallets.hmac_dialect import HmacDialect
from dealer_ui.wallets.rsa_dialect import RsaDialect, rsa_key
from studio.errors import BadInputError
from studio.wallets.answer import Said, Word
from studio.wallets.call import Call

RSA, HMAC = RsaDialect(KEY), HmacDialect(SECRET)

# --- what goes out ------------------------------------------------------------------------------------

_HEAD = '{"request_uuid":"q-1","user":"ann-1","token":"s-9",'
_GAME = '"round":"t1-7","round_closed":false,"game_code":"three_knights"'
RSA_GOLDEN = {
    "authenticate": (AUTHENTICATE, "user/info", _HEAD + '"currency":"EUR"}'),
    "balance": (BALANCE, "user/balance", _HEAD + '"game_code":"three_knights"}'),
    "debit": (
        DEBIT, "transaction/bet",
        _HEAD + '"transaction_uuid":"d-1",' + _GAME + ',"currency":"EUR","amount":1205000}',
    ),
    "credit": (
        CREDIT, "transaction/win",
        _HEAD + '"transaction_uuid":"c-1",' + _GAME
        + ',"currency":"EUR","amount":2410000,"reference_transaction_uuid":"d-1"}',
    ),
    "cancel": (
        CANCEL, "transaction/rollback",
        _HEAD + '"transaction_uuid":"x-1",' + _GAME + ',"reference_transaction_uuid":"d-1"}',
    ),
    "end of the round": (
        END, "transaction/win",
        _HEAD + '"transaction_uuid":"e-1",' + _GAME.replace("false", "true")
        + ',"currency":"EUR","amount":0,"reference_transaction_uuid":"d-1"}',
    ),
    "a correction gives": (
        GIVEN, "transaction/win",
        _HEAD + '"transaction_uuid":"a-1",' + _GAME
        + ',"currency":"EUR","amount":5000,"reference_transaction_uuid":"d-1"}',
    ),
    "a correction takes": (
        TAKEN, "transaction/bet",
        _HEAD + '"transaction_uuid":"a-2",' + _GAME + ',"currency":"EUR","amount":5000}',
    ),
}  # fmt: skip

_WHO = '{"user_id":"ann-1","session_id":"s-9","currency":"EUR","game":"three_knights"'
_ROUND = _WHO + ',"game_id":"t1-7","finished":false,"actions":'
HMAC_GOLDEN = {
    "authenticate": (AUTHENTICATE, "play", _WHO + "}"),
    "balance": (BALANCE, "play", _WHO + "}"),
    "debit": (DEBIT, "play", _ROUND + '[{"action":"bet","action_id":"d-1","amount":1205}]}'),
    "credit": (CREDIT, "play", _ROUND + '[{"action":"win","action_id":"c-1","amount":2410}]}'),
    "cancel": (
        CANCEL, "rollback", _ROUND + '[{"action":"rollback","action_id":"x-1","original_action_id":"d-1"}]}',
    ),
    "end of the round": (END, "play", _ROUND.replace("false", "true") + "[]}"),
    "a correction gives": (GIVEN, "play", _ROUND + '[{"action":"win","action_id":"a-1","amount":5}]}'),
    "a correction takes": (TAKEN, "play", _ROUND + '[{"action":"bet","action_id":"a-2","amount":5}]}'),
}  # fmt: skip


@pytest.mark.parametrize(
    ("dialect", "golden"),
    [pytest.param(RSA, each, id=f"rsa: {name}") for name, each in RSA_GOLDEN.items()]
    + [pytest.param(HMAC, each, id=f"hmac: {name}") for name, each in HMAC_GOLDEN.items()],
)
def test_a_call_is_written_byte_for_byte(dialect: Dialect, golden: tuple[Call, str, str]) -> None:
    call, path, body = golden
    request = dialect.write(call, "q-1")
    assert request is not None
    assert (request.path, request.body.decode()) == (path, body)


@pytest.mark.parametrize(("currency", "amount"), [("EUR", 1205000), ("JPY", 120500000), ("KWD", 120500)])
def test_amounts_of_the_rsa_dialect_are_100_000ths_of_the_currencys_unit(currency: str, amount: int) -> None:
    request = RSA.write(msgspec.structs.replace(DEBIT, currency=currency), "q-1")
    assert request is not None
    assert msgspec.json.decode(request.body)["amount"] == amount


RSA_SIGNED = (
    "BavEi4k8ulHeBjJo+vC7HpjYBe1UkQShjDpMvQp+kT/6n4aVzAKKI2UbWp5bW++NUjktUT00KM43XRsgDdNKyfp/af4ji9weZ3IpZ//Vr8Fp4uv"
    "BP0H/t0TNkmpa6cKqT3I4X2jAF/4eIVyrzZFjdpNZ8q2x0xw044f9kMHAsVv+2OsU8o/DPgV6w6qJbf6II2/+tRFTtlhsuvrxU92CIYggVbCU8K"
    "+OwpcVL1d/NNFpD8zqwENLIVc0OKifZJ2PL7N531deXaG/UbxOmoPC1b2OWBAy21a22vgzpgT+6+49nIhIC+M6x0Zp/s/k/WEJmtrOF0MSjZPz4"
    "CERfjNisA=="
)
"""What `openssl dgst -sha256 -sign` makes of the golden debit, in base 64."""
HMAC_SIGNED = "9e9d7339ff694b87622301bfc53ef7dccb70ca915e2b0c526d2b22c1f65e3b19"
"""What `openssl dgst -sha256 -hmac` makes of the golden debit."""


@pytest.mark.parametrize(
    ("dialect", "header", "signed"),
    [(RSA, "X-Hub88-Signature", RSA_SIGNED), (HMAC, "X-REQUEST-SIGN", HMAC_SIGNED)],
    ids=["rsa", "hmac"],
)
def test_a_call_is_signed_as_another_program_signs_the_same_bytes(dialect: Dialect, header: str, signed: str) -> None:
    request = dialect.write(DEBIT, "q-1")
    assert request is not None
    assert dict(request.headers) == {"Content-Type": "application/json", header: signed}


@pytest.mark.parametrize("dialect", [RSA, HMAC], ids=["rsa", "hmac"])
def test_a_dialect_without_a_call_says_so(dialect: Dialect) -> None:
    assert dialect.write(STATUS, "q-1") is None


@pytest.mark.parametrize("pem", [b"", b"-----BEGIN", b"\xff"])
def test_what_is_no_private_key_is_refused_with_a_sentence(pem: bytes) -> None:
    with pytest.raises(BadInputError, match="no private key"):
        rsa_key(pem, "north.pem")


# --- what comes in ------------------------------------------------------------------------------------

_RSA_OK = '{"user":"ann-1","status":"RS_OK","request_uuid":"q-1","currency":"EUR","balance":98795000}'


def _rsa(status: str) -> str:
    return _RSA_OK.replace("RS_OK", status)


RSA_ANSWERS = {
    "yes": (200, _RSA_OK, Word.OK),
    "no money, and HTTP 200": (200, _rsa("RS_ERROR_NOT_ENOUGH_MONEY"), Word.INSUFFICIENT_FUNDS),
    "no money, and HTTP 400": (400, _rsa("RS_ERROR_NOT_ENOUGH_MONEY"), Word.INSUFFICIENT_FUNDS),
    "no money, and HTTP 500": (500, _rsa("RS_ERROR_NOT_ENOUGH_MONEY"), Word.TEMPORARY),
    "limit": (200, _rsa("RS_ERROR_LIMIT_REACHED"), Word.LIMIT),
    "the same id for another": (200, _rsa("RS_ERROR_DUPLICATE_TRANSACTION"), Word.CONFLICT),
    "never seen": (200, _rsa("RS_ERROR_TRANSACTION_DOES_NOT_EXIST"), Word.UNKNOWN_TRANSACTION),
    "rolled back": (200, _rsa("RS_ERROR_TRANSACTION_ROLLED_BACK"), Word.AFTER_CANCEL),
    "session over": (200, _rsa("RS_ERROR_TOKEN_EXPIRED"), Word.TOKEN),
    "session unknown": (200, _rsa("RS_ERROR_INVALID_TOKEN"), Word.TOKEN),
    "locked": (200, _rsa("RS_ERROR_USER_DISABLED"), Word.BLOCKED),
    "wrong currency": (200, _rsa("RS_ERROR_WRONG_CURRENCY"), Word.FATAL),
    "signature": (200, '{"status":"RS_ERROR_INVALID_SIGNATURE"}', Word.SIGNATURE),
    "its own time-out": (200, _rsa("RS_ERROR_TIMEOUT"), Word.TEMPORARY),
    "it does not know": (200, _rsa("RS_ERROR_UNKNOWN"), Word.TEMPORARY),
    "a status nobody knows": (200, _rsa("RS_ERROR_FULL_MOON"), Word.TEMPORARY),
    "yes, but HTTP 500": (500, _RSA_OK, Word.TEMPORARY),
    "yes to another request": (200, _RSA_OK.replace("q-1", "q-0"), Word.TEMPORARY),
    "no to another request": (200, _rsa("RS_ERROR_LIMIT_REACHED").replace("q-1", "q-0"), Word.TEMPORARY),
    "no to nobody knows what": (200, '{"status":"RS_ERROR_LIMIT_REACHED"}', Word.TEMPORARY),
    "yes about another": (200, _RSA_OK.replace("ann-1", "bob-1"), Word.TEMPORARY),
    "yes in another currency": (200, _RSA_OK.replace("EUR", "USD"), Word.TEMPORARY),
    "yes without a balance": (200, _RSA_OK.replace("balance", "weather"), Word.TEMPORARY),
    "yes with half a balance": (200, _RSA_OK.replace("98795000", "9.5"), Word.TEMPORARY),
    "yes with a balance nobody has": (200, _RSA_OK.replace("98795000", "9" * 30), Word.TEMPORARY),
    "status is a number": (200, _RSA_OK.replace('"RS_OK"', "1"), Word.TEMPORARY),
}

_HMAC_OK = '{"balance":98795,"game_id":"t1-7","transactions":[{"action_id":"d-1","tx_id":"w-1"}]}'


def _code(code: int | str) -> str:
    return f'{{"code":{code},"message":"no","balance":5}}'


HMAC_ANSWERS = {
    "yes": (200, _HMAC_OK, Word.OK),
    "no money": (412, _code(100), Word.INSUFFICIENT_FUNDS),
    "no money, and HTTP 200": (200, _code(100), Word.INSUFFICIENT_FUNDS),
    "no money, and HTTP 500": (500, _code(100), Word.TEMPORARY),
    "player invalid": (412, _code(101), Word.BLOCKED),
    "bet limit": (412, _code(105), Word.LIMIT),
    "bet limit forbidden": (412, _code(107), Word.LIMIT),
    "disabled": (412, _code(110), Word.BLOCKED),
    "currency": (412, _code(154), Word.FATAL),
    "game": (412, _code(600), Word.FATAL),
    "session": (412, _code(601), Word.TOKEN),
    "signature": (403, _code(403), Word.SIGNATURE),
    "a code nobody knows": (412, _code(999), Word.TEMPORARY),
    "a code that is none": (412, _code('"100"'), Word.TEMPORARY),
    "a code that is true": (412, _code("true"), Word.TEMPORARY),
    "412 without a code": (412, "{}", Word.TEMPORARY),
    "cancelled before it came": (200, _HMAC_OK.replace("w-1", ""), Word.AFTER_CANCEL),
    "yes, but HTTP 202": (202, _HMAC_OK, Word.TEMPORARY),
    "yes to another movement": (200, _HMAC_OK.replace("d-1", "d-0"), Word.TEMPORARY),
    "yes of another round": (200, _HMAC_OK.replace("t1-7", "t1-8"), Word.TEMPORARY),
    "yes without a balance": (200, _HMAC_OK.replace("balance", "weather"), Word.TEMPORARY),
    "yes with a balance nobody has": (200, _HMAC_OK.replace("98795", "9" * 30), Word.TEMPORARY),
    "yes without movements": (200, '{"balance":1,"game_id":"t1-7","transactions":null}', Word.TEMPORARY),
    "yes, twice": (200, _HMAC_OK.replace("}]", '},{"action_id":"d-1","tx_id":"w-2"}]'), Word.TEMPORARY),
}
NONSENSE = {
    "nothing": b"",
    "half an answer": _RSA_OK[:40].encode(),
    "a page": b"<html>Bad Gateway</html>",
    "a list": b"[]",
    "a number": b"1",
    "null": b"null",
    "no text": b"\xff\xfe\x00",
    "very deep": b"[" * 5000,
}


@pytest.mark.parametrize(
    ("dialect", "answer"),
    [pytest.param(RSA, each, id=f"rsa: {name}") for name, each in RSA_ANSWERS.items()]
    + [pytest.param(HMAC, each, id=f"hmac: {name}") for name, each in HMAC_ANSWERS.items()],
)
def test_an_answer_to_a_debit_comes_to_one_word(dialect: Dialect, answer: tuple[int, str, Word]) -> None:
    status, body, word = answer
    assert dialect.read(DEBIT, "q-1", status, body.encode()).word is word


@pytest.mark.parametrize("body", NONSENSE.values(), ids=NONSENSE)
@pytest.mark.parametrize("status", [200, 412, 500])
@pytest.mark.parametrize("dialect", [RSA, HMAC], ids=["rsa", "hmac"])
def test_what_cannot_be_read_is_unknown(dialect: Dialect, status: int, body: bytes) -> None:
    assert dialect.read(DEBIT, "q-1", status, body).word is Word.TEMPORARY


def test_a_balance_and_the_wallets_own_reference_are_told() -> None:
    assert RSA.read(DEBIT, "q-1", 200, _RSA_OK.encode()) == Said(word=Word.OK, balance_minor=98795, detail="RS_OK")
    assert HMAC.read(DEBIT, "q-1", 200, _HMAC_OK.encode()) == Said(word=Word.OK, balance_minor=98795, reference="w-1")


def test_a_balance_finer_than_a_cent_is_rounded_down() -> None:
    fine = _RSA_OK.replace("98795000", "98795999").encode()
    assert RSA.read(BALANCE, "q-1", 200, fine).balance_minor == 98795


def test_a_cancel_of_what_was_never_seen_is_a_yes_in_the_hmac_dialect() -> None:
    tombstone = _HMAC_OK.replace("d-1", "x-1").replace("w-1", "").encode()
    assert HMAC.read(CANCEL, "q-1", 200, tombstone).word is Word.OK


def test_a_sign_in_needs_no_balance_in_the_rsa_dialect() -> None:
    told = b'{"user":"ann-1","status":"RS_OK","request_uuid":"q-1","country":"EE"}'
    assert RSA.read(AUTHENTICATE, "q-1", 200, told).word is Word.OK


@given(st.sampled_from([RSA, HMAC]), st.sampled_from(CALLS), st.integers(0, 999), st.binary(max_size=200))
def test_no_answer_makes_a_dialect_fail(dialect: Dialect, call: Call, status: int, body: bytes) -> None:
    assert dialect.read(call, "q-1", status, body).word is Word.TEMPORARY


_NAMES = ["status", "user", "request_uuid", "balance", "currency", "code", "game_id", "transactions", "action_id"]
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_NAMES), inner, max_size=5),
)


@given(st.sampled_from([RSA, HMAC]), st.sampled_from(CALLS), st.integers(0, 999), _JSON)
def test_no_json_makes_a_dialect_fail(dialect: Dialect, call: Call, status: int, told: object) -> None:
    assert isinstance(dialect.read(call, "q-1", status, msgspec.json.encode(told)), Said)
