"""All settings in one table: name, default and effect (a test keeps docs/settings.md in sync)."""

import os
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tallyroom.core.event_server import EventServer, read_event_server
from tallyroom.core.host_names import bracket_ipv6
from tallyroom.core.mail_server import MailServer, read_mail_server

PREFIX = "TALLYROOM_"
EXPLANATION = "takes"  # the key in `Meta.extra` under which a text field explains its pattern

# A host name as browsers send it, with non-ASCII letters as xn--…; in any other form, no request would match it.
_SERVER_PATTERN = r"https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?"
ADDRESS_SETTINGS = {"base_url", "stats_url", "widgets_url", "telegram_url"}  # a trailing slash is not stored
_ADDRESS_EXPLANATION = {EXPLANATION: "an address without a path, such as https://tally.example.com"}
_Address = Annotated[str, Meta(pattern=rf"^({_SERVER_PATTERN})?$(?!\n)", extra=_ADDRESS_EXPLANATION)]

SERVER_SETTINGS = ("TALLYROOM_EVENTS_DSN", "TALLYROOM_EVENTS_READER", "TALLYROOM_DB_DSN", "TALLYROOM_LIMITS_DSN")
"""These settings name the servers that keep the data of several processes: set all of them, or none."""

Network = IPv4Network | IPv6Network


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of one server. Each is also the environment variable ``TALLYROOM_<NAME>``."""

    host: Annotated[str, Meta(description="Address to listen on.")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535, description="Port to listen on; 0 picks a free one.")] = 8480
    data: Annotated[str, Meta(description="Data directory; created at the first start.")] = "./data"
    base_url: Annotated[
        _Address, Meta(description="Public address, such as `https://tally.example.com`; `https` makes cookies secure.")
    ] = ""
    stats_url: Annotated[_Address, Meta(description="Public address of the Statistics API, if it has its own.")] = ""
    widgets_url: Annotated[_Address, Meta(description="Public address of images, if they have their own.")] = ""
    stats_platforms: Annotated[
        str,
        Meta(
            pattern=r"^[a-z0-9-]+(,[a-z0-9-]+)*$(?!\n)",
            extra={
                EXPLANATION: "names of lowercase letters, digits and dashes, separated by commas, such as chat,discord"
            },
            description="First path segments of the Statistics API, except the server's own (such as `v1`); all "
            "serve the same directory of bots.",
        ),
    ] = "chat,discord"
    stats_rate_per_minute: Annotated[
        int,
        Meta(
            ge=0,
            description="Requests per Statistics API token in any 60 seconds, and ten times as many signed "
            "webhooks per bot; 0 turns the limit off.",
        ),
    ] = 120
    feed_creates: Annotated[
        bool,
        Meta(description="Counters and votes for an unknown bot create the bot, even when a `write` token sends them."),
    ] = False
    secret_key: Annotated[
        str,
        Meta(
            description="Keys that encrypt stored secrets, separated by commas: the first encrypts, any can decrypt; "
            "without any, the key is in the file `secret.key` in the data directory."
        ),
    ] = ""
    events_dsn: Annotated[
        str,
        Meta(
            description="ClickHouse database for events, such as `clickhouse://user:password@host:8123/name`; "
            "`clickhouses` for TLS."
        ),
    ] = ""
    events_reader: Annotated[str, Meta(description="Read-only user of that server, such as `user:password`.")] = ""
    db_dsn: Annotated[
        str, Meta(description="PostgreSQL database for metadata, such as `postgresql://user:password@host/name`.")
    ] = ""
    limits_dsn: Annotated[
        str,
        Meta(
            description="Redis or Valkey server for limits, such as `redis://:password@host:6379/0`, or "
            "`valkey://…`; `rediss` or `valkeys` for TLS."
        ),
    ] = ""
    workers: Annotated[
        int,
        Meta(ge=1, le=64, description="Number of worker processes; more than one requires all data to be on servers."),
    ] = 1
    metrics_port: Annotated[
        int, Meta(ge=0, le=65535, description="Port on which several workers together serve `/metrics`; 0 for none.")
    ] = 0
    metrics_token: Annotated[
        str, Meta(description="Bearer token that lets a scraper read `/metrics` from anywhere; 16 or more characters.")
    ] = ""
    metrics_open: Annotated[bool, Meta(description="Let everyone who can reach the server read `/metrics`.")] = False
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], Meta(description="Minimum level of log messages.")
    ] = "info"
    open_signup: Annotated[bool, Meta(description="Let anyone sign up; otherwise only the first user can.")] = False
    default_plan: Annotated[Literal["free", "paid"], Meta(description="Plan of new workspaces.")] = "paid"
    free_events_per_month: Annotated[
        int, Meta(ge=0, description="Events that a free workspace may send in a UTC calendar month.")
    ] = 2_000_000
    ingest_rate_per_minute: Annotated[
        int, Meta(ge=0, description="Ingest requests per client IP in any 60 seconds; 0 turns the limit off.")
    ] = 6000
    trusted_proxies: Annotated[
        str, Meta(description="Networks whose `X-Forwarded-For` is trusted, such as `10.0.0.0/8,::1`.")
    ] = ""
    smtp_url: Annotated[
        str,
        Meta(
            description="Mail server, such as `smtp://user:password@mail.example.com:587` or `smtps://…`; "
            "without one, emails are written to the log."
        ),
    ] = ""
    mail_from: Annotated[str, Meta(description="Sender of emails, such as `Tallyroom <noreply@example.com>`.")] = ""
    outbound_allow: Annotated[
        str, Meta(description="More networks that the server may reach, on any port, such as `10.1.0.0/16,192.0.2.7`.")
    ] = ""
    outbound_http: Annotated[bool, Meta(description="Requests to `TALLYROOM_OUTBOUND_ALLOW` need no TLS.")] = False
    telegram_url: Annotated[
        str,
        Meta(
            pattern=rf"^{_SERVER_PATTERN}$(?!\n)",
            extra=_ADDRESS_EXPLANATION,
            description="Telegram's Bot API server, or one of your own.",
        ),
    ] = "https://api.telegram.org"
    spool_max_bytes: Annotated[
        int, Meta(ge=1_000_000, description="Maximum bytes queued for the event store; above that, ingest returns 503.")
    ] = 2 * 1024**3
    requests_max_bytes: Annotated[
        int, Meta(ge=1_000_000, description="Maximum bytes of unanswered requests; above that, large ones get 503.")
    ] = 100_000_000
    answers_max_bytes: Annotated[
        int, Meta(ge=1_000_000, description="Maximum bytes of answers that clients have not read yet.")
    ] = 100_000_000
    keep_alive_seconds: Annotated[
        int, Meta(ge=1, le=86_400, description="Maximum idle time of a connection between requests, in seconds.")
    ] = 75
    disk_reserve_bytes: Annotated[int, Meta(ge=0, description="Free disk space below which ingest returns 503.")] = (
        1024**3
    )
    read_connections: Annotated[int, Meta(ge=1, le=64, description="Queries that may run at once.")] = 4
    workspace_queries: Annotated[int, Meta(ge=1, le=64, description="Queries that one workspace may run at once.")] = 2
    workspace_queries_waiting: Annotated[
        int, Meta(ge=0, description="Queries that one workspace may have queued; any more get 429.")
    ] = 40
    query_seconds: Annotated[int, Meta(ge=1, description="Maximum time for one query, in seconds.")] = 10
    query_memory_bytes: Annotated[int, Meta(ge=10_000_000, description="Maximum memory for one query, in bytes.")] = (
        400_000_000
    )
    property_columns: Annotated[
        int, Meta(ge=0, le=500, description="Properties that may have a column of their own; 0 turns them off.")
    ] = 64
    property_column_min_bytes: Annotated[
        int, Meta(ge=0, description="Bytes that queries must read of a property, mostly in 14 days, for a column.")
    ] = 1_000_000_000
    kept_answers_mb: Annotated[int, Meta(ge=0, le=100_000, description="Memory for kept answers in MB; 0: none.")] = 64
    fresh_wait_ms: Annotated[
        int, Meta(ge=0, le=60_000, description="Maximum wait of a query for events acknowledged before it, in ms.")
    ] = 500
    alert_seconds: Annotated[
        int,
        Meta(
            ge=1, le=3600, description="Seconds between evaluations of all alerts, aligned to whole multiples in UTC."
        ),
    ] = 60
    stop_seconds: Annotated[
        int,
        Meta(
            ge=0,
            description="Maximum time that a shutdown waits for the spool to drain, in seconds; "
            "the rest stays on disk.",
        ),
    ] = 20
    font_folders: Annotated[
        str, Meta(description="Folders with more fonts for pictures, such as for other scripts or emoji: `/a:/b`.")
    ] = ""
    testing: Annotated[
        bool, Meta(description="For tests only: the server accepts failpoints and uses weak password hashes.")
    ] = False
    failpoints: Annotated[
        str,
        Meta(description="Faults to inject, such as `store.insert=block`; refused unless `TALLYROOM_TESTING` is on."),
    ] = ""

    @property
    def data_dir(self) -> Path:
        """The data directory as a path."""
        return Path(self.data)

    @property
    def is_https(self) -> bool:
        """Whether browsers reach the server over https."""
        return self.base_url.startswith("https://")

    @property
    def platforms(self) -> list[str]:
        """`stats_platforms` as a list."""
        return self.stats_platforms.split(",")

    @property
    def font_paths(self) -> list[Path]:
        """`font_folders` as paths."""
        return [Path(part) for part in self.font_folders.split(os.pathsep) if part]

    @property
    def public_url(self) -> str:
        """The base of links in mails, without a trailing slash; never taken from a request's Host header."""
        return self.base_url or f"http://{bracket_ipv6(self.host)}:{self.port}"

    @property
    def pictures_url(self) -> str:
        """The public address of images; "" if none is set."""
        return self.widgets_url or self.base_url

    @property
    def mail_server(self) -> MailServer | None:
        """The server and sender from `smtp_url` and `mail_from`; None if no server is set."""
        return read_mail_server(self.smtp_url, self.mail_from) if self.smtp_url else None

    @property
    def event_server(self) -> EventServer | None:
        """The server and users from `events_dsn` and `events_reader`; None if the events are in the data directory."""
        return read_event_server(self.events_dsn, self.events_reader) if self.events_dsn else None

    @property
    def secret_keys(self) -> list[str]:
        """The keys in `secret_key` as a list."""
        return [part.strip() for part in self.secret_key.split(",") if part.strip()]

    @property
    def trusted_networks(self) -> list[Network]:
        """`trusted_proxies` as networks."""
        return _parse_networks(self.trusted_proxies)

    @property
    def outbound_networks(self) -> list[Network]:
        """`outbound_allow` as networks."""
        return _parse_networks(self.outbound_allow)


def _parse_networks(text: str) -> list[Network]:
    return [ip_network(part.strip(), strict=False) for part in text.split(",") if part.strip()]
