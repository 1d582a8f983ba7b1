SELECT label, (sumMerge(state.1), sumCountMapIfMerge(state.2)) AS total, groupArray((bucket, (finalizeAggregation(state.1), finalizeAggregation(state.2)))) AS points
FROM (
  SELECT label, bucket, (sumState(toInt128(toInt64(if((abs(round((added AS key_number) * 1e6) AS key_millionths) <= 1e15 AND key_millionths / 1e6 = key_number) AS key_is_decimal, key_millionths, 0)))), sumCountMapIfState(map(bitShiftRight(reinterpretAsUInt64(key_number) AS key_bits, 52), toInt128(bitAnd(key_bits, 4503599627370495))), NOT key_is_decimal)) AS state
  FROM (
    SELECT {value_rows:strings, key_2} AS label, roundDown(toUnixTimestamp64Milli(timestamp), {starts_ms:Array(Int64)}) AS bucket, {value:numbers, key} AS added
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {skip_hint:strings, key_2}
    UNION ALL
    SELECT {value_rows:texts, key_2} AS label, roundDown(toUnixTimestamp64Milli(timestamp), {starts_ms:Array(Int64)}) AS bucket, {value:numbers, key} AS added
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {skip_hint:texts, key_2}
    UNION ALL
    SELECT arrayJoin(arrayDistinct({value:lists, key_2})) AS label, roundDown(toUnixTimestamp64Milli(timestamp), {starts_ms:Array(Int64)}) AS bucket, {value:numbers, key} AS added
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {skip_hint:lists, key_2}
    UNION ALL
    SELECT {value_rows:number_texts, key_2} AS label, roundDown(toUnixTimestamp64Milli(timestamp), {starts_ms:Array(Int64)}) AS bucket, {value:numbers, key} AS added
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {in_map:number_texts, key_2}
    UNION ALL
    SELECT toString({value_rows:numbers, key_2} + 0) AS label, roundDown(toUnixTimestamp64Milli(timestamp), {starts_ms:Array(Int64)}) AS bucket, {value:numbers, key} AS added
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {skip_hint:numbers, key_2} AND NOT {in_map:number_texts, key_2}
  )
  GROUP BY label, bucket
)
GROUP BY label
ORDER BY ifNotFinite(total.1 / 1000000 + arraySum((upper, lower) -> (lower.1 / 4503599627370496 + lower.2) * reinterpretAsFloat64(bitShiftLeft(upper, 52)), mapKeys(total.2), mapValues(total.2)), NULL) DESC NULLS LAST, label
LIMIT {limit:Int64}

-- key = "price"
-- starts_ms = [1790812800000, 1793491200000]
-- event = "paid"
-- from_ms = 1792584000000
-- until_ms = 1795176000000
-- key_2 = "plan"
-- limit = 10

SELECT part, groupArray((bucket, value)) AS points
FROM (
  SELECT part, bucket, (sum(toInt128(toInt64(if((abs(round((added AS key_number) * 1e6) AS key_millionths) <= 1e15 AND key_millionths / 1e6 = key_number) AS key_is_decimal, key_millionths, 0)))), sumCountMapIf(map(bitShiftRight(reinterpretAsUInt64(key_number) AS key_bits, 52), toInt128(bitAnd(key_bits, 4503599627370495))), NOT key_is_decimal)) AS value
  FROM (
    SELECT transform(label, {shown:Array(String)}, {places:Array(Int64)}, 0) AS part, * EXCEPT (label)
    FROM (
      SELECT {value_rows:strings, key_2} AS label, roundDown(toUnixTimestamp64Milli(timestamp), {starts_ms:Array(Int64)}) AS bucket, {value:numbers, key} AS added
      FROM events
      WHERE {scope}
        AND name = {event:String}
        AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
        AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
        AND {skip_hint:strings, key_2}
      UNION ALL
      SELECT {value_rows:texts, key_2} AS label, roundDown(toUnixTimestamp64Milli(timestamp), {starts_ms:Array(Int64)}) AS bucket, {value:numbers, key} AS added
      FROM events
      WHERE {scope}
        AND name = {event:String}
        AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
        AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
        AND {skip_hint:texts, key_2}
      UNION ALL
      SELECT arrayJoin(arrayDistinct({value:lists, key_2})) AS label, roundDown(toUnixTimestamp64Milli(timestamp), {starts_ms:Array(Int64)}) AS bucket, {value:numbers, key} AS added
      FROM events
      WHERE {scope}
        AND name = {event:String}
        AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
        AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
        AND {skip_hint:lists, key_2}
      UNION ALL
      SELECT {value_rows:number_texts, key_2} AS label, roundDown(toUnixTimestamp64Milli(timestamp), {starts_ms:Array(Int64)}) AS bucket, {value:numbers, key} AS added
      FROM events
      WHERE {scope}
        AND name = {event:String}
        AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
        AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
        AND {in_map:number_texts, key_2}
      UNION ALL
      SELECT toString({value_rows:numbers, key_2} + 0) AS label, roundDown(toUnixTimestamp64Milli(timestamp), {starts_ms:Array(Int64)}) AS bucket, {value:numbers, key} AS added
      FROM events
      WHERE {scope}
        AND name = {event:String}
        AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
        AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
        AND {skip_hint:numbers, key_2} AND NOT {in_map:number_texts, key_2}
    )
    WHERE part = 0
    UNION ALL
    SELECT -1 AS part, roundDown(toUnixTimestamp64Milli(timestamp), {starts_ms:Array(Int64)}) AS bucket, {value:numbers, key} AS added
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND NOT (({in_map:strings, key_2} OR {in_map:numbers, key_2} OR {in_map:texts, key_2} OR {in_map:lists, key_2}))
  )
  GROUP BY part, bucket
)
GROUP BY part

-- key = "price"
-- starts_ms = [1790812800000, 1793491200000]
-- places = [1, 2]
-- shown = ["pro", "free"]
-- event = "paid"
-- from_ms = 1792584000000
-- until_ms = 1795176000000
-- key_2 = "plan"

SELECT part, groupArray((bucket, value)) AS points
FROM (
  SELECT part, bucket, (sum(toInt128(toInt64(if((abs(round((added AS key_number) * 1e6) AS key_millionths) <= 1e15 AND key_millionths / 1e6 = key_number) AS key_is_decimal, key_millionths, 0)))), sumCountMapIf(map(bitShiftRight(reinterpretAsUInt64(key_number) AS key_bits, 52), toInt128(bitAnd(key_bits, 4503599627370495))), NOT key_is_decimal)) AS value
  FROM (
    SELECT transform(label, {shown:Array(String)}, {places:Array(Int64)}, 0) AS part, * EXCEPT (label)
    FROM (
      SELECT {value_rows:strings, key_2} AS label, roundDown(toUnixTimestamp64Milli(timestamp), {starts_ms:Array(Int64)}) AS bucket, {value:numbers, key} AS added
      FROM events
      WHERE {scope}
        AND name = {event:String}
        AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
        AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
        AND {skip_hint:strings, key_2}
      UNION ALL
      SELECT {value_rows:texts, key_2} AS label, roundDown(toUnixTimestamp64Milli(timestamp), {starts_ms:Array(Int64)}) AS bucket, {value:numbers, key} AS added
      FROM events
      WHERE {scope}
        AND name = {event:String}
        AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
        AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
        AND {skip_hint:texts, key_2}
      UNION ALL
      SELECT arrayJoin(arrayDistinct({value:lists, key_2})) AS label, roundDown(toUnixTimestamp64Milli(timestamp), {starts_ms:Array(Int64)}) AS bucket, {value:numbers, key} AS added
      FROM events
      WHERE {scope}
        AND name = {event:String}
        AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
        AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
        AND {skip_hint:lists, key_2}
      UNION ALL
      SELECT {value_rows:number_texts, key_2} AS label, roundDown(toUnixTimestamp64Milli(timestamp), {starts_ms:Array(Int64)}) AS bucket, {value:numbers, key} AS added
      FROM events
      WHERE {scope}
        AND name = {event:String}
        AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
        AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
        AND {in_map:number_texts, key_2}
      UNION ALL
      SELECT toString({value_rows:numbers, key_2} + 0) AS label, roundDown(toUnixTimestamp64Milli(timestamp), {starts_ms:Array(Int64)}) AS bucket, {value:numbers, key} AS added
      FROM events
      WHERE {scope}
        AND name = {event:String}
        AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
        AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
        AND {skip_hint:numbers, key_2} AND NOT {in_map:number_texts, key_2}
    )
    UNION ALL
    SELECT -1 AS part, roundDown(toUnixTimestamp64Milli(timestamp), {starts_ms:Array(Int64)}) AS bucket, {value:numbers, key} AS added
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND NOT (({in_map:strings, key_2} OR {in_map:numbers, key_2} OR {in_map:texts, key_2} OR {in_map:lists, key_2}))
  )
  GROUP BY part, bucket
)
GROUP BY part

-- key = "price"
-- starts_ms = [1788220800000, 1790812800000]
-- places = [1, 2]
-- shown = ["pro", "free"]
-- event = "paid"
-- from_ms = 1789992000000
-- until_ms = 1792583999999
-- key_2 = "plan"
