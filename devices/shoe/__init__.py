"""Shoes: card sources that say which card came out, never where it belongs."""
