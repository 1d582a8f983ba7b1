"""The recipients of a digest: distinct without regard to case, and excluded once they unsubscribe.

See rules/digests#recipients and rules/digests#unsubscribing.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from tallyroom.core.clock import Clock
from tallyroom.core.email_address import check_email_address, mask_address
from tallyroom.core.errors import Detail, ValidationFailed
from tallyroom.digests import repository
from tallyroom.digests.schemas import DigestOut
from tallyroom.digests.tokens import is_token_valid, read_digest_id
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import Digest, DigestRecipient
from tallyroom.storage.metadata.write_turns import set_write_turn_owner


class Subscription(NamedTuple):
    """A recipient, and the name of the digest as they know it."""

    recipient: DigestRecipient
    digest_name: str


_RECIPIENTS_FIELD = "recipients"


def check_recipients(recipients: Sequence[str]) -> None:
    """Raise `ValidationFailed` if an address cannot receive mail, or appears twice."""
    details: list[Detail] = []
    seen_addresses: set[str] = set()
    for index, address in enumerate(recipients):
        try:
            check_email_address(address, _RECIPIENTS_FIELD)
        except ValidationFailed as error:
            details.append(Detail([_RECIPIENTS_FIELD, index], error.details[0].message))
        if address.lower() in seen_addresses:
            details.append(Detail([_RECIPIENTS_FIELD, index], "appears twice"))
        seen_addresses.add(address.lower())
    if details:
        raise ValidationFailed.of(details)


async def replace_recipients(db: Session, digest: Digest, recipients: Sequence[str]) -> None:
    """Replace the recipients; a listed address is subscribed again, an unlisted one stays unsubscribed."""
    current_recipient_by_key = {
        recipient.recipient: recipient for recipient in await repository.list_recipients(db, [digest.id])
    }
    new_entry_by_key = {address.lower(): (position, address) for position, address in enumerate(recipients)}
    removed_recipients = [
        recipient
        for key, recipient in current_recipient_by_key.items()
        if key not in new_entry_by_key and recipient.unsubscribed_ms is None
    ]
    await repository.delete_rows(db, *removed_recipients)
    for key, (position, address) in new_entry_by_key.items():
        if key in current_recipient_by_key:
            (
                current_recipient_by_key[key].address,
                current_recipient_by_key[key].position,
                current_recipient_by_key[key].unsubscribed_ms,
            ) = address, position, None
        else:
            recipient = DigestRecipient(
                digest_id=digest.id, recipient=key, address=address, position=position, unsubscribed_ms=None
            )
            await repository.add_rows(db, recipient)


def list_addresses(recipients: Sequence[DigestRecipient], *, has_unsubscribed: bool = False) -> list[str]:
    """Return the addresses of those who receive a digest, or of those who unsubscribed."""
    return [
        recipient.address for recipient in recipients if (recipient.unsubscribed_ms is not None) == has_unsubscribed
    ]


def mask_recipients(digest: DigestOut) -> DigestOut:
    """Return a digest with the addresses as a program may see them."""
    return msgspec.structs.replace(
        digest,
        recipients=[mask_address(address) for address in digest.recipients],
        unsubscribed=[mask_address(address) for address in digest.unsubscribed],
    )


async def find_subscription_by_token(db: Session, token: str) -> Subscription | None:
    """Find the recipient with this token; None if the token is not valid."""
    digest_row = await repository.find_digest_with_dashboard(db, read_digest_id(token))
    if digest_row is None:
        return None
    digest, dashboard = digest_row
    for recipient in await repository.list_recipients(db, [digest.id]):
        if is_token_valid(token, digest.id, digest.token_secret, recipient.recipient):
            return Subscription(recipient, digest.name or dashboard.name)
    return None


async def find_subscription(database: Database, token: str) -> Subscription | None:
    """Find the same, without a transaction if the token is not valid."""
    digest_id = read_digest_id(token)
    secrets_and_recipients = await repository.look_up_recipient_secrets(database, digest_id)
    if not any(is_token_valid(token, digest_id, secret, recipient) for secret, recipient in secrets_and_recipients):
        return None
    async with database.session(write=False) as db:
        return await find_subscription_by_token(db, token)


async def unsubscribe(database: Database, token: str, clock: Clock) -> Subscription | None:
    """Unsubscribe the recipient with this token; None if the token is not valid."""
    subscription = await find_subscription(database, token)
    if subscription is None or subscription.recipient.unsubscribed_ms is not None:
        return subscription
    set_write_turn_owner(subscription.recipient.digest_id)
    async with database.session(write=True) as db:
        subscription = await find_subscription_by_token(db, token)
        if subscription is not None:
            subscription.recipient.unsubscribed_ms = subscription.recipient.unsubscribed_ms or clock.now_ms()
        return subscription
