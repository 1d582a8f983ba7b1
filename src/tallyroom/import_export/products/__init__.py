"""Mappings for the exports of other products, one file each."""

from collections.abc import Callable
from typing import Final, Literal

from tallyroom.import_export.mapping import ColumnMapping, Columns
from tallyroom.import_export.products import mixpanel, plausible, posthog, umami

Product = Literal["posthog", "plausible", "umami", "mixpanel"]

MAPPING_BUILDERS: Final[dict[Product, Callable[[Columns | None], ColumnMapping]]] = {
    "posthog": posthog.build_mapping,
    "plausible": plausible.build_mapping,
    "umami": umami.build_mapping,
    "mixpanel": mixpanel.build_mapping,
}
"""Builds the mapping of each product, for a file with these columns; None if each row has its own columns."""
