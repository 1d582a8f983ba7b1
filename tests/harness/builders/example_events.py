"""The events that the examples of the OpenAPI document are about."""

from typing import Any


def _event(name: str, at: str, actor: str, source: str = "", **properties: Any) -> dict[str, Any]:
    event = {"name": name, "_timestamp": f"2025-{at}Z", "_actor": actor, "_actorLabel": actor.title()}
    return event | ({"_source": source} if source else {}) | {"properties": properties}


EXAMPLE_EVENTS = [
    _event("page.viewed", "09-15T12:00", "dan", "web", path="/tea", ms=140),
    _event("order.placed", "09-15T12:30", "dan", total=20, plan="free", order="A-1"),
    _event("page.viewed", "10-06T09:00", "ann", "web", path="/tea", ms=120),
    _event("cart.filled", "10-06T09:05", "ann", items=["tea", "cup"], order="A-2"),
    _event("order.placed", "10-06T09:20", "ann", total=42.5, plan="pro", order="A-2"),
    _event("page.viewed", "10-07T10:00", "ben", "web", path="/tea", ms=95),
    _event("cart.filled", "10-07T10:10", "ben", items=["tea"], order="A-3"),
    _event("order.placed", "10-07T11:10", "ben", total=12, plan="free", order="A-3"),
    _event("page.viewed", "10-07T18:00", "cat", "app", path="/cups", ms=310),
    _event("cart.filled", "10-07T18:30", "cat", items=["cup"], order="A-4"),
    _event("cart.emptied", "10-07T18:40", "cat", order="A-4"),
    _event("order.placed", "10-07T19:00", "cat", total=99, order="A-4"),
    _event("page.viewed", "10-08T08:00", "eve", "app", path="/cups", ms=80),
]
