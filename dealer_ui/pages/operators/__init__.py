"""The page of operators: what each has credited his bettors with, and what its bets could cost the house."""
