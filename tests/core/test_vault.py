"""What it encrypts opens by its keys alone, and the key file is there once and for its owner."""

import stat
from functools import partial
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from tallyroom.core.data_directory import KEY_FILE, DataDirectoryUnusable
from tallyroom.core.vault import SecretUnreadable, Vault, check_key_file, open_vault

SECRET = "whs_grüße and a space"


def key() -> str:
    return Fernet.generate_key().decode()


def test_a_secret_comes_back_and_is_not_seen_in_between() -> None:
    vault = Vault([key()])
    stored = vault.encrypt(SECRET)
    assert SECRET not in stored
    assert vault.decrypt(stored) == SECRET
    assert vault.encrypt(SECRET) != stored


def test_the_first_key_encrypts_and_each_decrypts() -> None:
    old, new = key(), key()
    stored = Vault([old]).encrypt(SECRET)
    both = Vault([new, old])
    assert both.decrypt(stored) == SECRET
    assert Vault([new]).decrypt(both.encrypt(SECRET)) == SECRET


@pytest.mark.parametrize("stored", [Vault([key()]).encrypt(SECRET), "", "x", "gAAAAA=="])
def test_what_no_key_opens_is_told_in_a_sentence(stored: str) -> None:
    with pytest.raises(SecretUnreadable, match="TALLYROOM_SECRET_KEY") as refused:
        Vault([key()]).decrypt(stored)
    assert (refused.value.status, refused.value.headers["retry-after"]) == (503, "5")


def test_a_changed_secret_does_not_open() -> None:
    vault = Vault([key()])
    stored = vault.encrypt(SECRET)
    other = "A" if stored[60] != "A" else "B"
    with pytest.raises(SecretUnreadable):
        vault.decrypt(stored[:60] + other + stored[61:])


def test_the_key_file_is_made_once_for_its_owner(tmp_path: Path) -> None:
    (tmp_path / f"{KEY_FILE}.new").write_text("half of one that a crash left")
    stored = open_vault([], tmp_path).encrypt(SECRET)
    content = (tmp_path / KEY_FILE).read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == [KEY_FILE]
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
    assert open_vault([], tmp_path).decrypt(stored) == SECRET
    assert (tmp_path / KEY_FILE).read_bytes() == content


def test_the_setting_is_taken_without_a_file(tmp_path: Path) -> None:
    keys = [key()]
    stored = open_vault(keys, tmp_path).encrypt(SECRET)
    assert list(tmp_path.iterdir()) == []
    assert Vault(keys).decrypt(stored) == SECRET


def test_the_key_of_the_file_may_move_into_the_setting(tmp_path: Path) -> None:
    stored = open_vault([], tmp_path).encrypt(SECRET)
    assert open_vault([key(), (tmp_path / KEY_FILE).read_text().strip()], tmp_path).decrypt(stored) == SECRET


@pytest.mark.parametrize("content", [b"", b"x", b"\xff" * 44, b"s" * 44 + b"\n"])
def test_a_file_without_a_key_stops_the_start(tmp_path: Path, content: bytes) -> None:
    (tmp_path / KEY_FILE).write_bytes(content)
    for look in (partial(open_vault, []), check_key_file):
        with pytest.raises(DataDirectoryUnusable, match=r"secret\.key does not contain a key"):
            look(tmp_path)
    assert (tmp_path / KEY_FILE).read_bytes() == content
