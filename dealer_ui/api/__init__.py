"""The operators' interface: what bettors' systems ask of the studio, in JSON (docs/operators-interface.md).

`door` is where it is entered and `routes` lists every address; the wings behind them say what a request is, what an
answer is made of, and what a table, a bettor and an account have to tell.
"""
