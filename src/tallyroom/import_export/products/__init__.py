"""Ready-made mappings for the exports of other products, one file each."""

from collections.abc import Callable
from typing import Final, Literal

from tallyroom.import_export.mapping import Columns, Mapping
from tallyroom.import_export.products import mixpanel, plausible, posthog, umami

Product = Literal["posthog", "plausible", "umami", "mixpanel"]

PRODUCTS: Final[dict[Product, Callable[[Columns | None], Mapping]]] = {
    "posthog": posthog.mapping,
    "plausible": plausible.mapping,
    "umami": umami.mapping,
    "mixpanel": mixpanel.mapping,
}
"""The mapping of each product, for a file with these columns; None if the columns are only known row by row."""
