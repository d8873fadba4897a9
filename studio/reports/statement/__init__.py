"""What an operator is told of a day, movement by movement, by the ids he gave; and his books held against ours."""
