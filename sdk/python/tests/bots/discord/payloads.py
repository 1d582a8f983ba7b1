"""What Discord's gateway sends, with a canary in every field that belongs to people."""

from itertools import count
from typing import Any

APPLICATION = 700_000_000_000_000_000
BOT_USER = 700_000_000_000_000_001
USER = 210_000_000_000_000_001
GUILD = 330_000_000_000_000_001
CHANNEL = 440_000_000_000_000_001
CANARY = "CANARY"

_ids = count(900_000_000_000_000_000)
_canaries = count()


def canary() -> str:
    """A text that no event may contain."""
    return f"{CANARY}{next(_canaries)}"


def user(user_id: int = USER, name: str = "robin", *, is_bot: bool = False) -> dict[str, Any]:
    return {
        "id": str(user_id),
        "username": name,
        "global_name": canary(),
        "discriminator": "0",
        "avatar": canary(),
        "bot": is_bot,
        "public_flags": 0,
    }


def member(member_user: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "user": member_user or user(),
        "nick": canary(),
        "avatar": None,
        "roles": [],
        "joined_at": "2024-01-01T00:00:00+00:00",
        "deaf": False,
        "mute": False,
        "flags": 0,
        "permissions": "0",
    }


_OF_EVERY_GUILD = {
    "icon": None,
    "splash": None,
    "discovery_splash": None,
    "banner": None,
    "member_count": 42,
    "members": [],
    "presences": [],
    "threads": [],
    "emojis": [],
    "stickers": [],
    "stage_instances": [],
    "voice_states": [],
    "guild_scheduled_events": [],
    "soundboard_sounds": [],
    "features": [],
    "region": "eu",
    "large": False,
    "joined_at": "2024-01-01T00:00:00+00:00",
    "preferred_locale": "de",
    "verification_level": 0,
    "default_message_notifications": 0,
    "explicit_content_filter": 0,
    "mfa_level": 0,
    "nsfw": False,
    "nsfw_level": 0,
    "premium_tier": 0,
    "premium_subscription_count": 0,
    "premium_progress_bar_enabled": False,
    "afk_channel_id": None,
    "afk_timeout": 300,
    "application_id": None,
    "system_channel_id": None,
    "system_channel_flags": 0,
    "rules_channel_id": None,
    "public_updates_channel_id": None,
    "safety_alerts_channel_id": None,
    "widget_enabled": False,
    "widget_channel_id": None,
    "max_members": 500_000,
    "max_presences": None,
    "max_video_channel_users": 25,
    "max_stage_video_channel_users": 50,
    "incidents_data": None,
    "version": 1,
}


def guild(guild_id: int = GUILD, name: str = "Tea House", **extra: Any) -> dict[str, Any]:
    return {
        **_OF_EVERY_GUILD,
        "id": str(guild_id),
        "name": name,
        "description": canary(),
        "vanity_url_code": canary(),
        "owner_id": str(USER),
        "channels": [_channel(CHANNEL + guild_id - GUILD)],
        "roles": [_role(guild_id)],
        **extra,
    }


def _channel(channel_id: int) -> dict[str, Any]:
    return {
        "id": str(channel_id),
        "type": 0,
        "name": canary(),
        "topic": canary(),
        "position": 0,
        "permission_overwrites": [],
        "nsfw": False,
        "parent_id": None,
        "rate_limit_per_user": 0,
        "last_message_id": None,
    }


def _role(role_id: int) -> dict[str, Any]:
    return {
        "id": str(role_id),
        "name": "@everyone",
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "position": 0,
        "permissions": "0",
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }


def interaction(kind: int, data: dict[str, Any], *, guild_id: int | None = GUILD) -> dict[str, Any]:
    where = (
        {"user": user(), "context": 1, "authorizing_integration_owners": {"1": str(USER)}}
        if guild_id is None
        else {
            "guild_id": str(guild_id),
            "guild": {"id": str(guild_id), "locale": "de", "features": []},
            "guild_locale": "de",
            "member": member(),
            "context": 0,
            "authorizing_integration_owners": {"0": str(guild_id)},
        }
    )
    return {
        "id": str(next(_ids)),
        "application_id": str(APPLICATION),
        "type": kind,
        "token": canary(),
        "version": 1,
        "channel_id": str(CHANNEL),
        "channel": {
            "id": str(CHANNEL),
            "type": 0 if guild_id else 1,
            "name": canary(),
            "position": 0,
            "permissions": "0",
            "recipients": [],
        },
        "locale": "en-US",
        "entitlements": [],
        "attachment_size_limit": 10_485_760,
        "app_permissions": "0",
        "data": data,
        **where,
    }


def command(name: str, *options: dict[str, Any], kind: int = 1, **extra: Any) -> dict[str, Any]:
    """A use of an application command; `extra` belongs to its data."""
    data = {"id": str(next(_ids)), "name": name, "type": kind, **extra}
    if options:
        data["options"] = list(options)
    return interaction(2, data)


def subcommand(name: str, *options: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "name": name, "options": list(options)}


def text_option(name: str) -> dict[str, Any]:
    return {"type": 3, "name": name, "value": canary()}


def private(payload: dict[str, Any]) -> dict[str, Any]:
    """The same use in a direct message."""
    return interaction(payload["type"], payload["data"], guild_id=None)


def component(custom_id: str, component_type: int = 2) -> dict[str, Any]:
    data = {"custom_id": custom_id, "component_type": component_type, "values": [canary()], "id": 1}
    payload = interaction(3, data)
    return {**payload, "message": message(canary(), author=user(BOT_USER, "teapot", is_bot=True))}


def modal(custom_id: str) -> dict[str, Any]:
    field = {"type": 4, "custom_id": canary(), "value": canary(), "id": 2}
    return interaction(5, {"custom_id": custom_id, "components": [{"type": 1, "components": [field], "id": 1}]})


def message(content: str, *, author: dict[str, Any] | None = None, guild_id: int = GUILD) -> dict[str, Any]:
    bare_member = {key: value for key, value in member().items() if key != "user"}
    return {
        "id": str(next(_ids)),
        "type": 0,
        "channel_id": str(CHANNEL + guild_id - GUILD),
        "guild_id": str(guild_id),
        "author": author or user(),
        "member": bare_member,
        "content": content,
        "timestamp": "2026-11-30T12:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "mention_channels": [],
        "attachments": [],
        "embeds": [],
        "components": [],
        "reactions": [],
        "pinned": False,
        "flags": 0,
    }
