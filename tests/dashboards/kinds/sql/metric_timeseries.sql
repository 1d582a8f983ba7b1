SELECT 0 AS part, toUInt16(intDiv((toUnixTimestamp64Milli(timestamp) + if(timestamp >= fromUnixTimestamp64Milli({since_ms:Int64}, 'UTC'), {ahead_ms_2:Int64}, {ahead_ms:Int64})), {step_ms:Int64})) AS key,
  [toJSONString(uniqExactIf(actor, actor != ''))] AS measures
FROM events
WHERE {scope}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND name = {event:String}
  AND {value:strings, key} = {text:String}
GROUP BY key

-- ahead_ms = 7200000
-- since_ms = 1792890000000
-- ahead_ms_2 = 3600000
-- step_ms = 86400000
-- from_ms = 1792584000000
-- until_ms = 1795176000000
-- event = "paid"
-- key = "plan"
-- text = "pro"
