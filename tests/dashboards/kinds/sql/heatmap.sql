SELECT (intDiv((toUnixTimestamp64Milli(timestamp) + {ahead_ms:Int64}), {hour_ms:Int64}) + 72) % 168 AS hour, count() AS counted
FROM events
WHERE {scope}
  AND name = {event:String}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND {value:strings, key} = {text:String}
GROUP BY hour

-- event = "open"
-- from_ms = 1794571200000
-- until_ms = 1795176000000
-- key = "plan"
-- text = "pro"
-- ahead_ms = 3600000
-- hour_ms = 3600000
