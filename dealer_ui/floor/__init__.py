"""The floor: where consoles and operators meet the tables, and what each may ask of it.

Pages see it through `house`, the interface through `operators_floor`; both are narrower than the floor itself.
"""
