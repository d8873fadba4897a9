"""What the document of the interface says in words of its own: about all of it, its parts, addresses and statuses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Field, StringConstraints

from dealer_ui.desk.operator_call import ID_HEADER, SIGNATURE_HEADER, SKEW_S, TIME_HEADER
from dealer_ui.floor.bet_offer import Bettor, ClientId

ABOUT: Final = """\
An operator brings bettors to the tables. His system talks to the studio over HTTP, in JSON.

**Money** is an integer in minor units: `500` is 5.00 EUR. **Times** are UTC milliseconds; where a time matters the
answer has the studio's own `now_ms`. **Ids**: bettors are named by their operator, and every bet, decision, deposit
and withdrawal gets a `client_id` from him; two operators may use the same. **Retries**: the same thing sent again
with the same `client_id` moves nothing twice, however late; where an answer was lost, send the request again as it
was. **Durable**: an answer is given after the commit, and what is `accepted` is on the disk.

Fields may be added to answers: pass over those you do not know. What you send is read strictly: a field or a
parameter that has another name is refused. Every answer that is none of 2xx is an error with a stable `key` and a
sentence for people. A bettor's page is opened by its address alone, `/play/<ticket>`: the ticket in it is made by
`open_page`."""

KEY: Final = "The API key that the studio gave you, in the header Authorization: Bearer <key>."

SIGNED: Final[Mapping[str, tuple[str, str]]] = {
    "request_id": (ID_HEADER, "Where your requests are signed: an id of this one, 1 to 64 of A-Z a-z 0-9 . _ : -."),
    "request_timestamp": (TIME_HEADER, f"Seconds of UTC; at most {SKEW_S} from the studio's own."),
    "request_signature": (
        SIGNATURE_HEADER,
        "v1, and in base 64 the HMAC-SHA256, by the secret you share with the studio, of: the method, the target as it "
        "is sent (path and query), the id, the time stamp, each with a line feed after it, and the body.",
    ),
}
"""The headers that sign a request, by the names of their security schemes."""

TAGS: Final[Mapping[str, str]] = {
    "tables": "The tables as the public sees them; bets, decisions and seats there.",
    "limits": "What was agreed with you.",
    "bets": "Where a bet stands.",
    "bettors": "Your bettors: purses, bets, the game record, pages.",
    "complaints": "What bettors complain about.",
    "rounds": "Every round of your bettors, in the order in which they came to an end.",
    "movements": "Every movement of your bettors' money, in the order in which it moved.",
    "statements": "A gaming day's movements as a file.",
    "document": "What you read here, for programs and for people.",
}
"""The parts of the interface, in the order they are told: the first name in an address."""

_SHORT: Final = StringConstraints(min_length=1, max_length=64)
IN_ADDRESSES: Final[Mapping[str, Any]] = {
    "table": Annotated[str, _SHORT, Field(description="The key of a table.", examples=["t1"])],
    "bettor": Bettor,
    "client_id": Annotated[ClientId, Field(description="The id of your own making.")],
    "bet": Annotated[str, _SHORT, Field(description="The key of a bet.", examples=["blind"])],
    "round": Annotated[str, _SHORT, Field(description="The id of a round.", examples=["t1-0000017"])],
    "movement": Annotated[
        str,
        StringConstraints(pattern=r"^[1-9]\d{0,17}$"),
        Field(description="The id of a movement.", examples=["4711"]),
    ],
    "transaction": Annotated[
        str,
        StringConstraints(min_length=1, max_length=64),
        Field(description="The id of a movement in your wallet.", examples=["0a2a0310-9634-80af-a89d-fe775681a639"]),
    ],
    "day": Annotated[
        str,
        StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$"),
        Field(description="A gaming day of the studio.", examples=["2026-01-31"], json_schema_extra={"format": "date"}),
    ],
}
"""What an address may name."""

HEADERS: Final[Mapping[str, str]] = {
    "Last-Event-ID": "The number of the newest event you have heard: you hear only what is newer.",
    "Retry-After": "Send it again after so many seconds.",
    "WWW-Authenticate": "How to show the key.",
    "Allow": "The methods this address takes.",
    "If-None-Match": "The ETag of what you have.",
    "ETag": "Send it as If-None-Match, and you hear only whether anything changed.",
}

WORDS_OF_STATUS: Final[Mapping[int, str]] = {
    400: "What was sent cannot be read, or names what cannot be.",
    401: "The key is missing or nobody has it, or the request is not signed as agreed.",
    403: "You are suspended, and what your bettors have open is settled and paid; or you ask from elsewhere.",
    404: "There is no such thing here, or none of yours.",
    405: "This address is asked another way.",
    409: "The house refused it in its own words; more keys than these may come.",
    410: "It was here, and lies in a year that is closed.",
    413: "The body is too long.",
    415: "The body is no JSON by its header.",
    429: "Too much of yours waits: nothing of this was done, send it again.",
    500: "A mistake of the studio's, which noted it: send it again with the same ids.",
    503: "The studio cannot do it now: send it again with the same ids.",
}
"""What an error with that status says."""
