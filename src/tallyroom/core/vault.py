"""Secrets that the server has to read again, such as those of webhooks: encrypted (rules/safety#secrets-at-rest).

The key is that of `TALLYROOM_SECRET_KEY`; without it the server makes one in the file `secret.key` of the data
directory at its first start.
"""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cached_property
from pathlib import Path
from typing import Any

from tallyroom.core.data_directory import KEY_FILE, DataDirectoryUnusable
from tallyroom.core.errors import Unavailable
from tallyroom.core.whole_file import write_whole

_KEY_BYTES = 32


class SecretUnreadable(Unavailable):
    """No key opens a secret that was stored; 503, because it is well again when the old key is back."""

    def __init__(self) -> None:
        super().__init__(
            "A stored secret cannot be read: the server has another key than when it was stored. Add the old key to "
            "TALLYROOM_SECRET_KEY, or put the old secret.key back, or store the secret anew."
        )


class Vault:
    """Encrypts and decrypts short texts. The library is loaded by the first: it takes 7 MB.

    Args:
        keys: Fernet keys, at least one: the first encrypts, each decrypts.

    Raises:
        ValueError: one of them is no key.
    """

    def __init__(self, keys: list[str]) -> None:
        if any(len(urlsafe_b64decode(key)) != _KEY_BYTES for key in keys):
            raise ValueError("a key has 32 bytes, as base64")
        self._keys = keys

    def encrypt(self, text: str) -> str:
        """`text` as it may be stored; each time another one."""
        encrypted: bytes = self._fernet.encrypt(text.encode())
        return encrypted.decode()

    def decrypt(self, stored: str) -> str:
        """What was encrypted.

        Raises:
            SecretUnreadable: by none of the keys, or it was changed since.
        """
        from cryptography.fernet import InvalidToken  # noqa: PLC0415 # see above

        try:
            decrypted: bytes = self._fernet.decrypt(stored)
        except InvalidToken as error:
            raise SecretUnreadable from error
        return decrypted.decode()

    @cached_property
    def _fernet(self) -> Any:
        from cryptography.fernet import Fernet, MultiFernet  # noqa: PLC0415 # see above

        return MultiFernet([Fernet(key) for key in self._keys])


def open_vault(secret_keys: list[str], data: Path) -> Vault:
    """The vault of the server that holds the data directory `data`.

    Args:
        secret_keys: those of the setting; without any the key file is read, and made when it is missing.
        data: where the key file lies.

    Raises:
        DataDirectoryUnusable: there is a key file without a key in it.
    """
    if secret_keys:
        return Vault(secret_keys)
    path = data / KEY_FILE
    if not path.exists():
        write_whole(path, urlsafe_b64encode(os.urandom(_KEY_BYTES)) + b"\n")
    return _read_key_file(path)


def check_key_file(data: Path) -> None:
    """Make sure that the key file in `data`, if there is one, can be used.

    Raises:
        DataDirectoryUnusable: it holds no key.
    """
    if (data / KEY_FILE).exists():
        _read_key_file(data / KEY_FILE)


def _read_key_file(path: Path) -> Vault:
    try:
        return Vault([path.read_text("ascii").strip()])
    except (OSError, ValueError) as error:
        raise DataDirectoryUnusable(
            f"{path} holds no key: put the right one back (a backup has it), or delete it, start once with "
            "--accept-loss, and store the secrets of webhooks anew."
        ) from error
