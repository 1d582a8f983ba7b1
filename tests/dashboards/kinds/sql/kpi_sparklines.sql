SELECT 0 AS part, timestamp >= fromUnixTimestamp64Milli({current_ms:Int64}, 'UTC') AS key,
  [toJSONString(count()), toJSONString(uniqExactIf(actor, actor != ''))] AS measures
FROM events
WHERE {scope}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND name = {event:String}
GROUP BY key
UNION ALL
SELECT 1 AS part, timestamp >= fromUnixTimestamp64Milli({current_ms:Int64}, 'UTC') AS key,
  [toJSONString((sum(toInt128(toInt64(if((abs(round(({value:numbers, key} AS key_number) * 1e6) AS key_millionths) <= 1e15 AND key_millionths / 1e6 = key_number) AS key_is_decimal, key_millionths, 0)))), sumCountMapIf(map(bitShiftRight(reinterpretAsUInt64(key_number) AS key_bits, 52), toInt128(bitAnd(key_bits, 4503599627370495))), NOT key_is_decimal)))] AS measures
FROM events
WHERE {scope}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND name = {event_2:String}
GROUP BY key
UNION ALL
SELECT 2 AS part, timestamp >= fromUnixTimestamp64Milli({current_ms:Int64}, 'UTC') AS key,
  [toJSONString((sum(toInt128(toInt64(if((abs(round(({value:numbers, key} AS key_number) * 1e6) AS key_millionths) <= 1e15 AND key_millionths / 1e6 = key_number) AS key_is_decimal, key_millionths, 0)))), sumCountMapIf(map(bitShiftRight(reinterpretAsUInt64(key_number) AS key_bits, 52), toInt128(bitAnd(key_bits, 4503599627370495))), NOT key_is_decimal), countIf({has_value:numbers, key})))] AS measures
FROM events
WHERE {scope}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND name = {event_2:String}
  AND {value:strings, key_2} = {text:String}
GROUP BY key

-- key = "price"
-- current_ms = 1795089600000
-- from_ms = 1795003200000
-- until_ms = 1795176000000
-- event = "visit"
-- event_2 = "paid"
-- key_2 = "plan"
-- text = "pro"

SELECT 0 AS part, toUInt32(intDiv(toUnixTimestamp64Milli(timestamp), {step_ms:Int64})) AS key,
  [toJSONString(count()), toJSONString(uniqExactIf(actor, actor != ''))] AS measures
FROM events
WHERE {scope}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND name = {event:String}
GROUP BY key
UNION ALL
SELECT 1 AS part, toUInt32(intDiv(toUnixTimestamp64Milli(timestamp), {step_ms:Int64})) AS key,
  [toJSONString((sum(toInt128(toInt64(if((abs(round(({value:numbers, key} AS key_number) * 1e6) AS key_millionths) <= 1e15 AND key_millionths / 1e6 = key_number) AS key_is_decimal, key_millionths, 0)))), sumCountMapIf(map(bitShiftRight(reinterpretAsUInt64(key_number) AS key_bits, 52), toInt128(bitAnd(key_bits, 4503599627370495))), NOT key_is_decimal)))] AS measures
FROM events
WHERE {scope}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND name = {event_2:String}
GROUP BY key
UNION ALL
SELECT 2 AS part, toUInt32(intDiv(toUnixTimestamp64Milli(timestamp), {step_ms:Int64})) AS key,
  [toJSONString((sum(toInt128(toInt64(if((abs(round(({value:numbers, key} AS key_number) * 1e6) AS key_millionths) <= 1e15 AND key_millionths / 1e6 = key_number) AS key_is_decimal, key_millionths, 0)))), sumCountMapIf(map(bitShiftRight(reinterpretAsUInt64(key_number) AS key_bits, 52), toInt128(bitAnd(key_bits, 4503599627370495))), NOT key_is_decimal), countIf({has_value:numbers, key})))] AS measures
FROM events
WHERE {scope}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND name = {event_2:String}
  AND {value:strings, key_2} = {text:String}
GROUP BY key

-- step_ms = 3600000
-- key = "price"
-- from_ms = 1795089600000
-- until_ms = 1795176000000
-- event = "visit"
-- event_2 = "paid"
-- key_2 = "plan"
-- text = "pro"
