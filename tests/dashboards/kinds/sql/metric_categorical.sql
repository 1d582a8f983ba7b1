SELECT label, (sum(toInt128(toInt64(if((abs(round((added AS key_number) * 1e6) AS key_millionths) <= 1e15 AND key_millionths / 1e6 = key_number) AS key_is_decimal, key_millionths, 0)))), sumCountMapIf(map(bitShiftRight(reinterpretAsUInt64(key_number) AS key_bits, 52), toInt128(bitAnd(key_bits, 4503599627370495))), NOT key_is_decimal), countIf(held)) AS total
FROM (
  SELECT {value_rows:strings, key_2} AS label, {value:numbers, key} AS added, {has_value:numbers, key} AS held
  FROM events
  WHERE {scope}
    AND name = {event:String}
    AND {value:strings, key_2} = {text:String}
    AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
    AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
    AND {skip_hint:strings, key_2}
  UNION ALL
  SELECT {value_rows:texts, key_2} AS label, {value:numbers, key} AS added, {has_value:numbers, key} AS held
  FROM events
  WHERE {scope}
    AND name = {event:String}
    AND {value:strings, key_2} = {text:String}
    AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
    AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
    AND {skip_hint:texts, key_2}
  UNION ALL
  SELECT arrayJoin(arrayDistinct({value:lists, key_2})) AS label, {value:numbers, key} AS added, {has_value:numbers, key} AS held
  FROM events
  WHERE {scope}
    AND name = {event:String}
    AND {value:strings, key_2} = {text:String}
    AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
    AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
    AND {skip_hint:lists, key_2}
  UNION ALL
  SELECT {value_rows:number_texts, key_2} AS label, {value:numbers, key} AS added, {has_value:numbers, key} AS held
  FROM events
  WHERE {scope}
    AND name = {event:String}
    AND {value:strings, key_2} = {text:String}
    AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
    AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
    AND {in_map:number_texts, key_2}
  UNION ALL
  SELECT toString({value_rows:numbers, key_2} + 0) AS label, {value:numbers, key} AS added, {has_value:numbers, key} AS held
  FROM events
  WHERE {scope}
    AND name = {event:String}
    AND {value:strings, key_2} = {text:String}
    AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
    AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
    AND {skip_hint:numbers, key_2} AND NOT {in_map:number_texts, key_2}
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
