"""The values of an event that are compared, as SQL.

In the store, a value is a code: the number of its key, from 1, in the low bits, and a hash of its label above. Codes are
faster to count than texts, and they are all that has to be kept of a unit's values.
"""

from collections.abc import Callable, Sequence

from tallyroom.queries.differences.compared_keys import NUMBER_LABEL_SQL, ComparedKey
from tallyroom.queries.keys import OWN_FIELDS
from tallyroom.queries.query_parameters import QueryParameters

KEY_MASK = (1 << 13) - 1  # the low bits, enough for `compared_keys.MAX_KEYS`

_HASH_SHIFT = KEY_MASK.bit_length()

_BuildElement = Callable[[str, str], str]
"""From SQL for the code and SQL for the label of a value to SQL for an element of the array."""


def build_codes_sql(keys: Sequence[ComparedKey], parameters: QueryParameters) -> str:
    """Return SQL for an array of the codes of an event's values; those with the key 0 are not compared."""
    return _build_array_sql(keys, parameters, lambda code_sql, _: code_sql)


def build_coded_labels_sql(keys: Sequence[ComparedKey], parameters: QueryParameters) -> str:
    """Return SQL for the same array with a code and its label in each element."""
    return _build_array_sql(keys, parameters, lambda code_sql, label_sql: f"({code_sql}, {label_sql})")


def find_key(code: int, keys: Sequence[ComparedKey]) -> ComparedKey:
    """Return the key of a value."""
    return keys[(code & KEY_MASK) - 1]


def _build_array_sql(keys: Sequence[ComparedKey], parameters: QueryParameters, build_element: _BuildElement) -> str:
    own_elements = []
    properties: list[tuple[int, ComparedKey]] = []
    for number, key in enumerate(keys, 1):
        if key.is_own:
            column = OWN_FIELDS[key.name]
            code_sql = _build_code_sql(f"if({column} = '', 0, {number})", column)
            own_elements.append(build_element(code_sql, f"CAST({column}, 'String')"))
        else:
            properties.append((number, key))
    arrays = [f"[{', '.join(own_elements)}]"]
    if strings := [(number, key.name) for number, key in properties if key.has_strings]:
        code_sql = _build_code_sql(_build_key_number_sql(strings, parameters), "label")
        arrays.append(f"arrayMap((key, label) -> {build_element(code_sql, 'label')}, strings.keys, strings.values)")
    if texts := [(number, key.name) for number, key in properties if key.has_texts]:
        number_sql = f"if(label IN ('true', 'false'), {_build_key_number_sql(texts, parameters)}, 0)"
        code_sql = _build_code_sql(number_sql, "label")
        arrays.append(f"arrayMap((key, label) -> {build_element(code_sql, 'label')}, texts.keys, texts.values)")
    if integers := [(number, key.name) for number, key in properties if key.has_integers]:
        code_sql = _build_code_sql(_build_key_number_sql(integers, parameters), NUMBER_LABEL_SQL)
        element_sql = build_element(code_sql, NUMBER_LABEL_SQL)
        arrays.append(f"arrayMap((key, number) -> {element_sql}, numbers.keys, numbers.values)")
    return f"arrayConcat({', '.join(arrays)})"


def _build_key_number_sql(numbered_names: Sequence[tuple[int, str]], parameters: QueryParameters) -> str:
    numbers_placeholder = parameters.bind_integers("key_numbers", [number for number, _ in numbered_names])
    names_placeholder = parameters.bind_texts("keys", [name for _, name in numbered_names])
    return f"transform(key, {names_placeholder}, {numbers_placeholder}, 0)"


def _build_code_sql(key_number_sql: str, label_sql: str) -> str:
    return f"bitOr(bitShiftLeft(reinterpretAsInt64(sipHash64({label_sql})), {_HASH_SHIFT}), {key_number_sql})"
