SELECT id, name, toUnixTimestamp64Milli(timestamp) AS timestamp_ms, toUnixTimestamp64Milli(received_at) AS received_ms,
       source, actor, properties
FROM events
WHERE {scope}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND name = {event:String}
  AND actor != ''
ORDER BY timestamp DESC, received_at DESC, spool DESC, seq DESC
LIMIT {limit:Int64}

-- from_ms = 1795172400000
-- until_ms = 1795176000000
-- event = "open"
-- limit = 25
