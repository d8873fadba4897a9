"""Who asks: the guard of every route, sessions by station, a PIN typed beside a form, and who was turned away."""
