"""A stranger's check of an export, from docs/checking.md alone: nothing of ours, nothing but the standard library.

python stranger.py EXPORT PUBLIC_KEY prints the heads after it, or what is wrong. Ed25519 is after RFC 8032, 5.1.
"""

import base64
import hashlib
import json
import sys

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def point(encoded):
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or y >= P:
        raise ValueError("this is no point of the curve")
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


def add(one, two):
    a = (one[1] - one[0]) * (two[1] - two[0]) % P
    b = (one[1] + one[0]) * (two[1] + two[0]) % P
    c, d = 2 * one[3] * two[3] * D % P, 2 * one[2] * two[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(factor, one):
    total = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            total = add(total, one)
        one, factor = add(one, one), factor >> 1
    return total


Y = 4 * pow(5, P - 2, P) % P
BASE = point(Y.to_bytes(32, "little"))


def is_signed(key, text, signature):
    if len(signature) != 64 or int.from_bytes(signature[32:], "little") >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + key + text).digest()
    left = times(int.from_bytes(signature[32:], "little"), BASE)
    right = add(point(signature[:32]), times(int.from_bytes(digest, "little") % ORDER, point(key)))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


WITHHELD = ("StaffAdded", "StaffPinChanged", "StaffPinRehashed")


def chained(before, *texts):
    return hashlib.sha256("\n".join([before, *map(str, texts)]).encode()).hexdigest()


def commits(seal, key, face):
    id, nonce, _, commitment = seal
    key, nonce, id = base64.b64decode(key), bytes.fromhex(nonce), id.encode()
    return (
        hashlib.sha256(b"studio-sealed 1\n" + key + nonce + bytes([len(id)]) + id + face.encode()).hexdigest()
        == commitment
    )


class Cards:
    """Sealed cards, as far as the rows have got. `whole`: the span begins with the first row ever."""

    def __init__(self, whole):
        self.whole, self.seals, self.ruled = whole, {}, set()

    def take(self, told, line):
        seal, key, face = told.get("card"), told.get("key"), told.get("face")
        if isinstance(seal, list):
            assert self.seals.setdefault(seal[0], seal) == seal, f"line {line} names another card {seal[0]}"
        if key and face and len(seal) == 4:
            assert commits(seal, key, face), f"line {line} opens a card to a face it was not committed to"
        if face and not key:
            self.ruled.add(face)
        for key, face in zip(told.get("keys", ()), told.get("faces", ()), strict=True):
            known = any(commits(one, key, face) for one in self.seals.values() if len(one) == 4)
            doubtful = (
                not self.whole or face in self.ruled or any(len(one) == 3 and one[2] for one in self.seals.values())
            )
            assert known or doubtful, f"line {line} reveals a card that was not committed to its face"


def check(path, key):
    with open(path, "rb") as file:
        *lines, last = file.read().splitlines(keepends=True)
    head, end = json.loads(lines[0]), json.loads(last)
    digest = hashlib.sha256(b"".join(lines)).hexdigest()
    assert (head["format"], head["version"]) in (("studio-export", 1), ("studio-export", 2)), "another format"
    assert digest == end["sha256"], "the bytes are not those that were signed"
    assert end["public_key"] == key, "another key"
    text = f"studio-export {head['version']}\n{digest}".encode()
    assert is_signed(bytes.fromhex(key), text, bytes.fromhex(end["signature"])), "the signature is forged"
    journal, ledger = head["journal_before"], head["ledger_before"]
    several = "book" in head  # of several hosts one: numbers are missing that another host has

    def next_to(before, seq):
        return seq > before[0] if several else seq == before[0] + 1

    assert next_to(journal, head["first"]), "it does not begin where it says"
    cards = Cards(whole=head["first"] == 1)
    for number, line in enumerate(lines[1:], start=2):
        row = json.loads(line)
        if "journal" in row:
            seq, at_ms, ledger_seq, kind, body = row["journal"]
            assert ledger_seq == ledger[0], f"line {number} binds another row of the ledger"
            hash = chained(journal[1], seq, at_ms, ledger_seq, ledger[1], kind, body)
            assert (next_to(journal, seq), row["hash"]) == (True, hash), f"line {number} does not follow"
            journal = [seq, hash]
            event = json.loads(body).get("event", {})
            cards.take(event.get("fact") or event.get("observation") or event, number)
        elif "withheld" in row:
            seq, at_ms, ledger_seq, kind, body = row["withheld"]
            assert (head["version"], kind in WITHHELD) == (2, True), f"line {number} leaves out what it may not"
            assert (next_to(journal, seq), ledger_seq) == (True, ledger[0]), f"line {number} does not follow"
            journal = [seq, row["hash"]]
        else:
            hash = chained(ledger[1], *row["ledger"], *row.get("reserve", []))
            assert (next_to(ledger, row["ledger"][0]), row["hash"]) == (True, hash), f"line {number} does not follow"
            assert row["ledger"][7] > 0, f"line {number} moves nothing"
            ledger = [row["ledger"][0], hash]
    assert (journal, ledger) == (end["journal_after"], end["ledger_after"]), "it does not end where it says"
    assert (journal[0], len(lines) - 1) == (head["last"], end["rows"]), "rows are missing"
    return journal, ledger


if __name__ == "__main__":
    try:
        print(json.dumps(check(sys.argv[1], sys.argv[2])))
    except (AssertionError, ValueError, KeyError) as error:
        sys.exit(f"wrong: {error}")
