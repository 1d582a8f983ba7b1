SELECT minOrNullIf(numbers.values[indexOf(numbers.keys, {key:String})], indexOf(numbers.keys, {key:String}) > 0) AS least, maxOrNullIf(numbers.values[indexOf(numbers.keys, {key:String})], indexOf(numbers.keys, {key:String}) > 0) AS greatest
FROM events
WHERE {scope}
  AND name = {event:String}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND indexHint(has(mapKeys(numbers), {key:String}))
  AND ((has(mapKeys(strings), {key_2:String}) OR has(mapKeys(numbers), {key_2:String}) OR has(mapKeys(texts), {key_2:String}) OR has(mapKeys(lists), {key_2:String})) AND NOT strings.values[indexOf(strings.keys, {key_2:String})] = {text:String})

-- key = "amount"
-- event = "paid"
-- from_ms = 1794571200000
-- until_ms = 1795176000000
-- key_2 = "plan"
-- text = "free"
-- edges = [0.0, 2.0, 4.0, 6.0]

SELECT roundDown(numbers.values[indexOf(numbers.keys, {key:String})], {edges:Array(Float64)}) AS edge, countIf(indexOf(numbers.keys, {key:String}) > 0) AS counted
FROM events
WHERE {scope}
  AND name = {event:String}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND indexHint(has(mapKeys(numbers), {key:String}))
  AND ((has(mapKeys(strings), {key_2:String}) OR has(mapKeys(numbers), {key_2:String}) OR has(mapKeys(texts), {key_2:String}) OR has(mapKeys(lists), {key_2:String})) AND NOT strings.values[indexOf(strings.keys, {key_2:String})] = {text:String})
GROUP BY edge

-- key = "amount"
-- event = "paid"
-- from_ms = 1794571200000
-- until_ms = 1795176000000
-- key_2 = "plan"
-- text = "free"
-- edges = [0.0, 2.0, 4.0, 6.0]
