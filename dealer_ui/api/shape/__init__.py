"""What the interface answers, as types, one file a thing; `field` has the kinds of value they are made of.

An answer is built as one of these types, and the document tells of the same ones. They know no request and no table.
"""
