"""The column with the exact values of numbers that are more than their doubles (rules/events#kinds-of-values).

Ingest sends it with each event (ingest/validation/number_shape.py); it is empty for nearly all. For events that were
stored or sent by earlier versions, ClickHouse derives it from the properties (migrations/0006_number_texts.sql).
"""

from typing import Final

NUMBER_TEXTS: Final = "number_texts"
NUMBER_TEXTS_INDEX: Final = "number_texts_keys"
HAS_NUMBER_TEXTS_SQL: Final = "{has_number_texts}"
"""A slot of queries (property_columns/slots.py): whether the column is filled for all events in question. If not,
numbers are distinguished by their doubles, because deriving the column during the query takes too long."""
