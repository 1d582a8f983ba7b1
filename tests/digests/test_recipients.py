"""Addresses as programs see them, and wrong ones (rules/digests#recipients)."""

import pytest

from tallyroom.core.email_address import mask_address
from tallyroom.core.errors import ValidationFailed
from tallyroom.digests.recipients import check_recipients


@pytest.mark.parametrize(
    ("address", "masked"), [("ann@example.com", "a•••@example.com"), ("a@b.example", "a•••@b.example")]
)
def test_masks(address: str, masked: str) -> None:
    assert mask_address(address) == masked


def test_each_wrong_address_is_named() -> None:
    with pytest.raises(ValidationFailed) as refused:
        check_recipients(["a@example.com", "x", "A@Example.com"])
    assert [detail.path for detail in refused.value.details] == [["recipients", 1], ["recipients", 2]]
