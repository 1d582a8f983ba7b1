"""`import tallyroom` is the server; who looks there for the client reads what to install."""

import importlib

import pytest

import tallyroom


@pytest.mark.parametrize("name", ["Tallyroom", "Client", "track"])
def test_the_server_package_names_the_client(name: str) -> None:
    with pytest.raises(ImportError, match="install tallyroom-client, import tallyroom_client"):
        getattr(tallyroom, name)
    with pytest.raises(ImportError, match="tallyroom is the server"):
        exec(f"from tallyroom import {name}")


def test_any_other_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'other'"):
        importlib.import_module("tallyroom").other  # noqa: B018 # reading it is the test
