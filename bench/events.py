"""Synthetic events of two kinds, each of 8 properties: 200,000 actors, 20 names.

`build_program_event` has about 225 bytes of values that are often the same, as states and counters of a program are.
`build_web_event` has about 410, as the tracker of a web site sends them: an id that no other event has, a session, a
user agent.
"""

import random
import uuid
from collections.abc import Callable

import msgspec

Event = dict[str, object]
MakeEvent = Callable[[random.Random], Event]

_NAMES = [f"event_{number}" for number in range(20)]
_SYSTEMS = [
    "Windows NT 10.0; Win64; x64",
    "Macintosh; Intel Mac OS X 10_15_7",
    "X11; Linux x86_64",
    "Linux; Android 10; K",
    "iPhone; CPU iPhone OS 17_5 like Mac OS X",
]
_BUILDS = [f"{major}.0.{major * 49}.{patch}" for major in range(118, 132) for patch in (0, 71, 86, 139)]
_SCREENS = ["1920x1080", "1536x864", "1440x900", "2560x1440", "390x844", "412x915"]
_LANGUAGES = ["en-US", "en-GB", "de-DE", "fr-FR", "pt-BR", "ja-JP", "hi-IN"]
_SESSIONS_PER_ACTOR = 5  # of an actor
_encoder = msgspec.json.Encoder()


def build_program_event(source: random.Random) -> Event:
    """One event of a program."""
    actor = source.randrange(200_000)
    return _build_actor_fields(actor, source) | {
        "properties": {
            "server_id": f"server-{source.randrange(2000)}",
            "plan": source.choice(["free", "pro", "team"]),
            "page": f"/docs/{source.randrange(500)}",
            "amount": round(source.random() * 100, 2),
            "count": source.randrange(1000),
            "ok": source.random() < 0.9,
            "tags": ["a", "b"],
            "ref": "https://example.com",
        },
    }


def build_web_event(source: random.Random) -> Event:
    """One event of a web site."""
    actor = source.randrange(200_000)
    session = random.Random(actor * _SESSIONS_PER_ACTOR + source.randrange(_SESSIONS_PER_ACTOR))
    system, build = session.choice(_SYSTEMS), session.choice(_BUILDS)
    return _build_actor_fields(actor, source) | {
        "properties": {
            "id": _uuid(source),
            "session": _uuid(session),
            "userAgent": f"Mozilla/5.0 ({system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{build} Safari/537.36",
            "path": f"/docs/{source.randrange(500)}",
            "referrer": f"https://example.com/{source.randrange(100)}",
            "screen": session.choice(_SCREENS),
            "language": session.choice(_LANGUAGES),
            "took": round(source.random() * 1000, 1),
        },
    }


def build_single_bodies(count: int, seed: int = 1) -> list[bytes]:
    """`count` different bodies of one event."""
    source = random.Random(seed)
    return [_encoder.encode(build_program_event(source)) for _ in range(count)]


def build_batch_bodies(
    count: int, events_per_body: int = 500, seed: int = 2, make_event: MakeEvent = build_program_event
) -> list[bytes]:
    """`count` different bodies of `events_per_body` events."""
    random_source = random.Random(seed)
    return [
        _encoder.encode({"events": [make_event(random_source) for _ in range(events_per_body)]}) for _ in range(count)
    ]


def _build_actor_fields(actor: int, source: random.Random) -> Event:
    return {"name": source.choice(_NAMES), "_actor": f"user-{actor:06d}", "_actorLabel": f"User {actor}"}


def _uuid(source: random.Random) -> str:
    return str(uuid.UUID(int=source.getrandbits(128), version=4))
