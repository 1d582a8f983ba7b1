SELECT minOrNull(numbers[{key:String}]) AS least, maxOrNull(numbers[{key:String}]) AS greatest
FROM events
WHERE {scope}
  AND name = {event:String}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND mapContains(numbers, {key:String})
  AND ((mapContains(strings, {key_2:String}) OR mapContains(numbers, {key_2:String}) OR mapContains(texts, {key_2:String}) OR mapContains(lists, {key_2:String})) AND NOT (strings[{key_2:String}] = {text:String} OR hasAny(lists[{key_2:String}], {texts:Array(String)})))

-- key = "amount"
-- event = "paid"
-- from_ms = 1794571200000
-- until_ms = 1795176000000
-- key_2 = "plan"
-- text = "free"
-- texts = ["free"]
-- edges = [0.0, 2.0, 4.0, 6.0]

SELECT roundDown(numbers[{key:String}], {edges:Array(Float64)}) AS edge, count() AS counted
FROM events
WHERE {scope}
  AND name = {event:String}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND mapContains(numbers, {key:String})
  AND ((mapContains(strings, {key_2:String}) OR mapContains(numbers, {key_2:String}) OR mapContains(texts, {key_2:String}) OR mapContains(lists, {key_2:String})) AND NOT (strings[{key_2:String}] = {text:String} OR hasAny(lists[{key_2:String}], {texts:Array(String)})))
GROUP BY edge

-- key = "amount"
-- event = "paid"
-- from_ms = 1794571200000
-- until_ms = 1795176000000
-- key_2 = "plan"
-- text = "free"
-- texts = ["free"]
-- edges = [0.0, 2.0, 4.0, 6.0]
