"""The rows themselves, a file for each printed page: what is done about which incident.

A row is data. It knows conditions and no table.
"""
