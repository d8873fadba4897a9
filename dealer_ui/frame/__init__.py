"""What every page shares: live screens and their streams, the form that becomes a command, the menu."""
