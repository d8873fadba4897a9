"""Who may bring bets from outside: operators, the digests of their keys, and how long each is good."""

from studio.operators.operator_event import OPERATOR_KINDS as OPERATOR_KINDS
from studio.operators.operator_event import AnyOperatorEvent as AnyOperatorEvent
from studio.operators.operator_event import read_operator as read_operator
from studio.operators.operator_event import write_operator as write_operator
from studio.operators.register import Operator as Operator
from studio.operators.register import OperatorRegister as OperatorRegister
from studio.operators.register import evolve_operators as evolve_operators
