"""The README's examples of core are run, and print what the README says."""

import doctest
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"


def test_example():
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried == 8
    assert failed == 0
