SELECT label, (sum(toInt128(toInt64(if((abs(round((added AS key_number) * 1e6) AS key_millionths) <= 1e15 AND key_millionths / 1e6 = key_number) AS key_is_decimal, key_millionths, 0)))), sumCountMapIf(map(bitShiftRight(reinterpretAsUInt64(key_number) AS key_bits, 52), toInt128(bitAnd(key_bits, 4503599627370495))), NOT key_is_decimal), countIf(held)) AS total
FROM (
  SELECT arrayJoin(arraySlice(strings.values, indexOf(strings.keys, {key_2:String}), 1)) AS label, numbers.values[indexOf(numbers.keys, {key:String})] AS added, indexOf(numbers.keys, {key:String}) > 0 AS held
  FROM events
  WHERE {scope}
    AND name = {event:String}
    AND strings.values[indexOf(strings.keys, {key_2:String})] = {text:String}
    AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
    AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
    AND indexHint(has(mapKeys(strings), {key_2:String}))
  UNION ALL
  SELECT arrayJoin(arraySlice(texts.values, indexOf(texts.keys, {key_2:String}), 1)) AS label, numbers.values[indexOf(numbers.keys, {key:String})] AS added, indexOf(numbers.keys, {key:String}) > 0 AS held
  FROM events
  WHERE {scope}
    AND name = {event:String}
    AND strings.values[indexOf(strings.keys, {key_2:String})] = {text:String}
    AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
    AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
    AND indexHint(has(mapKeys(texts), {key_2:String}))
  UNION ALL
  SELECT arrayJoin(arrayDistinct(lists.values[indexOf(lists.keys, {key_2:String})])) AS label, numbers.values[indexOf(numbers.keys, {key:String})] AS added, indexOf(numbers.keys, {key:String}) > 0 AS held
  FROM events
  WHERE {scope}
    AND name = {event:String}
    AND strings.values[indexOf(strings.keys, {key_2:String})] = {text:String}
    AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
    AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
    AND indexHint(has(mapKeys(lists), {key_2:String}))
  UNION ALL
  SELECT arrayJoin(arraySlice(number_texts.values, indexOf(number_texts.keys, {key_2:String}), 1)) AS label, numbers.values[indexOf(numbers.keys, {key:String})] AS added, indexOf(numbers.keys, {key:String}) > 0 AS held
  FROM events
  WHERE {scope}
    AND name = {event:String}
    AND strings.values[indexOf(strings.keys, {key_2:String})] = {text:String}
    AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
    AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
    AND ({has_number_texts:UInt8} = 1 AND has(mapKeys(number_texts), {key_2:String}))
  UNION ALL
  SELECT toString(arrayJoin(arraySlice(numbers.values, indexOf(numbers.keys, {key_2:String}), 1)) + 0) AS label, numbers.values[indexOf(numbers.keys, {key:String})] AS added, indexOf(numbers.keys, {key:String}) > 0 AS held
  FROM events
  WHERE {scope}
    AND name = {event:String}
    AND strings.values[indexOf(strings.keys, {key_2:String})] = {text:String}
    AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
    AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
    AND indexHint(has(mapKeys(numbers), {key_2:String})) AND NOT ({has_number_texts:UInt8} = 1 AND has(mapKeys(number_texts), {key_2:String}))
)
GROUP BY label
ORDER BY ifNotFinite((total.1 / 1000000 + arraySum((upper, lower) -> (lower.1 / 4503599627370496 + lower.2) * reinterpretAsFloat64(bitShiftLeft(upper, 52)), mapKeys(total.2), mapValues(total.2))) / total.3, NULL) DESC NULLS LAST, label
LIMIT {limit:Int64}

-- key = "price"
-- event = "paid"
-- key_2 = "plan"
-- text = "pro"
-- from_ms = 1792584000000
-- until_ms = 1795176000000
-- limit = 10
