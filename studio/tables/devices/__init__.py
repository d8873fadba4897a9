"""What technicians and pit bosses do about a table's devices: approve one, send it an order, service it.

Each act goes into the record before it goes to the device. The devices themselves are not reached from here.
"""
