"""The ordinary course of a table: opening, dealing, declaring, closing; who deals; changes of game and limits."""
