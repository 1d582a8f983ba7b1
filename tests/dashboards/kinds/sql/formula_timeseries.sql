SELECT 'a' AS part, groupArray((bucket, value)) AS points
FROM (
SELECT toUInt16(intDiv((toUnixTimestamp64Milli(timestamp) + {ahead_ms:Int64}), {step_ms:Int64})) AS bucket, toJSONString(count()) AS value
FROM events
WHERE {scope}
  AND name = {event:String}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
GROUP BY bucket
)
UNION ALL
SELECT 'b' AS part, groupArray((bucket, value)) AS points
FROM (
SELECT toUInt16(intDiv((toUnixTimestamp64Milli(timestamp) + {ahead_ms:Int64}), {step_ms:Int64})) AS bucket, toJSONString(count()) AS value
FROM events
WHERE {scope}
  AND name = {event_2:String}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
GROUP BY bucket
)

-- event = "refund"
-- from_ms = 1792584000000
-- until_ms = 1795176000000
-- ahead_ms = 0
-- step_ms = 86400000
-- event_2 = "order"
