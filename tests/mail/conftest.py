"""A mail server, servers that receive requests, and a mailer and a fetcher that reach them."""

from harness.servers.mail_fixtures import (
    authority,
    certificate,
    fetcher,
    losses,
    make_mailbox,
    make_mailer,
    receive,
    receiver,
    trust,
)

__all__ = [
    "authority",
    "certificate",
    "fetcher",
    "losses",
    "make_mailbox",
    "make_mailer",
    "receive",
    "receiver",
    "trust",
]
