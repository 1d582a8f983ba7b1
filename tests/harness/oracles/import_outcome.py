"""What an import makes of a file."""

import json
from pathlib import Path
from typing import Any

import msgspec

from tallyroom.import_export.batch import build_rows, split_batches
from tallyroom.import_export.endpoint import EVENTS_ENDPOINT
from tallyroom.import_export.mapper import choose_item_builder
from tallyroom.import_export.products import MAPPING_BUILDERS, Product
from tallyroom.import_export.source import open_source


def imported(path: Path, content: str, product: Product, **changes: Any) -> list[dict[str, Any]]:
    """The events that `--from product` would send of a file with this content, none of whose rows is refused."""
    path.write_text(content)
    with open_source(path) as source:
        mapping = msgspec.structs.replace(MAPPING_BUILDERS[product](source.columns), **changes)
        batches = list(
            split_batches(
                build_rows(source.rows, choose_item_builder(mapping, source.file_format), EVENTS_ENDPOINT),
                EVENTS_ENDPOINT,
            )
        )
    assert [batch.refusals for batch in batches if batch.refusals] == []
    return [json.loads(row.item_json) for batch in batches for row in batch.rows]
