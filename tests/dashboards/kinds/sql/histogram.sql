SELECT minOrNullIf({value:numbers, key}, {has_value:numbers, key}) AS least, maxOrNullIf({value:numbers, key}, {has_value:numbers, key}) AS greatest
FROM events
WHERE {scope}
  AND name = {event:String}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND {skip_hint:numbers, key}
  AND (({in_map:strings, key_2} OR {in_map:numbers, key_2} OR {in_map:texts, key_2} OR {in_map:lists, key_2}) AND NOT {value:strings, key_2} = {text:String})

-- key = "amount"
-- event = "paid"
-- from_ms = 1794571200000
-- until_ms = 1795176000000
-- key_2 = "plan"
-- text = "free"
-- edges = [0.0, 2.0, 4.0, 6.0]

SELECT roundDown({value:numbers, key}, {edges:Array(Float64)}) AS edge, countIf({has_value:numbers, key}) AS counted
FROM events
WHERE {scope}
  AND name = {event:String}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND {skip_hint:numbers, key}
  AND (({in_map:strings, key_2} OR {in_map:numbers, key_2} OR {in_map:texts, key_2} OR {in_map:lists, key_2}) AND NOT {value:strings, key_2} = {text:String})
GROUP BY edge

-- key = "amount"
-- event = "paid"
-- from_ms = 1794571200000
-- until_ms = 1795176000000
-- key_2 = "plan"
-- text = "free"
-- edges = [0.0, 2.0, 4.0, 6.0]
