"""What a table keeps beside its state: the bets of the open round, their exposure, snapshots, and commits.

A table believes an event only when `commit` has it on disk. This wing may use the journal; the wings below may not.
"""
