"""Synthetic events: 8 properties, about 290 bytes, 200,000 actors, 2,000 groups, 20 names."""

import random

import msgspec

_NAMES = [f"event_{number}" for number in range(20)]
_encoder = msgspec.json.Encoder()


def event(source: random.Random) -> dict[str, object]:
    """One event."""
    actor = source.randrange(200_000)
    return {
        "name": source.choice(_NAMES),
        "_actor": f"user-{actor:06d}",
        "_actorLabel": f"User {actor}",
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


def singles(count: int, seed: int = 1) -> list[bytes]:
    """`count` different bodies of one event."""
    source = random.Random(seed)
    return [_encoder.encode(event(source)) for _ in range(count)]


def batches(count: int, size: int = 500, seed: int = 2) -> list[bytes]:
    """`count` different bodies of `size` events."""
    source = random.Random(seed)
    return [_encoder.encode({"events": [event(source) for _ in range(size)]}) for _ in range(count)]
