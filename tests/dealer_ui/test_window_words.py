"""What every audience reads of bets and decisions follows the window that operators are told of, at every game."""

from __future__ import annotations

import pytest

from dealer_ui.api.table.state import table_line
from dealer_ui.felt.act import act_of, phase_word
from dealer_ui.public.headline import headline_of
from dealer_ui.public.room import room_show
from dealer_ui.rehearsal.night import Night, NightOptions
from dealer_ui.words.language import Languages
from studio.games import GAMES

ENGLISH = Languages().speak("en")


@pytest.mark.parametrize("game", [game.key for game in GAMES])
def test_nobody_is_asked_to_bet_or_to_decide_before_the_window_is_open(game: str) -> None:
    night = Night(NightOptions(game, 7))
    seen = set()
    while night.state.round is None or not night.state.round.over:
        night.step()
        view = night.view()
        line, headline = table_line(view), headline_of(view)
        room = room_show(view, headline)
        public = ENGLISH.words(room.headline) if room is not None else ENGLISH.say(headline)
        pit = ENGLISH.say(f"phase.{phase_word(view)}")
        takes_bets = bool(line["window"]["open"])
        assert (public == "Place your bets") is takes_bets, view.now.act
        assert (pit == "Bets open") is takes_bets, view.now.act
        assert (ENGLISH.words(act_of(view)) == "Bets are open") is takes_bets, view.now.act
        if view.now.act.key in ("act.open_bets", "act.open_decisions"):
            assert (public.partition(" ")[2], pit.partition(" ")[0]) == ("open in a moment", "Before"), view.now.act
        seen.add(public)
        assert room is not None or ENGLISH.knows(headline), headline
    night.close()
    assert ({"Bets open in a moment", "Place your bets"} <= seen) is (room is None)
