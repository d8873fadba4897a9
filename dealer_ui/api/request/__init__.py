"""A request: what a route takes, asks, gives and refuses, how a body is read, and how an answer or an error leaves.

It knows the shapes of answers and no act: what a request comes to is done in the wings above.
"""
