"""Every example in a docstring of core is run, one case a module."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import core

MODULES = sorted(module.name for module in pkgutil.iter_modules(core.__path__, "core."))
PUBLIC_FUNCTIONS = [
    name for name in core.__all__ if inspect.isfunction(inspect.unwrap(getattr(core, name)))
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_module(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


@pytest.mark.parametrize("name", PUBLIC_FUNCTIONS)
def test_public_function_shows_an_example(name):
    assert ">>> " in inspect.getdoc(getattr(core, name))


def test_public_names_are_sorted_and_exist():
    # Constants, then classes, then functions: the order ruff keeps too.
    order = sorted(core.__all__, key=lambda name: (not name.isupper(), name[0].islower(), name))
    assert core.__all__ == order
    assert all(hasattr(core, name) for name in core.__all__)
