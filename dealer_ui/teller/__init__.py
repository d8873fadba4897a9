"""Asks operators' wallets for stakes, tells them what rounds return, and operators of their rounds: beside the tables.

It knows tables by what a request asks of them, and the journal by the rows it commits; how a wallet is spoken to it
does not know.
"""
