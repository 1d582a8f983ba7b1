SELECT label, ifNotFinite(quantileExactInclusiveOrNullIfMerge(0.95)(state), NULL) AS total, groupArray((bucket, ifNotFinite(finalizeAggregation(state), NULL))) AS points
FROM (
  SELECT label, bucket, quantileExactInclusiveOrNullIfState(0.95)(added, held) AS state
  FROM (
    SELECT {value_rows:strings, key_2} AS label, toUInt16(intDiv((toUnixTimestamp64Milli(timestamp) + if(timestamp >= fromUnixTimestamp64Milli({since_ms:Int64}, 'UTC'), {ahead_ms_2:Int64}, {ahead_ms:Int64})), {step_ms:Int64})) AS bucket, {value:numbers, key} AS added, {has_value:numbers, key} AS held
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND {value:strings, key_2} = {text:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {skip_hint:strings, key_2}
    UNION ALL
    SELECT {value_rows:texts, key_2} AS label, toUInt16(intDiv((toUnixTimestamp64Milli(timestamp) + if(timestamp >= fromUnixTimestamp64Milli({since_ms:Int64}, 'UTC'), {ahead_ms_2:Int64}, {ahead_ms:Int64})), {step_ms:Int64})) AS bucket, {value:numbers, key} AS added, {has_value:numbers, key} AS held
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND {value:strings, key_2} = {text:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {skip_hint:texts, key_2}
    UNION ALL
    SELECT arrayJoin(arrayDistinct({value:lists, key_2})) AS label, toUInt16(intDiv((toUnixTimestamp64Milli(timestamp) + if(timestamp >= fromUnixTimestamp64Milli({since_ms:Int64}, 'UTC'), {ahead_ms_2:Int64}, {ahead_ms:Int64})), {step_ms:Int64})) AS bucket, {value:numbers, key} AS added, {has_value:numbers, key} AS held
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND {value:strings, key_2} = {text:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {skip_hint:lists, key_2}
    UNION ALL
    SELECT {value_rows:number_texts, key_2} AS label, toUInt16(intDiv((toUnixTimestamp64Milli(timestamp) + if(timestamp >= fromUnixTimestamp64Milli({since_ms:Int64}, 'UTC'), {ahead_ms_2:Int64}, {ahead_ms:Int64})), {step_ms:Int64})) AS bucket, {value:numbers, key} AS added, {has_value:numbers, key} AS held
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND {value:strings, key_2} = {text:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {in_map:number_texts, key_2}
    UNION ALL
    SELECT toString({value_rows:numbers, key_2} + 0) AS label, toUInt16(intDiv((toUnixTimestamp64Milli(timestamp) + if(timestamp >= fromUnixTimestamp64Milli({since_ms:Int64}, 'UTC'), {ahead_ms_2:Int64}, {ahead_ms:Int64})), {step_ms:Int64})) AS bucket, {value:numbers, key} AS added, {has_value:numbers, key} AS held
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND {value:strings, key_2} = {text:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {skip_hint:numbers, key_2} AND NOT {in_map:number_texts, key_2}
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
