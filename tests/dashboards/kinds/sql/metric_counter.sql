SELECT 0 AS part, timestamp >= fromUnixTimestamp64Milli({current_ms:Int64}, 'UTC') AS key,
  [toJSONString(ifNotFinite(quantileExactInclusiveOrNullIf(0.5)({value:numbers, key}, {has_value:numbers, key}), NULL))] AS measures
FROM events
WHERE {scope}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND name = {event:String}
  AND {value:strings, key_2} = {text:String}
GROUP BY key

-- key = "price"
-- current_ms = 1792584000000
-- from_ms = 1789992000000
-- until_ms = 1795176000000
-- event = "paid"
-- key_2 = "plan"
-- text = "pro"
