SELECT 0 AS part, timestamp >= fromUnixTimestamp64Milli({current_ms:Int64}, 'UTC') AS key,
  [toJSONString(uniqExactArray(multiIf({in_map:strings, key}, [concat('t', {value:strings, key})], {in_map:number_texts, key}, [concat('n', {value:number_texts, key})], {in_map:numbers, key}, [concat('n', toString({value:numbers, key} + 0))], {in_map:texts, key}, [concat('o', {value:texts, key})], arrayMap(element -> concat('t', element), {value:lists, key}))))] AS measures
FROM events
WHERE {scope}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND name = {event:String}
  AND {value:strings, key} = {text:String}
GROUP BY key

-- key = "plan"
-- current_ms = 1792584000000
-- from_ms = 1789992000000
-- until_ms = 1795176000000
-- event = "paid"
-- text = "pro"
