SELECT label, [rank_a, rank_b] AS doubles
FROM (
  SELECT label,
    if(countIf(part = 'a') = 0, 0, anyIf(ranked_by, part = 'a')) AS rank_a,
    if(countIf(part = 'b') = 0, 0, anyIf(ranked_by, part = 'b')) AS rank_b,
    ifNotFinite((if(abs((rank_a AS left_1) - ({constant:Float64} AS right_1)) <= 1e-12 * greatest(abs(left_1), abs(right_1)), 0, left_1 - right_1) / nullIf(rank_b, 0)), NULL) AS rank
  FROM (
    SELECT 'a' AS part, label, CAST(ifNotFinite(total.1 / 1000000 + arraySum((upper, lower) -> (lower.1 / 4503599627370496 + lower.2) * reinterpretAsFloat64(bitShiftLeft(upper, 52)), mapKeys(total.2), mapValues(total.2)), NULL) AS Nullable(Float64)) AS ranked_by
    FROM (
      SELECT label, (sum(toInt128(toInt64(if((abs(round((added AS key_number) * 1e6) AS key_millionths) <= 1e15 AND key_millionths / 1e6 = key_number) AS key_is_decimal, key_millionths, 0)))), sumCountMapIf(map(bitShiftRight(reinterpretAsUInt64(key_number) AS key_bits, 52), toInt128(bitAnd(key_bits, 4503599627370495))), NOT key_is_decimal)) AS total
      FROM (
        SELECT {value_rows:strings, key_2} AS label, {value:numbers, key} AS added
        FROM events
        WHERE {scope}
          AND name = {event:String}
          AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
          AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
          AND {skip_hint:strings, key_2}
        UNION ALL
        SELECT {value_rows:texts, key_2} AS label, {value:numbers, key} AS added
        FROM events
        WHERE {scope}
          AND name = {event:String}
          AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
          AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
          AND {skip_hint:texts, key_2}
        UNION ALL
        SELECT arrayJoin(arrayDistinct({value:lists, key_2})) AS label, {value:numbers, key} AS added
        FROM events
        WHERE {scope}
          AND name = {event:String}
          AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
          AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
          AND {skip_hint:lists, key_2}
        UNION ALL
        SELECT {value_rows:number_texts, key_2} AS label, {value:numbers, key} AS added
        FROM events
        WHERE {scope}
          AND name = {event:String}
          AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
          AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
          AND {in_map:number_texts, key_2}
        UNION ALL
        SELECT toString({value_rows:numbers, key_2} + 0) AS label, {value:numbers, key} AS added
        FROM events
        WHERE {scope}
          AND name = {event:String}
          AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
          AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
          AND {skip_hint:numbers, key_2} AND NOT {in_map:number_texts, key_2}
      )
      GROUP BY label
    )
    UNION ALL
    SELECT 'b' AS part, label, CAST(total AS Nullable(Float64)) AS ranked_by
    FROM (
      SELECT label, count() AS total
      FROM (
        SELECT {value_rows:strings, key_2} AS label
        FROM events
        WHERE {scope}
          AND name = {event:String}
          AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
          AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
          AND {skip_hint:strings, key_2}
        UNION ALL
        SELECT {value_rows:texts, key_2} AS label
        FROM events
        WHERE {scope}
          AND name = {event:String}
          AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
          AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
          AND {skip_hint:texts, key_2}
        UNION ALL
        SELECT arrayJoin(arrayDistinct({value:lists, key_2})) AS label
        FROM events
        WHERE {scope}
          AND name = {event:String}
          AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
          AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
          AND {skip_hint:lists, key_2}
        UNION ALL
        SELECT {value_rows:number_texts, key_2} AS label
        FROM events
        WHERE {scope}
          AND name = {event:String}
          AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
          AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
          AND {in_map:number_texts, key_2}
        UNION ALL
        SELECT toString({value_rows:numbers, key_2} + 0) AS label
        FROM events
        WHERE {scope}
          AND name = {event:String}
          AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
          AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
          AND {skip_hint:numbers, key_2} AND NOT {in_map:number_texts, key_2}
      )
      GROUP BY label
    )
  )
  GROUP BY label
  ORDER BY rank IS NULL, reinterpretAsFloat64(bitAnd(reinterpretAsUInt64(ifNull(rank, 0)) + 2048, 18446744073709547520)) DESC, label
  LIMIT {limit:Int64}
)

-- key = "total"
-- event = "order"
-- from_ms = 1792584000000
-- until_ms = 1795176000000
-- key_2 = "plan"
-- constant = 1.5
-- limit = 10

SELECT 'a' AS part, series AS label, groupArray((bucket, value)) AS points
FROM (
  SELECT label AS series, bucket, toJSONString((sum(toInt128(toInt64(if((abs(round((added AS key_number) * 1e6) AS key_millionths) <= 1e15 AND key_millionths / 1e6 = key_number) AS key_is_decimal, key_millionths, 0)))), sumCountMapIf(map(bitShiftRight(reinterpretAsUInt64(key_number) AS key_bits, 52), toInt128(bitAnd(key_bits, 4503599627370495))), NOT key_is_decimal))) AS value
  FROM (
    SELECT {value_rows:strings, key_2} AS label, 0 AS bucket, {value:numbers, key} AS added
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {skip_hint:strings, key_2}
    UNION ALL
    SELECT {value_rows:texts, key_2} AS label, 0 AS bucket, {value:numbers, key} AS added
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {skip_hint:texts, key_2}
    UNION ALL
    SELECT arrayJoin(arrayDistinct({value:lists, key_2})) AS label, 0 AS bucket, {value:numbers, key} AS added
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {skip_hint:lists, key_2}
    UNION ALL
    SELECT {value_rows:number_texts, key_2} AS label, 0 AS bucket, {value:numbers, key} AS added
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {in_map:number_texts, key_2}
    UNION ALL
    SELECT toString({value_rows:numbers, key_2} + 0) AS label, 0 AS bucket, {value:numbers, key} AS added
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {skip_hint:numbers, key_2} AND NOT {in_map:number_texts, key_2}
  )
  WHERE label IN {labels:Array(String)}
  GROUP BY series, bucket
)
GROUP BY series
UNION ALL
SELECT 'b' AS part, series AS label, groupArray((bucket, value)) AS points
FROM (
  SELECT label AS series, bucket, toJSONString(count()) AS value
  FROM (
    SELECT {value_rows:strings, key_2} AS label, 0 AS bucket
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {skip_hint:strings, key_2}
    UNION ALL
    SELECT {value_rows:texts, key_2} AS label, 0 AS bucket
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {skip_hint:texts, key_2}
    UNION ALL
    SELECT arrayJoin(arrayDistinct({value:lists, key_2})) AS label, 0 AS bucket
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {skip_hint:lists, key_2}
    UNION ALL
    SELECT {value_rows:number_texts, key_2} AS label, 0 AS bucket
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {in_map:number_texts, key_2}
    UNION ALL
    SELECT toString({value_rows:numbers, key_2} + 0) AS label, 0 AS bucket
    FROM events
    WHERE {scope}
      AND name = {event:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {skip_hint:numbers, key_2} AND NOT {in_map:number_texts, key_2}
  )
  WHERE label IN {labels:Array(String)}
  GROUP BY series, bucket
)
GROUP BY series

-- key = "total"
-- labels = ["pro"]
-- event = "order"
-- from_ms = 1792584000000
-- until_ms = 1795176000000
-- key_2 = "plan"
