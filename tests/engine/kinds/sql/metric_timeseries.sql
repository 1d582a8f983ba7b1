SELECT toUInt16(toDate(timestamp, {timezone:String})) AS bucket, uniqExactIf(actor, actor != '') AS value
FROM events
WHERE {scope}
  AND name = {event:String}
  AND strings.values[indexOf(strings.keys, {key:String})] = {text:String}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
GROUP BY bucket

-- event = "paid"
-- key = "plan"
-- text = "pro"
-- from_ms = 1792584000000
-- until_ms = 1795176000000
-- timezone = "Europe/Berlin"
