"""Requests signed as well as keyed, from where they may come: whatever is altered is refused. Real HTTP."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest
from guide_page import GUIDE
from open_streams import FEED, KEY, Opened, opened
from patience import PATIENCE_S
from running_studio import API_KEY, House

from dealer_ui.assembly.reload import Rereading
from dealer_ui.config.operator import CallsSection
from dealer_ui.config.shape import OperatorSection
from dealer_ui.desk import operator_call
from dealer_ui.desk.operator_call import CallTerms, Sent, Signatures, sign
from dealer_ui.desk.operator_key import digest_of_key
from dealer_ui.process.throttle import TooOftenError
from studio.errors import RefusedError

OLD, NEW, STRANGE = b"the secret of last year", b"the secret of this year", b"a secret of nobody here"
DEPOSIT = "/api/v1/bettors/ann/deposits"
MONEY = b'{"client_id": "d-1", "amount": 500}'
PROXY = "127.0.3.1"
_ids = itertools.count()


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    with House(tmp_path_factory.mktemp("signed")) as house, opened(house, trusted=(PROXY,)) as studio:
        yield studio


def agree(studio: Opened, *secrets: bytes, addresses: tuple[str, ...] = ()) -> None:
    """From now on north's requests are so."""
    folder = studio.house.database.parent
    for number, secret in enumerate(secrets):
        (folder / f"calls-{number}.secret").write_bytes(secret)
    files = tuple(str(folder / f"calls-{number}.secret") for number in range(len(secrets)))
    calls = CallsSection(key_files=files, addresses=addresses)
    studio.house.floor.operator_desk.take_file({"north": section(calls)})


def section(calls: CallsSection | None) -> OperatorSection:
    return OperatorSection(key_sha256=digest_of_key(API_KEY), calls=calls)


def now_s(studio: Opened) -> int:
    return studio.house.floor.now_ms() // 1000


def signed(
    studio: Opened, method: str, target: str, body: bytes = b"", *, secret: bytes = NEW, id: str = "", late_s: int = 0
) -> dict[str, str]:
    """The headers of a request, as an operator makes them by what the guide says."""
    id, at = id or f"r-{next(_ids)}", str(now_s(studio) - late_s)
    text = f"{method}\n{target}\n{id}\n{at}\n".encode() + body
    mark = base64.b64encode(hmac.new(secret, text, hashlib.sha256).digest()).decode()
    return {"request-id": id, "request-timestamp": at, "request-signature": f"v1,{mark}"}


def ask(
    studio: Opened, method: str, target: str, body: bytes = b"", headers: dict[str, str] | None = None,
    address: str = "127.0.0.1",
) -> tuple[int, Any]:  # fmt: skip
    line = http.client.HTTPConnection("127.0.0.1", studio.port.number, timeout=PATIENCE_S, source_address=(address, 0))
    kind = {"Content-Type": "application/json"} if body else {}
    line.request(method, target, body or None, {"Authorization": f"Bearer {API_KEY}", **kind, **(headers or {})})
    answer = line.getresponse()
    told = json.loads(answer.read())
    assert answer.status != 401 or answer.headers["WWW-Authenticate"]
    line.close()
    return answer.status, told["error"]["key"] if answer.status >= 400 else told


def balance(studio: Opened) -> int:
    return studio.house.floor.reader().balance("bettor:north:ann", "EUR")


def test_a_request_that_is_signed_is_answered(studio: Opened) -> None:
    agree(studio, NEW)
    for method, target, body in (
        ("GET", "/api/v1/tables", b""), ("GET", "/api/v1/tables/t1/results?limit=5", b""), ("POST", DEPOSIT, MONEY),
        ("GET", "/api/v1/bettors/%61nn/balance", b""), ("DELETE", "/api/v1/bettors/ann/pages", b""),
    ):  # fmt: skip
        assert ask(studio, method, target, body, signed(studio, method, target, body))[0] == 200, target


@pytest.mark.parametrize("missing", ["request-id", "request-timestamp", "request-signature"])
def test_a_key_alone_is_not_enough(studio: Opened, missing: str) -> None:
    agree(studio, NEW)
    headers = signed(studio, "GET", "/api/v1/tables")
    del headers[missing]
    assert ask(studio, "GET", "/api/v1/tables", headers=headers) == (401, "signature_missing")


def test_whatever_is_altered_on_the_way_is_refused_and_moves_nothing(studio: Opened) -> None:
    agree(studio, NEW)
    before, more = balance(studio), MONEY.replace(b"500", b"900")
    good = signed(studio, "POST", DEPOSIT, MONEY)
    wrong = (401, "signature_wrong")
    assert ask(studio, "POST", DEPOSIT, more, good) == wrong
    assert ask(studio, "POST", DEPOSIT.replace("ann", "bob"), MONEY, good) == wrong
    assert ask(studio, "POST", f"{DEPOSIT}?again", MONEY, good) == wrong
    assert ask(studio, "POST", "/api/v1/bettors/ann/withdrawals", MONEY, good) == wrong
    assert ask(studio, "GET", DEPOSIT, MONEY, good) == wrong
    assert ask(studio, "POST", DEPOSIT, MONEY, {**good, "request-id": "r-another"}) == wrong
    later = str(int(good["request-timestamp"]) + 1)
    assert ask(studio, "POST", DEPOSIT, MONEY, {**good, "request-timestamp": later}) == wrong
    for mark in ("v1,", "x", good["request-signature"][3:], "v1a" + good["request-signature"][2:]):
        assert ask(studio, "POST", DEPOSIT, MONEY, {**good, "request-signature": mark}) == wrong
    assert balance(studio) == before
    assert ask(studio, "POST", DEPOSIT, MONEY, good)[0] == 200, "and untouched it is taken"


@pytest.mark.parametrize("id", ["with a space", "x" * 65, "ünlich".encode().decode("latin-1"), "a/b"])
def test_an_id_that_is_none_is_refused(studio: Opened, id: str) -> None:
    agree(studio, NEW)
    headers = {**signed(studio, "GET", "/api/v1/tables"), "request-id": id}
    assert ask(studio, "GET", "/api/v1/tables", headers=headers) == (401, "signature_wrong")


def test_the_guide_has_a_signature_to_try_ones_own_program_on() -> None:
    assert sign(b"sixteen bytes or more", b"GET\n/api/v1/tables\nr-1\n1700000000\n") in GUIDE.read_text()


def test_another_secret_opens_nothing(studio: Opened) -> None:
    agree(studio, NEW)
    headers = signed(studio, "GET", "/api/v1/tables", secret=STRANGE)
    assert ask(studio, "GET", "/api/v1/tables", headers=headers) == (401, "signature_wrong")


@pytest.mark.parametrize(
    ("late_s", "answer"), [(240, 200), (-240, 200), (400, 401), (-400, 401), (86_400, 401)],
    ids=["four minutes behind", "four minutes ahead", "old", "of the future", "of yesterday"],
)  # fmt: skip
def test_a_time_stamp_may_be_five_minutes_off(studio: Opened, late_s: int, answer: int) -> None:
    agree(studio, NEW)
    told = ask(studio, "GET", "/api/v1/tables", headers=signed(studio, "GET", "/api/v1/tables", late_s=late_s))
    assert told[0] == answer
    assert answer == 200 or told[1] == "signature_old"


def test_what_was_sent_once_is_not_taken_again(studio: Opened) -> None:
    agree(studio, NEW)
    headers = signed(studio, "DELETE", "/api/v1/bettors/ann/pages")
    assert ask(studio, "DELETE", "/api/v1/bettors/ann/pages", headers=headers)[0] == 200
    assert ask(studio, "DELETE", "/api/v1/bettors/ann/pages", headers=headers) == (401, "signature_used")


def test_an_id_nobody_signed_burns_nothing(studio: Opened) -> None:
    agree(studio, NEW)
    headers = signed(studio, "GET", "/api/v1/tables")
    forged = {**headers, "request-signature": signed(studio, "GET", "/api/v1/tables", secret=STRANGE)["request-id"]}
    assert ask(studio, "GET", "/api/v1/tables", headers=forged) == (401, "signature_wrong")
    assert ask(studio, "GET", "/api/v1/tables", headers=headers)[0] == 200


def test_two_secrets_are_good_while_one_takes_the_others_place(studio: Opened) -> None:
    def told(secret: bytes) -> int:
        headers = signed(studio, "GET", "/api/v1/tables", secret=secret)
        return ask(studio, "GET", "/api/v1/tables", headers=headers)[0]

    agree(studio, OLD)
    assert (told(OLD), told(NEW)) == (200, 401)
    agree(studio, OLD, NEW)
    assert (told(OLD), told(NEW)) == (200, 200)
    agree(studio, NEW)
    assert (told(OLD), told(NEW)) == (401, 200)


def test_addresses_that_lead_nowhere_are_told_to_nobody_either(studio: Opened) -> None:
    agree(studio, NEW)
    assert ask(studio, "GET", "/api/v1/tablez") == (401, "signature_missing")
    headers = signed(studio, "GET", "/api/v1/tablez")
    assert ask(studio, "GET", "/api/v1/tablez", headers=headers) == (404, "unknown_address")
    long = b" " * 5_000
    assert ask(studio, "POST", "/api/v1/tablez", long, signed(studio, "POST", "/api/v1/tablez", long)) == (
        413, "body_too_long",
    )  # fmt: skip


def test_the_document_of_the_interface_is_for_everybody(studio: Opened) -> None:
    agree(studio, NEW, addresses=("127.0.1.0/24",))
    status, told = ask(studio, "GET", "/api/v1/openapi.json", headers={"Authorization": ""})
    assert status == 200
    signing = {"request_id", "request_timestamp", "request_signature"}
    assert set(told["components"]["securitySchemes"]) == {"key", *signing}
    assert [set(one) for one in told["security"]] == [{"key"}, {"key", *signing}]


def test_an_operator_asks_from_his_own_addresses_alone(studio: Opened) -> None:
    agree(studio, addresses=("127.0.1.0/24", "127.0.2.7"))
    for address, answer in (
        ("127.0.1.9", 200), ("127.0.2.7", 200), ("127.0.2.8", 403), ("127.0.0.1", 403), (PROXY, 403),
    ):  # fmt: skip
        told = ask(studio, "GET", "/api/v1/tables", address=address)
        assert told[0] == answer, address
        assert answer == 200 or told[1] == "wrong_address"


@pytest.mark.parametrize(
    ("peer", "passed_by", "answer"),
    [(PROXY, "127.0.1.9", 200), (PROXY, "127.0.1.9, 127.0.2.8", 403), ("127.0.0.1", "127.0.1.9", 403)],
    ids=["a believed proxy", "what the asker wrote himself", "a proxy nobody named"],
)
def test_behind_a_proxy_it_is_the_address_that_a_believed_proxy_names(
    studio: Opened, peer: str, passed_by: str, answer: int
) -> None:
    agree(studio, addresses=("127.0.1.0/24",))
    told = ask(studio, "GET", "/api/v1/tables", headers={"X-Forwarded-For": passed_by}, address=peer)
    assert told[0] == answer


def test_who_is_refused_is_noted_with_his_address_and_no_secret(studio: Opened) -> None:
    turned_away = studio.house.studio.app.extensions["console"].turned_away
    before = turned_away.counts
    agree(studio, NEW, addresses=("127.0.1.0/24",))
    ask(studio, "GET", "/api/v1/tables")
    ask(studio, "GET", "/api/v1/tables", address="127.0.1.5")
    more = {key: count - before.get(key, 0) for key, count in turned_away.counts.items() if count > before.get(key, 0)}
    assert more == {("interface", "wrong_address"): 1, ("interface", "signature_missing"): 1}
    assert NEW.decode() not in repr(CallTerms((NEW,)))
    assert "v1," not in repr(Sent("GET", "/", b"", signed(studio, "GET", "/")))


@pytest.mark.long
def test_a_stream_ends_when_its_address_is_taken_off_the_list(studio: Opened) -> None:
    agree(studio, addresses=("127.0.1.0/24",))
    stream = studio.stream(FEED, KEY, address="127.0.1.5")
    stream.until(b"event: state")
    agree(studio, addresses=("127.0.2.0/24",))
    stream.end()


def test_a_secret_that_cannot_be_read_changes_nothing_in_a_running_studio(studio: Opened) -> None:
    agree(studio, NEW)
    house, missing = studio.house, CallsSection(key_files=("nowhere.secret",))
    wanted = house.floor.config.model_copy(update={"operators": {"north": section(missing)}})
    with pytest.raises(RefusedError, match=r"not taken, everything stays as it was: .*cannot be read"):
        Rereading(house.floor, lambda: wanted).take("root", "a new secret")
    headers = signed(studio, "GET", "/api/v1/tables")
    assert ask(studio, "GET", "/api/v1/tables", headers=headers)[0] == 200


def test_ids_are_forgotten_when_their_time_is_over_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator_call, "IDS_MAX", 2)
    now = [1_000_000]
    signatures = Signatures(lambda: now[0] * 1000)

    def send(id: str, at_s: int) -> None:
        headers = {"request-id": id, "request-timestamp": str(at_s), "request-signature": ""}
        text = Sent("GET", "/", b"", headers).text
        signatures.need("north", (NEW,), Sent("GET", "/", b"", {**headers, "request-signature": mark(text)}))

    def mark(text: bytes) -> str:
        return "v1," + base64.b64encode(hmac.new(NEW, text, hashlib.sha256).digest()).decode()

    send("a", now[0] + 200)
    send("b", now[0])
    with pytest.raises(TooOftenError):
        send("c", now[0])
    now[0] += 300
    for id, at_s in (("a", 1_000_200), ("b", 1_000_000)):
        with pytest.raises(RefusedError, match="has come before"):
            send(id, at_s)
    now[0] += 201
    send("c", now[0])
    send("d", now[0])
