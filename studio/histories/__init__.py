"""Hand histories: finished hands of the poker room, written down and read back, in PHH, as text and as plain values.

Nothing here knows a journal. Who asks for a hand out of the record goes through `studio.proof.telling.hand_replay`.
"""
