"""Encrypts secrets that the server must read again, such as webhook secrets (rules/safety#secrets-at-rest)."""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cached_property
from hmac import digest
from pathlib import Path
from typing import Any

from tallyroom.core.atomic_file import write_atomically
from tallyroom.core.data_directory import KEY_FILE, DataDirectoryUnusable
from tallyroom.core.errors import Unavailable

_KEY_BYTES = 32
_HASH_BYTES = 16


class SecretUnreadable(Unavailable):
    """No key decrypts a stored secret; the status is 503, because restoring the old key solves the problem."""

    def __init__(self) -> None:
        super().__init__(
            "A stored secret cannot be decrypted with the current key. Add the old key to TALLYROOM_SECRET_KEY, "
            "restore the old secret.key, or store the secret again."
        )


class Vault:
    """Encrypts short texts with the first of the Fernet keys; raises `ValueError` for an invalid key."""

    def __init__(self, keys: list[str]) -> None:
        if any(len(urlsafe_b64decode(key)) != _KEY_BYTES for key in keys):
            raise ValueError("a key has 32 bytes, as base64")
        self._keys = keys

    def encrypt(self, text: str) -> str:
        """Encrypt `text` for storage; the result differs each time."""
        token: bytes = self._fernet.encrypt(text.encode())
        return token.decode()

    def decrypt(self, token: str) -> str:
        """Return the text that was encrypted; raises `SecretUnreadable` if no key decrypts it, or it was changed."""
        from cryptography.fernet import InvalidToken  # noqa: PLC0415 # see above

        try:
            plaintext: bytes = self._fernet.decrypt(token)
        except InvalidToken as error:
            raise SecretUnreadable from error
        return plaintext.decode()

    def compute_keyed_hash(self, text: str) -> bytes:
        """Return 16 bytes that identify a text, and from which the text cannot be guessed without the first key."""
        return digest(urlsafe_b64decode(self._keys[0]), text.encode(), "sha256")[:_HASH_BYTES]

    @cached_property
    def _fernet(self) -> Any:
        from cryptography.fernet import Fernet, MultiFernet  # noqa: PLC0415 # see above

        return MultiFernet([Fernet(key) for key in self._keys])


def open_vault(secret_keys: list[str], directory: Path) -> Vault:
    """Open the vault; without `secret_keys`, read or create the key file. Raises `DataDirectoryUnusable`."""
    if secret_keys:
        return Vault(secret_keys)
    path = directory / KEY_FILE
    if not path.exists():
        write_atomically(path, urlsafe_b64encode(os.urandom(_KEY_BYTES)) + b"\n")
    return _read_key_file(path)


def check_key_file(directory: Path) -> None:
    """Raise `DataDirectoryUnusable` if the key file in `directory` exists and does not contain a key."""
    if (directory / KEY_FILE).exists():
        _read_key_file(directory / KEY_FILE)


def _read_key_file(path: Path) -> Vault:
    try:
        return Vault([path.read_text("ascii").strip()])
    except (OSError, ValueError) as error:
        raise DataDirectoryUnusable(
            f"{path} does not contain a key: restore the file from a backup, or delete it, start once with "
            "--accept-loss, and store the webhook secrets again."
        ) from error
