"""The dealer's console: the next act, the felt as it stands, one big button."""
