"""Who may do what: one table of actions by roles.

Coming and going takes none of these: badge and PIN open. A dealer alone can never void, override or approve: those
columns are empty for him, and two people (`studio.people.approval`) are always two persons. Operators, tables and
devices are set in the configuration, on the machine itself.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping

from studio.errors import InvariantError


class Role(enum.StrEnum):
    DEALER = "dealer"
    PIT_BOSS = "pit_boss"
    AUDITOR = "auditor"
    TECHNICIAN = "technician"
    ADMIN = "admin"


_TABLE = """
                        dealer  pit_boss  auditor  technician  admin

freeze                  yes     yes       yes      yes         yes
call_pit                yes     yes       yes      yes         yes
freeze_floor            -       yes       yes      yes         yes
hear_alarms             -       yes       -        -           yes

start_round             yes     yes       -        -           -
open_bets               yes     yes       -        -           -
close_bets              yes     yes       -        -           -
declare_result          yes     yes       -        -           -
confirm_felt            yes     yes       -        -           -
load_shoe               yes     yes       -        -           -
report_incident         yes     yes       -        yes         -
rule_dealer             yes     yes       -        -           -
ask_two_people          yes     yes       -        -           -

answer_call             -       yes       -        -           -
acknowledge_alarm       -       yes       -        -           -
tell_bettors            -       yes       -        -           -
answer_complaint        -       yes       -        -           -
rule_pit                -       yes       -        -           -
approve_two_people      -       yes       -        -           -
confirm_card            -       yes       -        -           -
void_round              -       yes       -        -           -
override_card           -       yes       -        -           -
override_result         -       yes       -        -           -
enter_card              -       yes       -        -           -
open_sealed_card        -       yes       -        -           -
resettle_round          -       yes       -        -           -
compensate              -       yes       -        -           -
close_owed              -       yes       -        -           -
release                 -       yes       -        -           -
open_table              -       yes       -        -           -
close_table             -       yes       -        -           -
pause_table             -       yes       -        -           -
change_shoe             -       yes       -        -           -
verify_deck             -       yes       -        -           -
change_dealer           -       yes       -        -           -
dismiss_seat            -       yes       -        -           -

view_dealer             yes     yes       -        -           -
view_pit                -       yes       yes      -           -
view_audit              -       yes       yes      -           yes
view_technician         -       yes       -        yes         yes
inspect_round           -       yes       yes      -           -
view_reports            -       yes       yes      -           yes
view_operators          -       yes       yes      -           yes
view_decks              -       yes       yes      -           yes
view_devices            -       yes       yes      yes         yes

manage_decks            -       yes       -        -           yes
witness_decks           yes     yes       yes      -           yes
approve_device          -       yes       -        yes         -
change_table            -       yes       -        -           -

manage_devices          -       -         -        yes         yes
command_device          -       yes       -        yes         -
allow_pay_table         -       -         -        -           yes
manage_staff            -       -         -        -           yes
view_staff              -       yes       yes      -           yes
end_sign_in             -       yes       -        -           yes
lift_lock_out           -       yes       -        -           yes
reset_second_factor     -       -         -        -           yes
witness_reset           -       yes       yes      -           yes
keep_shift              -       yes       -        -           -
view_shift              -       yes       yes      -           yes
take_table              yes     -         -        -           -
keep_break              yes     yes       -        -           -
plan_rotation           -       yes       -        -           -
stand_down              -       yes       -        -           yes
move_table              -       yes       -        -           -
move_pot                -       yes       -        -           -
witness_pot             -       yes       yes      -           yes
"""


def _read(table: str) -> dict[str, frozenset[Role]]:
    header, *lines = [line.split() for line in table.splitlines() if line.strip()]
    roles = [Role(name) for name in header]
    found: dict[str, frozenset[Role]] = {}
    for action, *cells in lines:
        if len(cells) != len(roles) or not set(cells) <= {"yes", "-"} or action in found:
            raise InvariantError(f"the line of '{action}' in the table of rights is not one cell a role")
        found[action] = frozenset(role for role, cell in zip(roles, cells, strict=True) if cell == "yes")
    return found


ACTIONS: Mapping[str, frozenset[Role]] = _read(_TABLE)
"""Every action there is, with the roles that may do it."""

TWO_PEOPLE_ACTIONS = frozenset({"override_card", "override_result", "enter_card", "open_sealed_card", "resettle_round"})
"""What one person may only ask for: another one, with pit rights, approves."""


def may(roles: str | Iterable[str], action: str) -> bool:
    """Whether one of these roles may do the action; an action that is not in the table is our own mistake."""
    if action not in ACTIONS:
        raise InvariantError(f"'{action}' is not in the table of rights")
    held = {roles} if isinstance(roles, str) else set(roles)
    return not ACTIONS[action].isdisjoint(held)
