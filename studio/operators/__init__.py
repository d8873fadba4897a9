"""Who may bring bets from outside: operators, the digests of their keys, what they lay down for their bettors and which
free bets they grant them."""

from studio.operators.bettor_book import BettorBook as BettorBook
from studio.operators.bettor_book import Standing as Standing
from studio.operators.bettor_event import BETTOR_KINDS as BETTOR_KINDS
from studio.operators.bettor_event import AnyBettorEvent as AnyBettorEvent
from studio.operators.bettor_event import BettorTerms as BettorTerms
from studio.operators.bettor_event import read_bettor as read_bettor
from studio.operators.bettor_event import write_bettor as write_bettor
from studio.operators.free_bet_book import FreeBetBook as FreeBetBook
from studio.operators.free_bet_book import Seat as Seat
from studio.operators.free_bet_event import FREE_BET_KINDS as FREE_BET_KINDS
from studio.operators.free_bet_event import FreeBetsCancelled as FreeBetsCancelled
from studio.operators.free_bet_event import FreeBetsGranted as FreeBetsGranted
from studio.operators.free_bet_event import read_free_bets as read_free_bets
from studio.operators.free_bet_event import write_free_bets as write_free_bets
from studio.operators.operator_event import OPERATOR_KINDS as OPERATOR_KINDS
from studio.operators.operator_event import AnyOperatorEvent as AnyOperatorEvent
from studio.operators.operator_event import read_operator as read_operator
from studio.operators.operator_event import write_operator as write_operator
from studio.operators.register import Operator as Operator
from studio.operators.register import OperatorRegister as OperatorRegister
from studio.operators.register import evolve_operators as evolve_operators
