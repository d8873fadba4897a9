"""The pages, one folder for each of their readers.

No page imports another; what two of them need stands a floor below.
"""
