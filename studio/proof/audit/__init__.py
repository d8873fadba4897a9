"""The audit behind `verify`: both chains, and then every fact once more against what was recorded.

Each file holds one kind of fact and yields what is wrong with it. Nothing here mends or writes anything.
"""
