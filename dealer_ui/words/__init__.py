"""Words: keys become sentences of a language here, and times of the record become times of the studio's zone."""
