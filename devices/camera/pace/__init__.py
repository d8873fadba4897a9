"""Keeping up: how old the judged pictures are, who looks next when cores are few, and when people must know."""
