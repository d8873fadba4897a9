"""In figures what a correction does to the pot of its round, as the pot stands now."""

from __future__ import annotations

from dealer_ui.words.language import Language
from studio.journal import Reader
from studio.tables.correction.pot_claim import PotTold, pot_told
from studio.tables.correction.preview import WeighedCorrection
from studio.tables.event import table as e
from studio.tables.past.dossier import Dossier


def pot_lines(language: Language, reader: Reader, dossier: Dossier, weighed: WeighedCorrection) -> list[str]:
    """A sentence for each thing that happens to the pot; found again when the money moves."""
    told = pot_told(dossier, weighed.pot, weighed.revision, reader.balance)
    return [_line(language, one) for one in told]


def _line(language: Language, told: PotTold) -> str:
    def money(amount_minor: int) -> str:
        return language.money(amount_minor, told.currency)

    match told:
        case e.PotClaimedLate():
            return language.say(
                "correction.pot_won", pot=told.pot, bettors=language.number(told.sharers),
                share=money(told.share_minor), then=money(told.then_minor), now=money(told.pot_minor),
                out=money(told.from_pot_minor), house=money(told.made_up_minor), reset=money(told.reset_minor),
            )  # fmt: skip
        case e.PotClaimUndone():
            return language.say(
                "correction.pot_lost", pot=told.pot, now=money(told.pot_minor), back=money(told.to_pot_minor),
                house=money(told.made_up_minor), reset=money(told.reset_back_minor),
            )  # fmt: skip
        case e.PotTakenBack():
            return language.say(
                "correction.pot_unfed", pot=told.pot, amount=money(told.amount_minor), short=money(told.short_minor)
            )
