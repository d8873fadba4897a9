"""The operators' interface: what bettors' systems ask of the studio, in JSON (docs/operators-interface.md)."""

from dealer_ui.api.door import blueprint
from dealer_ui.api.key import OperatorKeys, digest_of_key
from dealer_ui.api.order import BetOffer
from dealer_ui.api.port import OperatorsFloor, StreamGate

__all__ = ["BetOffer", "OperatorKeys", "OperatorsFloor", "StreamGate", "blueprint", "digest_of_key"]
