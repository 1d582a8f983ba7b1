"""GET and POST /v1/alert-channels, PATCH and DELETE /v1/alert-channels/:id, and what belongs to a channel."""

from litestar import Router, delete, get, patch, post
from litestar.params import FromPath, JSONBody

from tallyroom.alerts.channels import deliveries, service
from tallyroom.alerts.channels.deliveries import DeliveryRetrier
from tallyroom.alerts.channels.schemas import (
    AlertChannelChange,
    AlertChannelIn,
    AlertChannelOut,
    AlertChannelsOut,
    AttemptOut,
    ChannelSecretOut,
    DeliveriesOut,
    DeliveryOut,
    DeliveryRetryIn,
    NewAlertChannelOut,
)
from tallyroom.alerts.channels.service import AlertChannels
from tallyroom.auth.guards import require_developer, require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.tokens.scopes import TAKES_UNLIMITED_TOKENS
from tallyroom.rest.injected import Injected
from tallyroom.storage.metadata.connection import Session


@get("/", guards=[require_member])
async def list_channels(db: Injected[Session], principal: Injected[MemberPrincipal]) -> AlertChannelsOut:
    """The channels, oldest first, with previews of their destinations."""
    return AlertChannelsOut(await service.list_channels(db, principal.workspace_id))


@post("/", guards=[require_developer], status_code=201)
async def create_channel(
    data: JSONBody[AlertChannelIn], principal: Injected[MemberPrincipal], alert_channels: Injected[AlertChannels]
) -> NewAlertChannelOut:
    """Create a channel; only this response has the secret of a webhook."""
    return await alert_channels.create(principal, data)


@patch("/{channel_id:str}", guards=[require_developer])
async def change_channel(
    channel_id: FromPath[str],
    data: JSONBody[AlertChannelChange],
    principal: Injected[MemberPrincipal],
    alert_channels: Injected[AlertChannels],
) -> AlertChannelOut:
    """Rename a channel, switch it on or off, or give it another destination of the same type."""
    return await alert_channels.change(principal, channel_id, data)


@delete("/{channel_id:str}", guards=[require_developer], status_code=204)
async def delete_channel(
    channel_id: FromPath[str],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    alert_channels: Injected[AlertChannels],
) -> None:
    """Delete a channel; alerts no longer send to it."""
    await alert_channels.delete(db, principal, channel_id)


@post("/{channel_id:str}/test", guards=[require_developer], status_code=200)
async def test_channel(
    channel_id: FromPath[str], principal: Injected[MemberPrincipal], alert_channels: Injected[AlertChannels]
) -> AttemptOut:
    """Send a test message; the response says whether it arrived or why it failed. Up to five times a minute."""
    return await alert_channels.send_test(principal, channel_id)


@post("/{channel_id:str}/secret", guards=[require_developer], status_code=200)
async def replace_secret(
    channel_id: FromPath[str],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    alert_channels: Injected[AlertChannels],
) -> ChannelSecretOut:
    """Replace the secret that signs a webhook's messages; only this response has the new secret."""
    return await alert_channels.replace_secret(db, principal, channel_id)


@get("/{channel_id:str}/deliveries", guards=[require_developer])
async def list_deliveries(
    channel_id: FromPath[str], db: Injected[Session], principal: Injected[MemberPrincipal]
) -> DeliveriesOut:
    """The newest 100 messages to a channel, newest first, with the status of each."""
    return DeliveriesOut(await deliveries.list_deliveries(db, principal.workspace_id, channel_id))


@post("/{channel_id:str}/deliveries/{delivery_id:str}/retry", guards=[require_developer], status_code=200)
async def retry_delivery(
    channel_id: FromPath[str],
    delivery_id: FromPath[str],
    principal: Injected[MemberPrincipal],
    delivery_retries: Injected[DeliveryRetrier],
    data: JSONBody[DeliveryRetryIn | None] = None,
) -> DeliveryOut:
    """Deliver a message again immediately, with the same ID; up to five times a minute.

    A message that was already sent is refused with 409, unless the body is `{"again": true}`.
    """
    again = (data or DeliveryRetryIn()).again
    return await delivery_retries.retry(principal, channel_id, delivery_id, may_resend=again)


routes = Router(
    path="/v1/alert-channels",
    route_handlers=[
        list_channels,
        create_channel,
        change_channel,
        delete_channel,
        test_channel,
        replace_secret,
        list_deliveries,
        retry_delivery,
    ],
    opt=TAKES_UNLIMITED_TOKENS,
    tags=["alerts"],
)
