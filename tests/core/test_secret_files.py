"""A secret comes from a variable or from a file, never from both, and no refusal repeats it."""

from pathlib import Path

import msgspec
import pytest
from cryptography.fernet import Fernet

from tallyroom.cli.serve import find_unknown_variables
from tallyroom.core.load_settings import SettingsError, load_settings
from tallyroom.core.secret_files import SECRET_SETTINGS, read_secret_files
from tallyroom.core.settings import Settings

KEY = Fernet.generate_key().decode()


def told(environ: dict[str, str]) -> str:
    with pytest.raises(SettingsError) as refused:
        load_settings(environ)
    return refused.value.message


@pytest.mark.parametrize("ends", ["", "\n", "\r\n"])
def test_a_secret_is_the_line_in_its_file(tmp_path: Path, ends: str) -> None:
    file = tmp_path / "key"
    file.write_bytes(f"{KEY}{ends}".encode())
    assert load_settings({"TALLYROOM_SECRET_KEY_FILE": str(file)}).secret_keys == [KEY]


@pytest.mark.parametrize("name", SECRET_SETTINGS)
def test_each_secret_can_be_in_a_file(tmp_path: Path, name: str) -> None:
    file = tmp_path / "secret"
    file.write_text(" with spaces \n", encoding="utf-8")
    environ = {f"TALLYROOM_{name}_FILE": str(file), "PATH": "/bin"}
    assert read_secret_files(environ) == {**environ, f"TALLYROOM_{name}": " with spaces "}
    assert find_unknown_variables(environ) == []


def test_a_setting_that_tells_of_a_password_or_a_key_is_one_of_them() -> None:
    held = {
        field.name.upper()
        for field in msgspec.structs.fields(Settings)
        if any(
            word in str(msgspec.inspect.type_info(field.type)) for word in (":password", "Keys that", "Bearer token")
        )
    }
    assert held == set(SECRET_SETTINGS)


def test_a_variable_without_a_value_does_not_count() -> None:
    assert load_settings({"TALLYROOM_SECRET_KEY_FILE": "", "TALLYROOM_SECRET_KEY": KEY}).secret_keys == [KEY]


def test_an_empty_variable_leaves_room_for_the_file(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(KEY, encoding="utf-8")
    environ = {"TALLYROOM_SECRET_KEY": "", "TALLYROOM_SECRET_KEY_FILE": str(file)}
    assert load_settings(environ).secret_keys == [KEY]


def test_a_secret_is_not_given_twice(tmp_path: Path) -> None:
    environ = {"TALLYROOM_SECRET_KEY": KEY, "TALLYROOM_SECRET_KEY_FILE": str(tmp_path / "key")}
    assert told(environ) == "TALLYROOM_SECRET_KEY and TALLYROOM_SECRET_KEY_FILE are both set; set only one."


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b"one-secret\nother-secret\n", "has more than one line"),
        (b"secret\xff", "is not UTF-8 text"),
    ],
)
def test_a_file_that_holds_no_secret_is_told_by_its_name(tmp_path: Path, content: bytes, wrong: str) -> None:
    file = tmp_path / "url"
    file.write_bytes(content)
    assert told({"TALLYROOM_SMTP_URL_FILE": str(file)}) == f"TALLYROOM_SMTP_URL_FILE: {file} {wrong}."


def test_a_file_that_cannot_be_read_is_told_with_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "url"
    expected = f"TALLYROOM_SMTP_URL_FILE: {file} cannot be read: No such file or directory."
    assert told({"TALLYROOM_SMTP_URL_FILE": str(file)}) == expected
    expected = f"TALLYROOM_SMTP_URL_FILE: {tmp_path} cannot be read: Is a directory."
    assert told({"TALLYROOM_SMTP_URL_FILE": str(tmp_path)}) == expected


def test_what_is_in_a_file_is_checked_like_what_is_in_a_variable(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("no-key\n", encoding="utf-8")
    message = told({"TALLYROOM_SECRET_KEY_FILE": str(file)})
    assert message.startswith("TALLYROOM_SECRET_KEY: key 1 is not 32 random bytes")
    assert told({"TALLYROOM_DB_DSN_FILE": str(file)}).startswith("TALLYROOM_DB_DSN also requires ")
