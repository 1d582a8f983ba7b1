"""Addresses as programs see them, and wrong ones (rules/digests#recipients)."""

import pytest

from tallyroom.core.email_address import masked_address
from tallyroom.core.errors import ValidationFailed
from tallyroom.digests.recipients import checked


@pytest.mark.parametrize(
    ("address", "masked"), [("ann@example.com", "a•••@example.com"), ("a@b.example", "a•••@b.example")]
)
def test_masks(address: str, masked: str) -> None:
    assert masked_address(address) == masked


def test_each_wrong_address_is_named() -> None:
    with pytest.raises(ValidationFailed) as refused:
        checked(["a@example.com", "x", "A@Example.com"])
    assert [detail.path for detail in refused.value.details] == [["recipients", 1], ["recipients", 2]]
