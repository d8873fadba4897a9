"""Streams that cost no thread: what they tell, who is seated, and the thread that tells all of a lane."""
