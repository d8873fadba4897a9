"""The addresses of a bettor's page: `/play/<token>`, its stream, his game record, and where he bets and decides.

Whoever has the token looks on as this bettor until it lapses. Where its ticket lets him play, the one browser that it
is bound to (`player`) does so too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final

from flask import Blueprint, make_response, request
from markupsafe import Markup
from werkzeug.wrappers import Response

from dealer_ui.access.auth import CONTENT_POLICY
from dealer_ui.desk.complaint import complaints_of
from dealer_ui.desk.ticket import Ticket, Tickets
from dealer_ui.felt.face import face
from dealer_ui.floor.dismissal import leave_seats
from dealer_ui.floor.operators_floor import OperatorsFloor
from dealer_ui.frame.console import Console
from dealer_ui.frame.picture_rack import PictureRack
from dealer_ui.frame.screen import Asked
from dealer_ui.frame.stream import Stream
from dealer_ui.frame.stream_door import no_seat
from dealer_ui.pages.play.check import check_of, due_in_ms
from dealer_ui.pages.play.hand import hand_page, hand_rows
from dealer_ui.pages.play.look import draw_table, rakebacks, screen_of
from dealer_ui.pages.play.order import bet, choose, last, ready, sit
from dealer_ui.pages.play.player import Player, has_key, newcomer, player_of
from dealer_ui.pages.play.playing import Playing
from dealer_ui.pages.play.rules import rules_page
from dealer_ui.pages.play.sitting import PlaySessions
from dealer_ui.pages.play.table_picture import KIND, moving_picture, video_of
from dealer_ui.past.game_record import Details, details, summaries
from dealer_ui.words.language import LANGUAGES, Language
from studio.errors import StorageError
from studio.games import find_game
from studio.views.shape import signed

ROUNDS_A_PAGE: Final = 20
_NOBODY: Final = "frame-ancestors 'none'"
_OURS: Final = "connect-src 'self'"


@dataclass(frozen=True, slots=True)
class PlayDesk:
    console: Console
    tickets: Tickets
    floor: OperatorsFloor
    rack: PictureRack
    sittings: PlaySessions

    def page(self, ticket: Ticket, token: str, player: Player | None) -> Response:
        player = player or newcomer(self.tickets.newest(ticket))
        seq, values = self._drawn(ticket, player)
        frame = self._frame(ticket, token)
        fragment = Markup(self._draw(ticket, "play/live.html", **frame, **values))  # noqa: S704 - ours, escaped
        html = self._draw(
            ticket, "play/page.html", fragment=fragment, seq=seq, view=values["view"], player=player,
            plays=ticket.plays, **frame,
        )  # fmt: skip
        answer = make_response(html)
        if player is not None and player.fresh:
            player.keep(answer, token, (ticket.expires_at_ms - self.console.house.now_ms()) // 1000)
        return answer

    def live(self, ticket: Ticket, token: str, player: Player | None) -> Response:
        """The newest fragment, for a page that got no stream; nothing while it has the newest."""
        seq, values = self._drawn(ticket, player)
        if request.args.get("after") == str(seq):
            return make_response({"seq": seq, "now_ms": self.console.house.now_ms()})
        html = self._draw(ticket, "play/live.html", **values)
        return make_response({"seq": seq, "now_ms": self.console.house.now_ms(), "html": html})

    def stream(self, ticket: Ticket, token: str, player: Player | None) -> Response:
        words = self._words(ticket)
        if not self.tickets.take_stream(ticket):
            return make_response({"refused": words.say("play.slow")}, 503, {"Retry-After": "5"})
        console = self.console
        screen = screen_of(ticket, self._own(ticket, player), self.sittings)
        stream = Stream(
            console.artist, screen, self._asked(ticket), console.monotonic, console.closing,
            lambda: self._still(token),
        )  # fmt: skip
        answer = console.lanes.bettors.open(stream.told(), ticket.digest, lambda: self.tickets.leave_stream(ticket))
        if answer is None:
            self.tickets.leave_stream(ticket)
        return answer or no_seat(words)

    def bets(self, ticket: Ticket, token: str, player: Player | None) -> Response:
        """Place the bettor's bets; each is answered by itself, and is on disk by then."""
        return self._done(bet(self.floor, self.tickets, ticket, self._words(ticket)))

    def decisions(self, ticket: Ticket, token: str, player: Player | None) -> Response:
        return self._done(choose(self.floor, ticket, self._words(ticket)))

    def ready(self, ticket: Ticket, token: str, player: Player | None) -> Response:
        return self._done(ready(self.floor, ticket))

    def seats(self, ticket: Ticket, token: str, player: Player | None) -> Response:
        return self._done(sit(self.floor, self.tickets, ticket, self._words(ticket)))

    def last(self, ticket: Ticket, token: str, player: Player | None) -> Response:
        return self._done(last(self.floor, ticket))

    def check(self, ticket: Ticket, token: str, player: Player | None) -> Response:
        """When he is asked whether he goes on; where it is time, with the question."""
        due = due_in_ms(self.floor, self.tickets, ticket) if player is not None else None
        if due != 0:
            return self._done({"due_in_ms": due})
        return self._done(
            {"due_in_ms": 0, "html": self._draw(ticket, "play/check.html", check=check_of(self.floor, ticket))}
        )

    def goes_on(self, ticket: Ticket, token: str, player: Player | None) -> Response:
        """He has read it and goes on."""
        return self._done({"due_in_ms": due_in_ms(self.floor, self.tickets, self.tickets.go_on(ticket))})

    def leaves(self, ticket: Ticket, token: str, player: Player | None) -> Response:
        """He ends his play: his pages are over, and he comes back when his operator launches him."""
        self.floor.bettors.log_out(ticket.operator, ticket.bettor)
        self.tickets.revoke(ticket.operator, ticket.bettor)
        list(leave_seats(self.floor, ticket.operator, ticket.bettor))
        return self._done({"returns_to": ticket.returns_to})

    def _done(self, told: Mapping[str, Any]) -> Response:
        return make_response({**told, "now_ms": self.console.house.now_ms()})

    def _drawn(self, ticket: Ticket, player: Player | None) -> tuple[int, Mapping[str, Any]]:
        return draw_table(ticket, self._asked(ticket), self._own(ticket, player), self.sittings.of(ticket))

    def _own(self, ticket: Ticket, player: Player | None) -> Playing | None:
        """What is his own; None for whoever only looks on."""
        return Playing(self.floor, ticket, not player.fresh) if player is not None else None

    def picture(self, ticket: Ticket, token: str, player: Player | None) -> Response:
        """The table's camera, for whoever plays here; where seats grow few, live pages have them."""
        seats = self.console.lanes.bettors.seats
        if 2 * seats.taken >= seats.limit or not self.tickets.take_picture(ticket):
            return make_response("", 204)
        console = self.console
        telling = moving_picture(console.house, self.rack, ticket.table, lambda: self._still(token), console.closing)

        answer = console.lanes.bettors.open(telling, ticket.digest, lambda: self.tickets.leave_picture(ticket), KIND)
        if answer is None:
            self.tickets.leave_picture(ticket)
        return answer or make_response("", 204)

    def record(self, ticket: Ticket, token: str, player: Player | None) -> Response:
        house, before, hands_before = self.console.house, _place("before"), _place("hands")
        rounds, older = summaries(
            house.reader(), ticket.operator, ticket.bettor, ROUNDS_A_PAGE, before, len(house.tables)
        )
        first = before is None and hands_before is None
        spans = rakebacks(house, ticket) if first else {}
        hands, older_hands = hand_rows(house, ticket, hands_before) if before is None else ((), None)
        shown = {"rounds": rounds if hands_before is None else (), "older": older, "spans": spans}
        return self._shown(ticket, token, "play/record.html", **shown, hands=hands, older_hands=older_hands)

    def round(self, ticket: Ticket, token: str, player: Player | None, round: str) -> Response:
        house = self.console.house
        known = complaints_of(house.pit, ticket.operator, ticket.bettor)
        mine = [one for one in known if one.round == round]
        if (hand := hand_page(house, ticket, round, self.floor.own_key)) is not None:
            return self._shown(ticket, token, "play/hand.html", found=hand, face=face, signed=signed, complaints=mine)
        found = details(house.reader(), ticket.operator, ticket.bettor, round)
        if found is None:
            return self._over(ticket, "play.no_round", 404)
        return self._shown(
            ticket, token, "play/round.html", found=found, face=face, boxes=_as_on_the_felt(found), complaints=mine
        )

    def rules(self, ticket: Ticket, token: str, player: Player | None) -> Response:
        house, words = self.console.house, self._words(ticket)
        return self._shown(ticket, token, "play/rules.html", rules=rules_page(house, ticket, words))

    def guarded(self, act: Callable[..., Response]) -> Callable[..., Response]:
        """An address behind the ticket: known, not lapsed, not asked too often; its operator may frame it."""

        @wraps(act)
        def route(token: str, **named: str) -> Response:
            try:
                ticket = self.tickets.find(token)
                if ticket is None or not self._lets_in(ticket):
                    return self._framed(self._over(None, "play.over", 410), None)
                if not self.tickets.spend(ticket):
                    return self._framed(self._over(ticket, "play.slow", 429), ticket)
                bound, player = player_of(self.tickets, ticket)
                if request.method == "POST" and (player is None or not has_key(player)):
                    return self._framed(self._over(ticket, "play.elsewhere", 403), ticket)
                return self._framed(act(bound, token, player, **named), ticket)
            except StorageError:
                return self._framed(self._over(None, "play.away", 503), None)

        return route

    def _still(self, token: str) -> bool:
        return (ticket := self.tickets.look(token)) is not None and self._lets_in(ticket)

    def _lets_in(self, ticket: Ticket) -> bool:
        """A ticket may be older than the configuration: its operator and its table are asked for each time."""
        return self.console.house.operators.admits(ticket.operator) and ticket.table in self.console.house.tables

    def _shown(self, ticket: Ticket, token: str, template: str, **values: Any) -> Response:
        frame, sitting = self._frame(ticket, token), self.sittings.of(ticket)
        return make_response(self._draw(ticket, template, **values, **frame, sitting=sitting))

    def _over(self, ticket: Ticket | None, key: str, status: int) -> Response:
        if request.method == "POST" or (request.path.endswith(("/live", "/stream")) and not _wants_page()):
            return make_response({"refused": self._words(ticket).say(key)}, status)
        html = self._draw(ticket, "play/over.html", title=self.console.title, sentence=key)
        return make_response(html, status, {"Retry-After": "5"} if status in (429, 503) else {})

    def _frame(self, ticket: Ticket, token: str) -> Mapping[str, Any]:
        """What every page around a fragment needs."""
        return {
            "title": self.console.title,
            "address": f"/play/{token}",
            "video": video_of(self.console.house, ticket.table),
            "query": _language_asked(),
            "table": self.console.house.view(ticket.table),
            "now_ms": self.console.house.now_ms(),
            "expires_at_ms": ticket.expires_at_ms,
        }

    def _draw(self, ticket: Ticket | None, template: str, **values: Any) -> str:
        return self.console.artist.draw(template, self._words(ticket), None, **values)

    def _asked(self, ticket: Ticket) -> Asked:
        return Asked(self.console.house, ticket.table, None, self._words(ticket))

    def _words(self, ticket: Ticket | None) -> Language:
        wanted = (request.args.get("language", ""), ticket.language if ticket else "")
        return self.console.languages.choose(wanted)

    def _framed(self, response: Response, ticket: Ticket | None) -> Response:
        section = self.console.house.config.operators.get(ticket.operator) if ticket else None
        origins = " ".join(section.frames_from) if section else ""
        policy = CONTENT_POLICY.replace(_NOBODY, f"frame-ancestors {origins}") if origins else CONTENT_POLICY
        if ticket is not None and (video := video_of(self.console.house, ticket.table)):
            policy = policy.replace(_OURS, f"{_OURS} {video.origin}; media-src {video.origin}")
        response.headers["Content-Security-Policy"] = policy
        response.headers["Referrer-Policy"] = "no-referrer"
        return response


def _language_asked() -> str:
    """As a link hands it on."""
    asked = request.args.get("language", "")
    return f"?language={asked}" if asked in LANGUAGES else ""


def _wants_page() -> bool:
    return request.accept_mimetypes.best == "text/html"


def _place(name: str) -> int | None:
    """Where the next page of a list begins before, as its link says it."""
    text = request.args.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def _as_on_the_felt(found: Details) -> Sequence[str]:
    """The boxes that have open cards, as the game lays them out."""
    game = found.summary.course.game
    order = list(find_game(game).felt.boxes) if game else []
    return sorted(found.cards, key=lambda box: order.index(box) if box in order else len(order))


def routes(console: Console, tickets: Tickets, floor: OperatorsFloor) -> Blueprint:
    """`floor` takes bets and decisions, the operators' and those of a bettor on his own page alike."""
    found = Blueprint("play", __name__)
    desk = PlayDesk(console, tickets, floor, PictureRack(console.house), PlaySessions(floor))
    for path, act in (
        ("", desk.page), ("/live", desk.live), ("/stream", desk.stream), ("/record", desk.record),
        ("/picture", desk.picture), ("/rules", desk.rules), ("/check", desk.check),
        ("/record/<round>", desk.round),
    ):  # fmt: skip
        found.add_url_rule(f"/play/<token>{path}", act.__name__, desk.guarded(act))
    for path, act in (
        ("/bets", desk.bets), ("/decisions", desk.decisions), ("/ready", desk.ready), ("/last", desk.last),
        ("/seats", desk.seats), ("/goes-on", desk.goes_on), ("/leave", desk.leaves),
    ):  # fmt: skip
        found.add_url_rule(f"/play/<token>{path}", act.__name__, desk.guarded(act), methods=["POST"])
    return found
