"""Wallets of operators over HTTP: two dialects, and the line they are spoken on."""
