"""How many bytes a body may have, by what it is for (rules/safety#body-sizes)."""

from typing import Final

SMALL_BODY_BYTES: Final = 16_000
"""A form, a name, a choice: what a body has where nothing else is said. It also has to come sooner than others."""

CONFIG_BODY_BYTES: Final = 262_144
"""A widget with its config, or filters: 64 KiB as compact JSON, and more as a client may write it."""

DATA_BODY_BYTES: Final = 1_000_000
"""The counters of 100,000 shards, or the points of a picture."""
