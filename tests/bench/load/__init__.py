"""Load: what the server does under a class, and under a school."""
