"""A simulated operator: a real HTTP server with balances of its own, which misbehaves when it is told to."""
