"""The shapes a screen is drawn from. Words are keys of the language catalogue, never sentences.

Everything here may be shown to the public unless the field says otherwise; a sealed card is `face=None`. No shape knows
how it is filled.
"""

from studio.views.shape.bets import BetsView, ExposureView, GameView, OwnExposure, PayTableView, PotView
from studio.views.shape.device import ChangeStep, CountView, DeckView, DevicesView, DeviceView, MachineView, ShoeView
from studio.views.shape.felt import BoxView, CardView, VouchView
from studio.views.shape.incident import (
    AftermathView,
    CaseView,
    CorrectionView,
    IncidentsView,
    IncidentView,
    RequestView,
    RowView,
    SealedView,
    UnsealingView,
    WhereView,
)
from studio.views.shape.past import PastView, ResultView, RoadMark
from studio.views.shape.past_round import Change, Deal, PastRound, Picture, Reading, Ruled, Trouble
from studio.views.shape.procedure import FollowView, LayView, ProcedureView, RowWords, StepView
from studio.views.shape.room import BoardView, ChoiceView, PlayerView, PotShare, RoomView, signed
from studio.views.shape.table import NowView, RoundView, SeatView, TableView
from studio.views.shape.words import ButtonView, HindranceView, MessageView, Words

__all__ = [
    "AftermathView",
    "BetsView",
    "BoardView",
    "BoxView",
    "ButtonView",
    "CardView",
    "CaseView",
    "Change",
    "ChangeStep",
    "ChoiceView",
    "CorrectionView",
    "CountView",
    "Deal",
    "DeckView",
    "DeviceView",
    "DevicesView",
    "ExposureView",
    "FollowView",
    "GameView",
    "HindranceView",
    "IncidentView",
    "IncidentsView",
    "LayView",
    "MachineView",
    "MessageView",
    "NowView",
    "OwnExposure",
    "PastRound",
    "PastView",
    "PayTableView",
    "Picture",
    "PlayerView",
    "PotShare",
    "PotView",
    "ProcedureView",
    "Reading",
    "RequestView",
    "ResultView",
    "RoadMark",
    "RoomView",
    "RoundView",
    "RowView",
    "RowWords",
    "Ruled",
    "SealedView",
    "SeatView",
    "ShoeView",
    "StepView",
    "TableView",
    "Trouble",
    "UnsealingView",
    "VouchView",
    "WhereView",
    "Words",
    "signed",
]
