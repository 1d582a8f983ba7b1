"""Each role includes the ones before it (rules/people#roles)."""

from itertools import product

import pytest

from tallyroom.auth.roles import Role

ORDER = [Role.VIEWER, Role.DEVELOPER, Role.ADMIN, Role.OWNER]


@pytest.mark.parametrize(("mine", "least"), list(product(range(4), range(4))))
def test_a_role_includes_the_lower_ones(mine: int, least: int) -> None:
    assert ORDER[mine].at_least(ORDER[least]) is (mine >= least)


def test_there_are_four_roles() -> None:
    assert list(Role) == ORDER
