SELECT label, ifNotFinite(quantileExactInclusiveOrNullIfMerge(0.95)(state), NULL) AS total, groupArray((bucket, ifNotFinite(finalizeAggregation(state), NULL))) AS points
FROM (
  SELECT label, bucket, quantileExactInclusiveOrNullIfState(0.95)(added, held) AS state
  FROM (
    SELECT arrayJoin(arraySlice(strings.values, indexOf(strings.keys, {key_2:String}), 1)) AS label, toUInt16(intDiv((toUnixTimestamp64Milli(timestamp) + if(timestamp >= fromUnixTimestamp64Milli({since_ms:Int64}, 'UTC'), {ahead_ms_2:Int64}, {ahead_ms:Int64})), {step_ms:Int64})) AS bucket, numbers.values[indexOf(numbers.keys, {key:String})] AS added, indexOf(numbers.keys, {key:String}) > 0 AS held
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND strings.values[indexOf(strings.keys, {key_2:String})] = {text:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND indexHint(has(mapKeys(strings), {key_2:String}))
    UNION ALL
    SELECT arrayJoin(arraySlice(texts.values, indexOf(texts.keys, {key_2:String}), 1)) AS label, toUInt16(intDiv((toUnixTimestamp64Milli(timestamp) + if(timestamp >= fromUnixTimestamp64Milli({since_ms:Int64}, 'UTC'), {ahead_ms_2:Int64}, {ahead_ms:Int64})), {step_ms:Int64})) AS bucket, numbers.values[indexOf(numbers.keys, {key:String})] AS added, indexOf(numbers.keys, {key:String}) > 0 AS held
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND strings.values[indexOf(strings.keys, {key_2:String})] = {text:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND indexHint(has(mapKeys(texts), {key_2:String}))
    UNION ALL
    SELECT arrayJoin(arrayDistinct(lists.values[indexOf(lists.keys, {key_2:String})])) AS label, toUInt16(intDiv((toUnixTimestamp64Milli(timestamp) + if(timestamp >= fromUnixTimestamp64Milli({since_ms:Int64}, 'UTC'), {ahead_ms_2:Int64}, {ahead_ms:Int64})), {step_ms:Int64})) AS bucket, numbers.values[indexOf(numbers.keys, {key:String})] AS added, indexOf(numbers.keys, {key:String}) > 0 AS held
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND strings.values[indexOf(strings.keys, {key_2:String})] = {text:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND indexHint(has(mapKeys(lists), {key_2:String}))
    UNION ALL
    SELECT arrayJoin(arraySlice(number_texts.values, indexOf(number_texts.keys, {key_2:String}), 1)) AS label, toUInt16(intDiv((toUnixTimestamp64Milli(timestamp) + if(timestamp >= fromUnixTimestamp64Milli({since_ms:Int64}, 'UTC'), {ahead_ms_2:Int64}, {ahead_ms:Int64})), {step_ms:Int64})) AS bucket, numbers.values[indexOf(numbers.keys, {key:String})] AS added, indexOf(numbers.keys, {key:String}) > 0 AS held
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND strings.values[indexOf(strings.keys, {key_2:String})] = {text:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND ({has_number_texts:UInt8} = 1 AND has(mapKeys(number_texts), {key_2:String}))
    UNION ALL
    SELECT toString(arrayJoin(arraySlice(numbers.values, indexOf(numbers.keys, {key_2:String}), 1)) + 0) AS label, toUInt16(intDiv((toUnixTimestamp64Milli(timestamp) + if(timestamp >= fromUnixTimestamp64Milli({since_ms:Int64}, 'UTC'), {ahead_ms_2:Int64}, {ahead_ms:Int64})), {step_ms:Int64})) AS bucket, numbers.values[indexOf(numbers.keys, {key:String})] AS added, indexOf(numbers.keys, {key:String}) > 0 AS held
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND strings.values[indexOf(strings.keys, {key_2:String})] = {text:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND indexHint(has(mapKeys(numbers), {key_2:String})) AND NOT ({has_number_texts:UInt8} = 1 AND has(mapKeys(number_texts), {key_2:String}))
  )
  GROUP BY label, bucket
)
GROUP BY label
ORDER BY total DESC NULLS LAST, label
LIMIT {limit:Int64}

-- key = "price"
-- ahead_ms = 7200000
-- since_ms = 1792890000000
-- ahead_ms_2 = 3600000
-- step_ms = 86400000
-- event = "paid"
-- key_2 = "plan"
-- text = "pro"
-- from_ms = 1792584000000
-- until_ms = 1795176000000
-- limit = 10
