"""What the routes of a webhook secret take."""

import msgspec

from tallyroom.rest.fields import WebhookSecret


class WebhookSecretIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body that sets the secret."""

    secret: WebhookSecret
