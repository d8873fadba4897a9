"""What an amount of money, an account, a transfer and an offered bet are.

Amounts are integers in minor units of a currency named beside them. A transfer takes from `debit` and gives to
`credit`, so money can neither appear nor vanish. An account holds one currency. Where money lies:

    operator:<operator>  ⇄  bettor:<operator>:<bettor>  →  escrow:<round>  →  house:<table>  →  bettor:…
         deposit, withdraw                          reserve            post              return

A `void` goes from the escrow back to the bettor. `reverse_post` and `reverse_return` undo under a new revision: in a
correction, or while the round still goes on, where a bet was paid before its end.

    house:pot/<key>  →  pot:<key>  ←  house:<table>        seed, reset; feed (a round's contribution), unfeed (its way
                            ↓                              back when the round is void)
                     prize:<round>  →  bettor:…            claim (the pot is won), leftover (back); share

    pot:<key>  →  pot:<another>        pot_move: all that lies in a pot which no table feeds any more

A correction takes a win back: `reverse_share`, then `unclaim` into the pot and `unreset` out of it; or has the round
win after all: a `claim`, and from `house:pot/<key>` a `make_up` of what the pot lacks, undone by `make_up_back`.

    receivable:<operator>:<bettor>  ⇄  bettor:…  ←  house:write_off/<operator>     advance, repay; write_off

    bettor:<operator>:<bettor>  ⇄  bettor:<operator>:<bettor>/<table>          buy_in, cash_out

At a table of the poker room a bettor's chips are a purse of his own that only the table moves; their `round` is
`room:<table>`.

    operator:…  ⇄  bettor:<operator>:<bettor>      wallet_debit; wallet_credit, wallet_compensate, wallet_cancel
                ⇄  suspense:<operator>             suspend; clear
                →  receivable:<operator>:<bettor>  wallet_recover

Where an operator keeps his bettors' money himself, his wallet is asked for each stake: `wallet_debit` when it has said
yes and the bet stands, `suspend` when it may have taken a stake that does not. What a round gives a bettor lies in his
purse until his wallet has been told of it. Those rows bear the id that both sides know the movement by.

    promotion:<operator>:<bettor>  ⇄  promotion:<operator>:<bettor>/<grant>  ⇄  escrow:<round>     grant, ungrant
                                                            ↖  house:<table>                      free_return

The stake of a free bet is its operator's: it is reserved from the grant and goes back there when it comes back whole.
Of a return the bettor gets what is more than the stake; the stake goes back to his operator's promotion, and
`reverse_free_return` undoes that. The first of these accounts is below zero by what a bettor's free bets have cost.

What a correction takes back and a purse does not cover is advanced from the bettor's receivable, which is then below
zero by what he owes, or written off, as the operator's policy says. A later deposit or correction repays it.
Between two currencies lies `house:exchange/<one>/<other>`: an `exchange` brings the one in, and what follows takes the
other out; `exchange_back` undoes it. A `compensate` goes from the house to the bettor of a round that was voided. Only
house, operator, promotion and receivable accounts may be below zero, and a bettor's under the policy `allow_negative`.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

import msgspec

from studio.errors import BadInputError, RefusedError
from studio.written_number import read_fraction

KINDS: Final = (
    "deposit", "withdraw", "reserve", "post", "return", "void", "reverse_post", "reverse_return",
    "seed", "feed", "unfeed", "claim", "reset", "leftover", "share", "compensate", "exchange", "exchange_back", "carry",
    "advance", "repay", "write_off", "reverse_share", "unclaim", "unreset", "make_up", "make_up_back", "pot_move",
    "buy_in", "cash_out", "grant", "ungrant", "free_return", "reverse_free_return",
    "wallet_debit", "wallet_credit", "wallet_compensate", "wallet_cancel", "wallet_recover", "suspend", "clear",
)  # fmt: skip
"""Every kind of transfer there is."""

CARRIED_ACCOUNT: Final = "house:carried"
"""Through it balances come from an archive into the database that follows; then it is empty again."""

AMOUNT_MINOR_MAX: Final = 10**15
"""No single amount is larger; a balance of thousands of them still fits SQLite's 64 bits."""

_WITHOUT_DECIMALS: Final = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
_WITH_THREE_DECIMALS: Final = "BHD IQD JOD KWD LYD OMR TND"
_AMOUNT: Final = re.compile(r"([0-9]{1,16})(?:\.([0-9]{1,4}))?")


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    """What one unit of each currency was worth on a day, in one and the same currency, as exact decimals.

    >>> rates = Rates(date="2026-01-31", worth={"EUR": "1", "JPY": "0.0061"})
    >>> rates.convert(10_000, "EUR", "JPY"), rates.convert(16_393, "JPY", "EUR")
    (16393, 9999)
    """

    date: str
    worth: dict[str, str]

    def convert(self, amount_minor: int, source: str, target: str) -> int:
        """The same worth in another currency, in its minor units, rounded down."""
        if source == target:
            return amount_minor
        ratio = self.worth_of(source) / self.worth_of(target)
        return amount_minor * ratio.numerator // ratio.denominator

    def worth_of(self, currency: str) -> Fraction:
        """What one minor unit of this currency is worth, as an exact fraction; `BadInputError` where there is
        no rate.
        """
        if currency not in self.worth:
            raise BadInputError(f"There is no rate for {currency}: write one in the configuration.")
        return read_fraction(self.worth[currency]) * Fraction(1, 10 ** decimals(currency))


def convert_minor(amount_minor: int, source: str, target: str, rates: Rates | None) -> int:
    """The same worth in another currency; without rates there is only one currency."""
    if source == target or rates is None:
        return amount_minor
    return rates.convert(amount_minor, source, target)


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """One movement of money; unique by round, bet, kind and revision.

    A deposit or withdrawal has no round and carries the operator's client id in `bet`. The seed of a pot has the
    pot's account for its round, so that there is one only; of what else moves in a pot, `bet` is the pot's key.
    """

    round: str
    bet: str
    kind: str
    debit: str
    credit: str
    amount_minor: int
    currency: str
    revision: int = 0


class Offer(msgspec.Struct, frozen=True, gc=False):
    """A bet a bettor wants to place; `client_id` is the operator's own and makes a retry harmless.

    `beside` is the client id of the offer, earlier in the batch, that this one stands or falls with: a bet the house
    places by itself. Either the purse covers both or neither stands. `needs` is the bet key of which an earlier offer
    of the batch, of the same bettor, must have been accepted. `worth_minor`: what the stake is worth in the table's own
    currency, where it is another. `taken` is the id under which the bettor's own wallet has given the stake already.
    `free`: the grant of free bets that the stake comes from; empty where it is the bettor's own money.
    `outside`: the bettor's own wallet pays, for what his purse here holds is owed to it; nothing but `taken` does.
    """

    bet_id: str
    operator: str
    client_id: str
    bettor: str
    table: str
    round: str
    bet: str
    stake_minor: int
    currency: str
    free: str = ""
    beside: str = ""
    needs: str = ""
    worth_minor: int | None = None
    taken: str = ""
    outside: bool = False

    @property
    def source(self) -> str:
        """The account that the stake comes from."""
        return stake_account(self.operator, self.bettor, self.free)


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What became of one offer. `status`: accepted duplicate refused; `key` and `sentence` say why it was refused."""

    client_id: str
    bet_id: str
    status: str
    key: str = ""
    sentence: str = ""


def answer_of(refused: RefusedError, client_id: str, bet_id: str = "") -> Answer:
    """What a refusal answers; what was done before is a duplicate."""
    status = "duplicate" if refused.key == "duplicate" else "refused"
    return Answer(client_id, bet_id, status, refused.key, refused.sentence)


def sent_again(sent: Offer, earlier: Offer) -> Answer:
    """The answer to a bet under an id that names one already: it is that bet, or the id was used twice.

    It is the same bet whatever round it is sent in: whoever had no answer sends again, however late.
    """
    if _what(sent) == _what(earlier):
        return Answer(sent.client_id, earlier.bet_id, "duplicate")
    sentence = f"The id {sent.client_id} already names another bet; give each bet an id of its own."
    return Answer(sent.client_id, sent.bet_id, "refused", "client_id_reused", sentence)


def _what(bet: Offer) -> tuple[str, str, str, str, int, str, str]:
    return bet.operator, bet.bettor, bet.table, bet.bet, bet.stake_minor, bet.currency, bet.free


def beside_id(id: str, bet: str) -> str:
    """The id of the bet that the house places beside the one of this id; no operator can make such an id.

    >>> beside_id("n-1001", "blind")
    'n-1001/blind'
    """
    return f"{id}/{bet}"


def taking(offer: Offer) -> Transfer:
    """The bettor's own wallet has given the stake; of a free bet it is the operator's promotion that gave it."""
    account = taken_account(offer)
    return Transfer(
        offer.round, offer.taken, "wallet_debit", operator_account(offer.operator), account, offer.stake_minor,
        offer.currency,
    )  # fmt: skip


def taken_account(offer: Offer) -> str:
    """The account that a stake of the bettor's own wallet comes into."""
    account = promotion_account if offer.free else bettor_account
    return account(offer.operator, offer.bettor)


def operator_account(operator: str) -> str:
    return f"operator:{_name(operator)}"


@lru_cache(maxsize=16_384)
def bettor_account(operator: str, bettor: str) -> str:
    """
    >>> bettor_account("north", "ann")
    'bettor:north:ann'
    """
    return f"bettor:{_name(operator)}:{bettor}"


def promotion_account(operator: str, bettor: str) -> str:
    """Where an operator's free bets for this bettor come from; below zero by what they have cost him."""
    return f"promotion:{_name(operator)}:{bettor}"


def grant_account(operator: str, bettor: str, grant: str) -> str:
    """What is left of one grant of free bets: `promotion:north:ann/welcome`."""
    return f"{promotion_account(operator, bettor)}/{grant}"


def promotion_round(operator: str) -> str:
    """What stands for a round where free bets are granted and taken back; there `bet` is the id of the grant."""
    return f"promotion:{_name(operator)}"


def stake_account(operator: str, bettor: str, free: str) -> str:
    """Where a stake comes from: the bettor's purse, or the grant of free bets of that id."""
    return grant_account(operator, bettor, free) if free else bettor_account(operator, bettor)


def is_promotion(account: str) -> bool:
    return account.startswith("promotion:")


def grant_of(account: str) -> str:
    """The grant of free bets that this account is of; empty for every other account."""
    return account.partition("/")[2] if is_promotion(account) else ""


def purse_account(account: str) -> str:
    """Whose purse gets what is won on a stake from this account: his own, also where the stake was free.

    >>> purse_account("promotion:north:ann/welcome"), purse_account("bettor:north:ann")
    ('bettor:north:ann', 'bettor:north:ann')
    """
    return f"bettor:{account.partition('/')[0].removeprefix('promotion:')}" if is_promotion(account) else account


def receivable_account(account: str) -> str:
    """Where it stands what a bettor owes, by his own account; never above zero.

    >>> receivable_account("bettor:north:ann")
    'receivable:north:ann'
    """
    return f"receivable:{account.removeprefix('bettor:')}"


def write_off_account(operator: str) -> str:
    """What the house could not take back from an operator's bettors and does not ask for. No table can be called so."""
    return f"house:write_off/{operator}"


def operator_of(account: str) -> str:
    """
    >>> operator_of("bettor:north:ann:2")
    'north'
    """
    return account.split(":", 2)[1]


def suspense_account(operator: str) -> str:
    """What an operator's wallet may have taken for stakes that are not in play, until it has been told to undo it."""
    return f"suspense:{_name(operator)}"


def free_suspense_account(operator: str) -> str:
    """The same of free stakes, which are no money in the wallet but of the operator's promotion."""
    return f"{suspense_account(operator)}/free"


def is_of_free_bets(account: str) -> bool:
    """Whether what lies there is an operator's promotion, and no bettor's money."""
    return is_promotion(account) or (account.startswith("suspense:") and account.endswith("/free"))


def escrow_account(round: str) -> str:
    return f"escrow:{round}"


def house_account(table: str) -> str:
    return f"house:{table}"


def pot_account(pot: str) -> str:
    return f"pot:{pot}"


def pot_house_account(pot: str) -> str:
    """The house's own purse for one pot: what it was seeded and reset with, and what was made up for a pot that was won
    late. No table can be called so.
    """
    return f"house:pot/{pot}"


def prize_account(round: str) -> str:
    return f"prize:{round}"


def exchange_account(one: str, other: str) -> str:
    """Where two currencies meet; its two balances say what the house has changed of each.

    >>> exchange_account("USD", "EUR")
    'house:exchange/EUR/USD'
    """
    return f"house:exchange/{'/'.join(sorted((one, other)))}"


def is_of_one_currency(account: str) -> bool:
    """A bettor and a pot are kept in one currency; the others in as many as bettors bring, each by itself."""
    return account.startswith(("bettor:", "pot:"))


def may_go_below_zero(account: str) -> bool:
    """The house and the operators may owe, and a receivable is what somebody owes. A promotion is its operator's."""
    return account.startswith(("house:", "operator:", "receivable:", "promotion:"))


def format_minor(amount_minor: int, currency: str) -> str:
    """
    >>> format_minor(-1205, "EUR"), format_minor(1205, "JPY")
    ('-12.05 EUR', '1205 JPY')
    """
    digits = decimals(currency)
    whole, part = divmod(abs(amount_minor), 10**digits)
    sign = "-" if amount_minor < 0 else ""
    return f"{sign}{whole}.{part:0{digits}d} {currency}" if digits else f"{sign}{whole} {currency}"


def parse_amount(text: str, currency: str) -> int:
    """Read `12`, `12.5` or `12.05 EUR` into minor units; `BadInputError` says what to write instead.

    A comma is refused, not guessed at: it may part thousands or cents.

    >>> parse_amount("12.05", "EUR")
    1205
    """
    digits = decimals(currency)
    example = format_minor(1250 * 10 ** max(digits - 2, 0), currency).removesuffix(f" {currency}")
    found = _AMOUNT.fullmatch(text.strip().removesuffix(currency).rstrip())
    if found is None:
        raise BadInputError(f"'{text}' is not an amount: write digits, with a point before the cents, as in {example}.")
    whole, part = found[1], found[2] or ""
    if len(part) > digits:
        raise BadInputError(f"'{text}' has too many decimals for {currency}: write it as in {example}.")
    amount_minor = int(whole + part.ljust(digits, "0"))
    if amount_minor > AMOUNT_MINOR_MAX:
        raise BadInputError(f"'{text}' is too large: the most is {format_minor(AMOUNT_MINOR_MAX, currency)}.")
    return amount_minor


def decimals(currency: str) -> int:
    """How many digits of a currency's amounts stand behind the point.

    >>> decimals("EUR"), decimals("JPY"), decimals("KWD")
    (2, 0, 3)
    """
    if not (len(currency) == 3 and currency.isascii() and currency.isupper() and currency.isalpha()):
        raise BadInputError(f"'{currency}' is not a currency: write its three letters in capitals, as in EUR.")
    if currency in _WITHOUT_DECIMALS:
        return 0
    return 3 if currency in _WITH_THREE_DECIMALS else 2


def _name(operator: str) -> str:
    if not operator or ":" in operator:
        raise BadInputError(f"'{operator}' cannot name an operator: use at least one letter and no colon.")
    return operator
