"""What an import makes of a file."""

import json
from pathlib import Path
from typing import Any

import msgspec

from tallyroom.import_export.batch import cut, made
from tallyroom.import_export.endpoint import EVENTS
from tallyroom.import_export.mapper import maker
from tallyroom.import_export.products import PRODUCTS, Product
from tallyroom.import_export.source import open_source


def imported(path: Path, content: str, product: Product, **changes: Any) -> list[dict[str, Any]]:
    """The events that `--from product` would send of a file with this content, none of whose rows is refused."""
    path.write_text(content)
    with open_source(path) as source:
        mapping = msgspec.structs.replace(PRODUCTS[product](source.columns), **changes)
        batches = list(cut(made(source.rows, maker(mapping, source.form), EVENTS), EVENTS))
    assert [batch.refusals for batch in batches if batch.refusals] == []
    return [json.loads(row.item) for batch in batches for row in batch.rows]
