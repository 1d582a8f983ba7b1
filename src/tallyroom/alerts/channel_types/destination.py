"""Where a channel tells: an address, a URL or a chat, which is a secret (rules/alerts#destination)."""

import re
from typing import Final, Literal, NamedTuple, Protocol, cast
from urllib.parse import urlsplit

from tallyroom.core.email_address import check_email_address, mask_address
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.fetch.messages import OutboundAnswer, OutboundRequest
from tallyroom.core.fetch.url import UrlRefused
from tallyroom.core.host_names import bracket_ipv6
from tallyroom.core.vault import SecretUnreadable, Vault
from tallyroom.mail.message import parse_mailbox

ChannelType = Literal["email", "webhook", "slack", "discord", "telegram"]

DESTINATION_FIELD = "destination"

_HTTP_URL: Final = re.compile(r"https?://\S+")
_TELEGRAM_DESTINATION: Final = re.compile(r"[0-9]{1,20}:[A-Za-z0-9_-]{1,100}/(-?[0-9]{1,20}|@[A-Za-z0-9_]{1,64})")
_MASK = "••••"
_TAIL_LENGTH = 4
_MIN_MASKED_LENGTH = 8  # characters: of a shorter text, its last four would be too much of it


class Fetcher(Protocol):
    """Sends requests to addresses that people name."""

    async def check(self, url: str) -> None:
        """Check that requests to `url` are allowed.

        Raises:
            UrlRefused: they are not.
        """
        ...

    async def send(self, request: OutboundRequest) -> OutboundAnswer:
        """Send a request.

        Raises:
            FetchFailed: there is no answer.
        """
        ...


class Destination(NamedTuple):
    """Where to send a message, decrypted.

    Attributes:
        type: the type of the channel.
        address: the destination as somebody typed it.
        secret: the secret that signs the messages of a webhook; None for the others.
    """

    type: ChannelType
    address: str
    secret: str | None


class TelegramChat(NamedTuple):
    """A chat of Telegram: the token of the bot that writes there, and the id of the chat."""

    bot_token: str
    chat_id: str


def check_format(channel_type: ChannelType, destination: str) -> None:
    """Check the form of a destination, without asking whether it can be reached.

    Raises:
        ValidationFailed: the text is no destination of this type. The reason does not repeat it.
    """
    if channel_type == "email":
        check_email_address(destination, DESTINATION_FIELD)
        _check_mailbox(destination)
    elif channel_type == "telegram":
        if _TELEGRAM_DESTINATION.fullmatch(destination) is None:
            raise ValidationFailed.at(
                [DESTINATION_FIELD],
                "must be the token of a bot, a slash and a chat, as in 123456:AbC-dEf/-1001234567890",
            )
    elif _HTTP_URL.fullmatch(destination) is None or not _host_and_port(destination):
        raise ValidationFailed.at([DESTINATION_FIELD], "must be an address that begins with https://")


class Destinations:
    """Checks destinations, and keeps them encrypted.

    Args:
        vault: encrypts and decrypts them.
        fetcher: says which addresses may be reached.
        telegram_url: the server of Telegram's bots.
    """

    def __init__(self, vault: Vault, fetcher: Fetcher, telegram_url: str) -> None:
        self._vault = vault
        self._fetcher = fetcher
        self._telegram_url = telegram_url

    async def check(self, channel_type: ChannelType, destination: str) -> None:
        """Check the form of a destination, and that the server may send requests there.

        Raises:
            ValidationFailed: it is no destination of this type, or one that the server must not reach.
        """
        check_format(channel_type, destination)
        if channel_type in {"email", "telegram"}:
            return
        try:
            await self._fetcher.check(destination)
        except UrlRefused as error:
            raise ValidationFailed.at([DESTINATION_FIELD], error.reason) from error

    def encrypt(self, text: str) -> str:
        """Encrypt a destination or a secret for storage."""
        return self._vault.encrypt(text)

    def is_changed(self, destination: str, ciphertext: str) -> bool:
        """Return True if `destination` is not the destination that is stored, or that one cannot be read."""
        try:
            return self._vault.decrypt(ciphertext) != destination
        except SecretUnreadable:
            return True

    def preview(self, channel_type: ChannelType, destination: str) -> str:
        """Return what people may see of a destination that has been checked."""
        if channel_type == "email":
            return mask_address(destination)
        if channel_type == "telegram":
            return f"{self._telegram_url}/{_MASK}{_visible_tail(parse_chat(destination).chat_id)}"
        scheme, _, host_and_path = destination.partition("://")
        path_parts = re.split(r"[/?#]", host_and_path, maxsplit=1)[1:]
        return f"{scheme}://{_host_and_port(destination)}/{_MASK}{_visible_tail(''.join(path_parts))}"

    def decrypt(self, channel_type: str, destination_ciphertext: str, secret_ciphertext: str | None) -> Destination:
        """Decrypt what is stored of a channel.

        Raises:
            SecretUnreadable: the server has another key than when it was stored.
        """
        plain_secret = secret_ciphertext and self._vault.decrypt(secret_ciphertext)
        return Destination(cast("ChannelType", channel_type), self._vault.decrypt(destination_ciphertext), plain_secret)


def parse_chat(destination: str) -> TelegramChat:
    """Return the two parts of a Telegram destination that `check_format` has let pass."""
    bot_token, _, chat_id = destination.partition("/")
    return TelegramChat(bot_token, chat_id)


def _check_mailbox(address: str) -> None:
    try:
        parse_mailbox(address)
    except ValueError as error:
        raise ValidationFailed.at([DESTINATION_FIELD], f"is not an e-mail address: {error}") from error


def _visible_tail(text: str) -> str:
    return text[-_TAIL_LENGTH:] if len(text) >= _MIN_MASKED_LENGTH else ""


def _host_and_port(url: str) -> str:
    """Return host and port of a URL, without the name and password that may stand before them; "" if it has none."""
    try:
        url_parts = urlsplit(url)
        port = url_parts.port
    except ValueError:
        return ""
    host = bracket_ipv6(url_parts.hostname or "")
    return host if port is None else f"{host}:{port}"
