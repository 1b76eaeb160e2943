"""Hypothesis for core: the same examples at every run, and no clock."""

from hypothesis import settings

settings.register_profile(
    "core", max_examples=50, deadline=None, derandomize=True, print_blob=False
)
settings.load_profile("core")
