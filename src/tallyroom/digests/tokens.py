"""The tokens with which people unsubscribe: each is for one address of one digest (rules/digests#unsubscribing).

A token is derived and not stored, so the links in all mails to an address stay the same, even if it is removed and
added again.
"""

import hashlib
import hmac

_SIGNATURE_BYTES = 16


def build_unsubscribe_token(digest_id: str, digest_secret: str, recipient_key: str) -> str:
    """Return the token of a recipient, whose address is in lower case."""
    return f"{digest_id}.{_sign_recipient_key(digest_secret, recipient_key)}"


def read_digest_id(token: str) -> str:
    """Return the id of the digest that a token names."""
    return token.partition(".")[0]


def is_token_valid(token: str, digest_id: str, digest_secret: str, recipient_key: str) -> bool:
    """Return True if this is the recipient's token."""
    return hmac.compare_digest(
        token.encode(), build_unsubscribe_token(digest_id, digest_secret, recipient_key).encode()
    )


def build_message_id(digest_id: str, due_ms: int, recipient_key: str) -> str:
    """Return the beginning of a mail's Message-ID, which is the same if the mail is sent again."""
    return f"digest.{digest_id}.{due_ms}.{hashlib.sha256(recipient_key.encode()).hexdigest()[:32]}"


def _sign_recipient_key(digest_secret: str, recipient_key: str) -> str:
    return hmac.new(digest_secret.encode(), recipient_key.encode(), hashlib.sha256).digest()[:_SIGNATURE_BYTES].hex()
