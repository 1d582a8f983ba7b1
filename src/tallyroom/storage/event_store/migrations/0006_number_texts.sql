-- The exact values of numbers that the shortest text of their double does not have, such as 9007199254740993, in one
-- form for each value (core/exact_numbers.py has the same form in Python). `numbers` keeps their doubles.
--
-- The original digits are only in `properties`: `JSONExtractKeysAndValuesRaw` rewrites doubles. An event is cut into
-- tokens only if a number in it has at least 16 characters or has an exponent below -99, so most events have no entry.
-- A token is a bracket, or a string with the number that it is the key of. The depth of a token is the sum of the
-- brackets before it, and at depth 1 are the event's own properties.
--
-- Not MATERIALIZED, so that inserts send the column (storage/event_store/number_texts.py): preparing this expression takes
-- half as long as a small insert. Parts that are there already get the column when they are merged or filled
-- (storage/event_store/column_fill.py).
ALTER TABLE events ADD COLUMN IF NOT EXISTS number_texts Map(LowCardinality(String), String) DEFAULT
    CAST(
        arrayMap(entry -> (entry.1, entry.2[1]),
            arrayFilter(entry -> entry.2[1] != entry.2[2],
                -- (key, [exact value, value of the shortest text]), each from (sign, significant digits, exponent)
                arrayMap(member -> (
                        JSONExtractString(extract(member, '^"(?:[^"\\\\]|\\\\.)*"')),
                        arrayMap(decimal -> multiIf(
                                decimal.2 = '', '0',
                                decimal.3 >= 0,
                                concat(decimal.1, decimal.2, repeat('0', least(decimal.3, 400))),
                                length(decimal.2) + decimal.3 > 0,
                                concat(decimal.1, substring(decimal.2, 1, length(decimal.2) + decimal.3), '.',
                                       substring(decimal.2, length(decimal.2) + decimal.3 + 1)),
                                length(decimal.2) + decimal.3 > -6,
                                concat(decimal.1, '0.', repeat('0', least(-decimal.3 - length(decimal.2), 6)), decimal.2),
                                concat(decimal.1, substring(decimal.2, 1, 1), if(length(decimal.2) > 1, '.', ''),
                                       substring(decimal.2, 2), 'e', toString(length(decimal.2) + decimal.3 - 1))),
                            arrayMap(decimal -> (
                                    decimal.1,
                                    trimLeft(trimRight(decimal.2, '0'), '0'),
                                    decimal.3 + length(decimal.2) - length(trimRight(decimal.2, '0'))),
                                arrayMap(text -> (
                                        if(startsWith(text, '-'), '-', ''),
                                        concat(extract(text, '^-?([0-9]+)'), extract(text, '[.]([0-9]+)')),
                                        toInt64(greatest(least(
                                            toFloat64OrZero(extract(text, '[eE][+]?(-?[0-9]+)$')), 1e9), -1e9))
                                            - length(extract(text, '[.]([0-9]+)'))),
                                    [extract(member, '[-+.eE0-9]+$'),
                                     toString(toFloat64(extract(member, '[-+.eE0-9]+$')))])))),
                    arrayFlatten(arrayMap(
                        tokens -> arrayFilter((token, depth) -> depth = 1 AND match(token, '[0-9]$'),
                            tokens,
                            arrayCumSum(token -> (token IN ('{', '[')) - (token IN ('}', ']')), tokens)),
                        [extractAll(
                            if(match(properties, '"\\s*:\\s*-?(?:[0-9.eE+-]{16}|[0-9.]+[eE]-0*[1-9][0-9]{2})'), properties, ''),
                            '"(?:[^"\\\\]|\\\\.)*"(?:\\s*:\\s*-?[0-9][-+.eE0-9]*)?|[{}\\[\\]]')]))))),
        'Map(LowCardinality(String), String)') CODEC(ZSTD(1));
ALTER TABLE events ADD INDEX IF NOT EXISTS number_texts_keys mapKeys(number_texts) TYPE set(100) GRANULARITY 1;
