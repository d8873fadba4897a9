"""Where pictures come from: network streams, capture devices, films, folders, and the simulated studio's own."""
