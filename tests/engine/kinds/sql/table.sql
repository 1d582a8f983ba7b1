SELECT id, name, toUnixTimestamp64Milli(timestamp) AS timestamp_ms, source, actor, properties
FROM events
WHERE {scope}
  AND name = {event:String}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND actor != ''
  AND (timestamp, received_at, spool, seq) IN (
    SELECT timestamp, received_at, spool, seq
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND actor != ''
    ORDER BY timestamp DESC, received_at DESC, spool DESC, seq DESC
    LIMIT {limit:Int64})
ORDER BY timestamp DESC, received_at DESC, spool DESC, seq DESC

-- event = "open"
-- from_ms = 1794571200000
-- until_ms = 1795176000000
-- limit = 25
