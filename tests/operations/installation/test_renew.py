"""What was restored is an installation of its own."""

from pathlib import Path

import pytest

from operations.installation.conftest import copied, remove
from tallyroom.operations.installation.inspection import inspect_installation
from tallyroom.operations.installation.refusal import IncompleteInstallation, refuse_incomplete
from tallyroom.operations.installation.renew import renew_installation


@pytest.mark.long
def test_all_three_get_one_new_id(ran: Path, data: Path) -> None:
    renew_installation(data, lambda count: b"\x07" * count)
    found = inspect_installation(data, must_check_damage=False)
    assert {part.stamp for part in found.parts if part.stamp} == {found.metadata.stamp}
    assert found.metadata.stamp
    assert (found.metadata.stamp.installation, found.metadata.stamp.epoch) == ("07" * 16, 1)
    refuse_incomplete(data, is_key_given=False)
    remove(data / "spool.sqlite")
    copied(ran / "late" / "spool.sqlite", data / "spool.sqlite")
    with pytest.raises(IncompleteInstallation, match="belongs to a different installation"):
        refuse_incomplete(data, is_key_given=False)


def test_what_an_older_version_saved_gets_its_id_from_the_first_start(old_data: Path) -> None:
    renew_installation(old_data, bytes)
    assert [part.stamp for part in inspect_installation(old_data, must_check_damage=False).parts] == [None, None, None]
    refuse_incomplete(old_data, is_key_given=False)
