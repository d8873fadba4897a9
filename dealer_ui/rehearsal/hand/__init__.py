"""A simulated dealer's hands: laying, taking up and putting right what lies on the felt and in the machines."""
