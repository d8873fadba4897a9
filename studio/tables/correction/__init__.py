"""A settled round put right by two people: the request, the preview, the pot, and paying the difference.

The preview is computed from facts as they read now and is the very thing that is approved. Unsealing is here as well.
"""
