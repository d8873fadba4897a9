"""The web server, inside our own process: Waitress asks and answers, and gives the sockets of streams away."""
