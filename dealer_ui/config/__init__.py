"""A studio's configuration file: its shape, where a mistake stands in it, and what fits what."""
