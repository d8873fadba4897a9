"""The felt as a screen draws it: zones become columns, plates and faces, and the next act gets the words of its game.

Plain data in and out; no request and no session is known here.
"""
