"""The values of an event that are compared, as SQL.

In the store, a value is a code: a hash of its label, and in the low bits the number of its key. Codes take less time
and memory to count than texts, even if there are millions. The code of an event that has a key, with any value or none
to compare, is the number of the key alone.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Final, NamedTuple

import msgspec

from tallyroom.queries.differences.compared_properties import NUMBER_LABEL_SQL, ComparedProperties
from tallyroom.queries.differences.contrast import Contrast
from tallyroom.queries.keys import spell_property
from tallyroom.queries.query_parameters import QueryParameters

NO_KEY_NUMBER: Final = 0  # of values that are not compared
NAME_NUMBER: Final = 1  # of the key `name`, which each event has
KEY_MASK: Final = (1 << 13) - 1  # the low bits, enough for `MAX_PROPERTIES`

_SOURCE_NUMBER = 2
_FIRST_PROPERTY_NUMBER = 3
_HASH_SHIFT = KEY_MASK.bit_length()

_BuildElement = Callable[[str, str], str]
"""From SQL for a code and for its label to SQL for an element of an array."""


class ValueCodes(msgspec.Struct, frozen=True, kw_only=True):
    """The codes of an event's values, as SQL for an array of them, and for one of pairs with their labels.

    A code with `NO_KEY_NUMBER` is not compared.
    """

    codes_sql: str
    pairs_sql: str
    key_by_number: dict[int, str]

    def find_key(self, code: int) -> str:
        """Return the key of a value, as filters name it."""
        return self.key_by_number[code & KEY_MASK]


class _NumberedProperties(NamedTuple):
    number_by_name: dict[str, int]
    properties: ComparedProperties
    parameters: QueryParameters

    def number_sql(self, names: Collection[str]) -> str:
        """Return SQL for the number of a property `key`, which may be in `names`; "" if none of these is compared."""
        numbers = {name: self.number_by_name[name] for name in sorted(names) if name in self.number_by_name}
        if not numbers:
            return ""
        names_placeholder = self.parameters.bind_texts("names", [*numbers])
        numbers_placeholder = self.parameters.bind_integers("numbers", [*numbers.values()])
        return f"transform(key, {names_placeholder}, {numbers_placeholder}, toInt64({NO_KEY_NUMBER}))"


def build_value_codes(contrast: Contrast, properties: ComparedProperties) -> ValueCodes:
    """Return the codes of all values to compare, which are not those of the keys of the point."""
    names = [name for name in properties.names if spell_property(name) not in contrast.point_keys]
    number_by_name = dict(zip(names, range(_FIRST_PROPERTY_NUMBER, KEY_MASK), strict=False))
    numbered_properties = _NumberedProperties(number_by_name, properties, contrast.parameters)
    key_by_number = {number: spell_property(name) for name, number in number_by_name.items()}
    return ValueCodes(
        codes_sql=_build_array_sql(contrast.point_keys, numbered_properties, lambda code_sql, _: code_sql),
        pairs_sql=_build_array_sql(
            contrast.point_keys, numbered_properties, lambda code_sql, label_sql: f"({code_sql}, {label_sql})"
        ),
        key_by_number={NAME_NUMBER: "name", _SOURCE_NUMBER: "_source"} | key_by_number,
    )


def _build_array_sql(
    point_keys: Collection[str], numbered_properties: "_NumberedProperties", build_element: _BuildElement
) -> str:
    arrays = [*_build_property_arrays(numbered_properties, build_element)]
    array_sql = arrays[0] if len(arrays) == 1 else f"arrayConcat({', '.join(arrays) or '[]'})"
    for element_sql in _build_own_elements(point_keys, build_element):
        array_sql = f"arrayPushBack({array_sql}, {element_sql})"
    return array_sql


def _build_own_elements(point_keys: Collection[str], build_element: _BuildElement) -> Iterator[str]:
    if "name" in point_keys:
        yield build_element(f"toInt64({NAME_NUMBER})", "''")
    else:
        yield build_element(_build_code_sql("name", str(NAME_NUMBER)), "CAST(name, 'String')")
    if "_source" not in point_keys:
        number_sql = f"if(source = '', {NO_KEY_NUMBER}, {_SOURCE_NUMBER})"
        yield build_element(_build_code_sql("source", number_sql), "CAST(source, 'String')")


def _build_property_arrays(numbered_properties: "_NumberedProperties", build_element: _BuildElement) -> Iterator[str]:
    """Yield SQL for the elements of each map that has any, also for values of its properties that are not compared."""
    names_by_map, integers = numbered_properties.properties.names_by_map, numbered_properties.properties.integers
    if number_sql := numbered_properties.number_sql(names_by_map["strings"]):
        element_sql = build_element(_build_code_sql("label", number_sql), "label")
        yield f"arrayMap((key, label) -> {element_sql}, strings.keys, strings.values)"
    if number_sql := numbered_properties.number_sql(names_by_map["texts"]):
        code_sql = f"if(label IN ('true', 'false'), {_build_code_sql('label', number_sql)}, {number_sql})"
        yield f"arrayMap((key, label) -> {build_element(code_sql, 'label')}, texts.keys, texts.values)"
    if number_sql := numbered_properties.number_sql(integers):
        element_sql = build_element(_build_code_sql(NUMBER_LABEL_SQL, number_sql), NUMBER_LABEL_SQL)
        yield f"arrayMap((key, number) -> {element_sql}, numbers.keys, numbers.values)"
    for map_name, names in (("numbers", names_by_map["numbers"] - integers), ("lists", names_by_map["lists"])):
        if number_sql := numbered_properties.number_sql(names):
            element_sql = build_element(number_sql, "''")
            yield f"arrayMap(key -> {element_sql}, {map_name}.keys)"


def _build_code_sql(label_sql: str, key_number_sql: str) -> str:
    return f"bitOr(bitShiftLeft(reinterpretAsInt64(xxh3({label_sql})), {_HASH_SHIFT}), {key_number_sql})"
