"""The README's example of core is run, and prints what the README says."""

import doctest
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"


def test_example():
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried == 3
    assert failed == 0
