"""Certificates: what was proved of one pay table and by which code, as a record to keep and a page to print.

Those of the house games ship with the program, in `shipped`. They are written anew by `make certificates`.
"""
