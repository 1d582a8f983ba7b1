SELECT 0 AS part, toBool(timestamp >= fromUnixTimestamp64Milli({current_ms:Int64}, 'UTC')) AS current,
  [toFloat64(count()), toFloat64(uniqExactIf(actor, actor != ''))] AS measures
FROM events
WHERE {scope}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND name = {event:String}
GROUP BY current
UNION ALL
SELECT 1 AS part, toBool(timestamp >= fromUnixTimestamp64Milli({current_ms:Int64}, 'UTC')) AS current,
  [toFloat64(ifNotFinite(sumIf(numbers.values[indexOf(numbers.keys, {key:String})], has(mapKeys(numbers), {key:String})), NULL))] AS measures
FROM events
WHERE {scope}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND name = {event_2:String}
GROUP BY current
UNION ALL
SELECT 2 AS part, toBool(timestamp >= fromUnixTimestamp64Milli({current_ms:Int64}, 'UTC')) AS current,
  [toFloat64(ifNotFinite(avgOrNullIf(numbers.values[indexOf(numbers.keys, {key:String})], has(mapKeys(numbers), {key:String})), NULL))] AS measures
FROM events
WHERE {scope}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND name = {event_2:String}
  AND strings.values[indexOf(strings.keys, {key_2:String})] = {text:String}
GROUP BY current

-- from_ms = 1795003200000
-- until_ms = 1795176000000
-- event = "visit"
-- current_ms = 1795089600000
-- key = "price"
-- event_2 = "paid"
-- key_2 = "plan"
-- text = "pro"
