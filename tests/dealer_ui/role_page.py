"""The printed page of who gets through which door: every route, command and act, written by hand.

`test_role_matrix.py` holds the running house against it. A route without a line here fails: add one.

D dealer · P pit boss · A auditor · T technician · X admin: these get in, all other staff is refused (403), nobody is
sent to the sign-in (or gets 401). `all`: no sign-in is asked for. `key`: an operator's key, and no badge, opens it.
`own`: it has a key of its own.
"""

from __future__ import annotations

ROUTES = """
GET  /                                          DPATX
GET  /whoami                                    DPATX
GET  /beat                                      DPATX
GET  /sign-in                                   all
POST /sign-in                                   all
POST /sign-in/code                              all
POST /sign-in/passkey                           all
POST /sign-in/pin                               all
POST /violations                                all
POST /sign-out                                  DPATX
GET  /second-factor                             DPATX
POST /second-factor                             DPATX
GET  /pin                                       DPATX
POST /pin                                       DPATX
GET  /sign-ins                                  DPATX
POST /sign-ins                                  DPATX
GET  /static/<path:filename>                    all
GET  /metrics                                   own
GET  /display/<table>                           all
GET  /dealer/<table>                            DP
GET  /pit                                       PA
GET  /pit/<table>                               PA
GET  /pit/<table>/round/<round>                 PA
GET  /pit/<table>/round/<round>/correct         DP
POST /pit/<table>/round/<round>/correct         DP
GET  /pit/<table>/correction                    DPA
POST /pit/<table>/correction                    DP
GET  /pit/<table>/round/<round>/sealed          DP
POST /pit/<table>/round/<round>/sealed          DP
GET  /pit/<table>/sealed                        DPA
POST /pit/<table>/sealed                        DP
GET  /pit/<table>/game                          P
POST /pit/<table>/game                          P
GET  /pit/complaints                            PA
GET  /pit/wallets                               PA
GET  /pit/pots                                  PA
POST /pit/pots                                  P
GET  /operators                                 PAX
GET  /shift                                     PAX
POST /shift                                     P
POST /break                                     DP
GET  /dealer/<table>/relief                     all
POST /dealer/<table>/relief                     all
GET  /devices                                   PATX
GET  /procedure                                 DPATX
GET  /procedure/<kind>                          DPATX
GET  /staff                                     PAX
GET  /staff/<id>                                PAX
GET  /staff/<id>/code                           X
POST /staff                                     PX
GET  /audit                                     PAX
GET  /audit/state                               PAX
POST /audit/verify                              PAX
GET  /pit/pictures                              PA
POST /pit/act                                   DPATX
GET  /decks                                     PAX
POST /decks                                     PX
GET  /decks/<deck>                              PAX
GET  /pit/<table>/game                          P
POST /pit/<table>/game                          P
GET  /devices                                   PATX
GET  /devices/<table>/<role>                    PATX
GET  /reports                                   PAX
GET  /reports/<kind>                            PAX
GET  /reports/<kind>/<sheet>.csv                PAX
GET  /reports/foot.css                          PAX
GET  /evidence/<digest>                         DPATX
GET  /table/<table>/camera.jpg                  PATX
POST /table/<table>/command                     DPATX
GET  /technician                                PTX
GET  /technician/<table>/<role>                 PTX
GET  /technician/<table>/<role>/talk            PTX
GET  /technician/<table>/camera.jpg             PTX
GET  /technician/<table>/<role>/capture         TX
GET  /technician/<table>/camera/calibrate       TX
GET  /technician/<table>/camera/explained.jpg   TX
POST /technician/<table>/<role>/test            TX
POST /technician/<table>/<role>/order           PT
POST /technician/<table>/<role>/record          TX
POST /technician/<table>/<role>/replay          TX
POST /technician/<table>/camera/markers         TX
POST /technician/<table>/camera/propose         TX
POST /technician/<table>/camera/save            TX
GET  /play/<token>                              all
GET  /play/<token>/check                        all
GET  /play/<token>/live                         all
GET  /play/<token>/picture                      all
GET  /play/<token>/record                       all
GET  /play/<token>/record/<round>               all
GET  /play/<token>/rules                        all
GET  /play/<token>/stream                       all
POST /play/<token>/bets                         all
POST /play/<token>/decisions                    all
POST /play/<token>/goes-on                      all
POST /play/<token>/last                         all
POST /play/<token>/leave                        all
POST /play/<token>/ready                        all
POST /play/<token>/seats                        all
GET  /api/v1/openapi.json                       all
GET  /api/v1/docs                               all
GET  /api/v1/rounds                             key
GET  /api/v1/rounds/<round>                     key
GET  /api/v1/rounds/<round>/bets                key
GET  /api/v1/limits                              key
GET  /api/v1/bets/<client_id>                   key
GET  /api/v1/bets/<client_id>/<bet>             key
GET  /api/v1/bettors/<bettor>/standing          key
POST /api/v1/bettors/<bettor>/blocked           key
DELETE /api/v1/bettors/<bettor>/blocked         key
POST /api/v1/bettors/<bettor>/logout            key
GET  /api/v1/bettors/<bettor>/balance           key
GET  /api/v1/bettors/<bettor>/bets              key
GET  /api/v1/bettors/<bettor>/free-bets         key
POST /api/v1/bettors/<bettor>/free-bets         key
DELETE /api/v1/bettors/<bettor>/free-bets/<client_id> key
POST /api/v1/bettors/<bettor>/deposits          key
POST /api/v1/bettors/<bettor>/pages             key
DELETE /api/v1/bettors/<bettor>/pages           key
GET  /api/v1/bettors/<bettor>/hands             key
GET  /api/v1/bettors/<bettor>/hands/<round>     key
GET  /api/v1/bettors/<bettor>/rakeback          key
GET  /api/v1/bettors/<bettor>/record            key
GET  /api/v1/bettors/<bettor>/record/<round>    key
POST /api/v1/bettors/<bettor>/withdrawals       key
GET  /api/v1/bettors/<bettor>/complaints        key
POST /api/v1/bettors/<bettor>/complaints        key
GET  /api/v1/complaints/<client_id>             key
GET  /api/v1/movements                          key
GET  /api/v1/movements/<movement>               key
GET  /api/v1/movements/by-client-id/<client_id>  key
GET  /api/v1/movements/by-transaction/<round>/<transaction>  key
GET  /api/v1/statements/<day>                   key
GET  /api/v1/tables                             key
GET  /api/v1/tables/<table>                     key
POST /api/v1/tables/<table>/bets                key
POST /api/v1/tables/<table>/decisions           key
GET  /api/v1/tables/<table>/results             key
POST /api/v1/tables/<table>/ready               key
POST /api/v1/tables/<table>/seats               key
GET  /api/v1/tables/<table>/seats/<bettor>      key
GET  /api/v1/tables/<table>/seats/<bettor>/stream key
GET  /api/v1/tables/<table>/stream              key
"""
STREAMS = {"dealer": "DP", "pit": "PA", "pit_table": "PA", "complaints": "PA", "wallets": "PA", "correction": "DPA",
           "sealed": "DPA", "display": "all", "technician": "PTX",
           "technician-shoe": "PTX", "technician-shuffler": "PTX", "technician-camera": "PTX"}  # fmt: skip
"""The live streams, all behind `/stream/<name>/<table>`, and single views of them behind `/view/<name>/<table>`."""

ASKED = """
open_table P · close_table P · pause_table P · resume_table P · change_dealer P · answer_call P · release_table P
approve_ruling P · decline_ruling P · withdraw_shoe P · verify_deck P · decide_compensation P · allow_pay_table X
start_count P · type_count P · end_count DP · approve_device PT · dismiss_seat P
start_round DP · open_betting DP · close_betting DP · declare_result DP · confirm_felt_clear DP · load_shoe DP
shuffle_stub DP
start_count P · type_count P · end_count DP · approve_device PT
take_table D · decline_relief P · plan_rotation P · rule_incident DP · override_card DP · report_incident DPT
void_round P
freeze_table DPATX · call_pit DPATX
"""
"""The commands of a table, all behind `/table/<table>/command`."""

FLOOR_ACTS = """
acknowledge_alarm P · release_floor P · tell_bettors P · end_message P · answer_complaint P · close_owed P
drain_host P · return_host P · send_table P · keep_table P
freeze_floor PATX
"""
"""What is done for the whole floor, behind `/pit/act`."""
