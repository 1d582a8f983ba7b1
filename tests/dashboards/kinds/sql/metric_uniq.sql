SELECT 0 AS part, timestamp >= fromUnixTimestamp64Milli({current_ms:Int64}, 'UTC') AS key,
  [toJSONString(uniqExactArray(multiIf(has(mapKeys(strings), {key:String}), [concat('t', strings.values[indexOf(strings.keys, {key:String})])], ({has_number_texts:UInt8} = 1 AND has(mapKeys(number_texts), {key:String})), [concat('n', number_texts.values[indexOf(number_texts.keys, {key:String})])], has(mapKeys(numbers), {key:String}), [concat('n', toString(numbers.values[indexOf(numbers.keys, {key:String})] + 0))], has(mapKeys(texts), {key:String}), [concat('o', texts.values[indexOf(texts.keys, {key:String})])], arrayMap(element -> concat('t', element), lists.values[indexOf(lists.keys, {key:String})]))))] AS measures
FROM events
WHERE {scope}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
  AND name = {event:String}
  AND strings.values[indexOf(strings.keys, {key:String})] = {text:String}
GROUP BY key

-- key = "plan"
-- current_ms = 1792584000000
-- from_ms = 1789992000000
-- until_ms = 1795176000000
-- event = "paid"
-- text = "pro"
