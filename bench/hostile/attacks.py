"""Every attack."""

from collections.abc import Iterator

from bench.hostile.chunks import on_connections
from bench.hostile.ingest import on_ingest
from bench.hostile.listings import on_pictures, on_statistics
from bench.hostile.pages import on_dashboards, on_sign_ins, on_the_rest
from bench.hostile.questions import on_events, on_questions
from bench.hostile.request import Attack
from bench.hostile.telemetry import on_opentelemetry


def attacks() -> Iterator[Attack]:
    """Every attack, family by family."""
    yield from on_ingest()
    yield from on_opentelemetry()
    yield from on_questions()
    yield from on_events()
    yield from on_dashboards()
    yield from on_sign_ins()
    yield from on_statistics()
    yield from on_pictures()
    yield from on_the_rest()
    yield from on_connections()
