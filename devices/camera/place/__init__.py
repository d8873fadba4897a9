"""The life of each place on the felt: empty, covered by a hand, a card face down, a card read, a fan, a card gone.

`felt_watch` puts the places together into news; who carries the news away does not matter here.
"""
