"""Simulated players of the poker room: what one sees, what it is worth, and what each temperament makes of it."""

from dealer_ui.rehearsal.poker.crowd import PlayerCrowd, PlayersPlan
from dealer_ui.rehearsal.poker.guests import Guests
from dealer_ui.rehearsal.poker.sight import PlayerSight
from dealer_ui.rehearsal.poker.temperament import TEMPERAMENTS, Choice, Temperament, choose

__all__ = ["TEMPERAMENTS", "Choice", "Guests", "PlayerCrowd", "PlayerSight", "PlayersPlan", "Temperament", "choose"]
