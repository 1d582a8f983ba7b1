"""The format of API keys, tokens of each kind and session tokens, and the hashes under which they are stored."""

import hashlib
import re
import zlib

from tallyroom.core.ids import BASE62, IdGenerator

PRODUCTION = "production"

SESSION_PREFIX = "trs_"
INVITE_PREFIX = "tri_"
RESET_PREFIX = "trr_"
LINK_PREFIX = "trl_"
STATS_PREFIX = "tr_stats_"
PERSONAL_PREFIX = "tr_pat_"

VISIBLE_CHARACTERS = 12  # `tr_live_` and four random ones tell keys apart, while 28 (166 bits) stay secret;
# `tr_stats_` leaves three, `tr_pat_` five

_RANDOM_CHARACTERS = 32  # 190 bits
_CHECKSUM_CHARACTERS = 6  # 62**6 > 2**32, so a CRC-32 fits
_TOKEN_CHARACTERS = 43  # 256 bits
_KEY_PATTERN = re.compile(rf"tr_(?:live|test)_[0-9A-Za-z]{{{_RANDOM_CHARACTERS + _CHECKSUM_CHARACTERS}}}")
_STATS_TOKEN_PATTERN = re.compile(rf"{STATS_PREFIX}[0-9A-Za-z]{{{_RANDOM_CHARACTERS + _CHECKSUM_CHARACTERS}}}")
_PERSONAL_TOKEN_PATTERN = re.compile(rf"{PERSONAL_PREFIX}[0-9A-Za-z]{{{_RANDOM_CHARACTERS + _CHECKSUM_CHARACTERS}}}")
_SESSION_TOKEN_PATTERN = re.compile(rf"{SESSION_PREFIX}[0-9A-Za-z]{{{_TOKEN_CHARACTERS}}}")


def mint_key(id_generator: IdGenerator, environment: str) -> str:
    """Make a new API key: ``tr_live_`` for production or ``tr_test_``, 32 random characters, and a checksum."""
    return _mint_with_checksum(id_generator, "tr_live_" if environment == PRODUCTION else "tr_test_")


def is_plausible_key(text: str) -> bool:
    """Return True if `text` has the format of a key; this refuses typos and noise without a database look-up."""
    return _KEY_PATTERN.fullmatch(text) is not None and _has_its_checksum(text)


def mint_stats_token(id_generator: IdGenerator) -> str:
    """Make a new token of the Statistics API: ``tr_stats_``, 32 random characters, and a checksum."""
    return _mint_with_checksum(id_generator, STATS_PREFIX)


def is_plausible_stats_token(text: str) -> bool:
    """Return True if `text` has the format of a token of the Statistics API."""
    return _STATS_TOKEN_PATTERN.fullmatch(text) is not None and _has_its_checksum(text)


def mint_personal_token(id_generator: IdGenerator) -> str:
    """Make a new personal access token: ``tr_pat_``, 32 random characters, and a checksum."""
    return _mint_with_checksum(id_generator, PERSONAL_PREFIX)


def is_plausible_personal_token(text: str) -> bool:
    """Return True if `text` has the format of a personal access token."""
    return _PERSONAL_TOKEN_PATTERN.fullmatch(text) is not None and _has_its_checksum(text)


def mint_session_token(id_generator: IdGenerator) -> str:
    """Make a new session token with 256 random bits."""
    return mint_token(id_generator, SESSION_PREFIX)


def mint_token(id_generator: IdGenerator, prefix: str) -> str:
    """Make a new token of the kind that `prefix` names, with 256 random bits."""
    return prefix + id_generator.base62(_TOKEN_CHARACTERS)


def is_plausible_session_token(text: str) -> bool:
    """Return True if `text` has the format of a session token."""
    return _SESSION_TOKEN_PATTERN.fullmatch(text) is not None


def hash_secret(text: str) -> bytes:
    """Return the SHA-256 under which a key or token is stored: 190 or more random bits need no slow hash."""
    return hashlib.sha256(text.encode()).digest()


def visible_prefix(secret: str) -> str:
    """Return the part of a key or token that stays visible after its creation."""
    return secret[:VISIBLE_CHARACTERS]


def _mint_with_checksum(id_generator: IdGenerator, prefix: str) -> str:
    unchecked_text = prefix + id_generator.base62(_RANDOM_CHARACTERS)
    return unchecked_text + _checksum(unchecked_text)


def _has_its_checksum(text: str) -> bool:
    return text.endswith(_checksum(text[:-_CHECKSUM_CHARACTERS]))


def _checksum(text: str) -> str:
    remainder = zlib.crc32(text.encode())
    checksum = ""
    for _ in range(_CHECKSUM_CHARACTERS):
        remainder, digit = divmod(remainder, len(BASE62))
        checksum = BASE62[digit] + checksum
    return checksum
