"""The tokens with which people unsubscribe: each stands for one address of one digest (rules/digests#unsubscribing).

A token is derived and not stored, so the links in all mails to somebody stay the same, even when they were taken off
and added again.
"""

import hashlib
import hmac

_SIGNATURE_BYTES = 16


def build_unsubscribe_token(digest_id: str, secret: str, recipient: str) -> str:
    """Return the token of a recipient, whose address is in lower case; `secret` is the digest's."""
    return f"{digest_id}.{_sign_recipient(secret, recipient)}"


def read_digest_id(token: str) -> str:
    """Return the id of the digest that a token names."""
    return token.partition(".")[0]


def is_token_valid(token: str, digest_id: str, secret: str, recipient: str) -> bool:
    """Return True if this is the recipient's token."""
    return hmac.compare_digest(token.encode(), build_unsubscribe_token(digest_id, secret, recipient).encode())


def build_message_id(digest_id: str, due_ms: int, recipient: str) -> str:
    """Return what the Message-ID of a mail begins with; a mail that is sent again has the same."""
    return f"digest.{digest_id}.{due_ms}.{hashlib.sha256(recipient.encode()).hexdigest()[:32]}"


def _sign_recipient(secret: str, recipient: str) -> str:
    return hmac.new(secret.encode(), recipient.encode(), hashlib.sha256).digest()[:_SIGNATURE_BYTES].hex()
