"""The most bytes of a body, by its purpose (rules/safety#body-sizes)."""

from typing import Final

SMALL_BODY_BYTES: Final = 16_000
"""The default: a form, a name, a choice. Such a body also has to arrive sooner than others."""

CONFIG_BODY_BYTES: Final = 262_144
"""A widget with its config, or filters: 64 KiB as compact JSON, and more as a client may format it."""

DATA_BODY_BYTES: Final = 1_000_000  # the counters of 100,000 shards, or the points of a picture
