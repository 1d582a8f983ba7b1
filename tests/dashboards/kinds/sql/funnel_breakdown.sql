SELECT
  label
FROM (
  SELECT
    DISTINCT label, unit
  FROM (
    SELECT
      {value_rows:strings, key} AS label,
      actor AS unit
    FROM events
    WHERE {scope}
      AND name = {step:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND actor != ''
      AND {skip_hint:strings, key}
    UNION ALL
    SELECT
      {value_rows:texts, key} AS label,
      actor AS unit
    FROM events
    WHERE {scope}
      AND name = {step:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND actor != ''
      AND {skip_hint:texts, key}
    UNION ALL
    SELECT
      arrayJoin(arrayDistinct({value:lists, key})) AS label,
      actor AS unit
    FROM events
    WHERE {scope}
      AND name = {step:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND actor != ''
      AND {skip_hint:lists, key}
    UNION ALL
    SELECT
      {value_rows:number_texts, key} AS label,
      actor AS unit
    FROM events
    WHERE {scope}
      AND name = {step:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND actor != ''
      AND {in_map:number_texts, key}
    UNION ALL
    SELECT
      toString({value_rows:numbers, key} + 0) AS label,
      actor AS unit
    FROM events
    WHERE {scope}
      AND name = {step:String}
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND actor != ''
      AND {skip_hint:numbers, key} AND NOT {in_map:number_texts, key}
  )
)
GROUP BY label
ORDER BY count() DESC, label
LIMIT {limit:Int64}

-- step = "visit"
-- from_ms = 1794571200000
-- until_ms = 1795176000000
-- key = "plan"
-- limit = 10

SELECT
  series,
  [countIf(reached_1 > 0), countIf(reached_2 > 0), countIf(reached_3 > 0)] AS units,
  [quantileExactInclusiveOrNullIf(0.5)(took_2, reached_2 > 0), quantileExactInclusiveOrNullIf(0.5)(took_3, reached_3 > 0)] AS medians,
  countIf(torn) AS undecided,
  [countIf(reached_1 > 0 AND reached_2 = 0 AND since_1 > {deadline_ms:Int64} - {origin_ms:Int64}), countIf(reached_2 > 0 AND reached_3 = 0 AND since_2 > {deadline_ms:Int64} - {origin_ms:Int64})] AS waiting
FROM (
  SELECT
    torn, series,
    arrayFirstIndex(opened -> opened > 0, open_1) AS reached_1,
    arrayFirstIndex(opened -> opened > 0, open_2) AS reached_2,
    arrayFirstIndex(opened -> opened > 0, open_3) AS reached_3,
    moments[reached_2] - moments[arrayLastIndex(opened -> opened > 0, arraySlice(open_1, 1, reached_2 - 1))] AS took_2,
    moments[reached_3] - moments[arrayLastIndex(opened -> opened > 0, arraySlice(open_2, 1, reached_3 - 1))] AS took_3,
    arrayMax(open_1) AS since_1,
    arrayMax(open_2) AS since_2
  FROM (
    SELECT
      *,
      arrayMap((match, moment, since) -> if(bitTest(match, 2) AND moment - since <= {window_ms:Int64}, moment, 0), matches, moments, arrayShiftRight(arrayFill(opened -> opened > 0, open_2), 1)) AS open_3
    FROM (
      SELECT
        *,
        arrayMap((match, moment, since) -> if(bitTest(match, 1) AND moment - since <= {window_ms:Int64}, moment, 0), matches, moments, arrayShiftRight(arrayFill(opened -> opened > 0, open_1), 1)) AS open_2
      FROM (
        SELECT
          *,
          arrayMap((match, moment) -> if(bitTest(match, 0) AND bitAnd(bitShiftRight(toUInt32(match), 13), 15) = series, moment, 0), matches, moments) AS open_1
        FROM (
          SELECT
            *,
            arrayMap(place -> toUInt64(bitShiftRight(place, 17)), places) AS moments,
            arrayMap(place -> toUInt32(place), places) AS matches
          FROM (
            SELECT
              each_series.1 AS series,
              each_series.2 AS places,
              torn
            FROM (
              SELECT
                arrayJoin(arrayMap(series -> (series, arrayFilter(place -> bitAnd(bitShiftRight(toUInt32(place), 13), 15) = series AND bitTest(toUInt32(place), 0) OR bitAnd(bitShiftRight(toUInt32(place), 13), 15) = 0 AND bitAnd(toUInt32(place), 254) > 0, places)), starts)) AS each_series,
                torn
              FROM (
                SELECT
                  arraySort(groupArray(bitShiftLeft(moment, 17) + steps)) AS places,
                  groupUniqArray(toUInt8(bitShiftRight(steps, 13))) AS starts,
                  arrayExists((place, before) -> (place != before OR bitTest(toUInt32(place), 0) AND bitAnd(toUInt32(place), 8190) > 0) AND bitShiftRight(bitXor(place, before), 17) = 0, arrayFilter(place -> bitAnd(bitShiftRight(toUInt32(place), 13), 15) = 0, places), arrayShiftRight(arrayFilter(place -> bitAnd(bitShiftRight(toUInt32(place), 13), 15) = 0, places), 1)) AS torn
                FROM (
                  SELECT
                    1 * (name = {step:String}) + 2 * (name = {step_2:String}) + 4 * (name = {step_3:String}) AS steps,
                    actor AS unit,
                    toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                    received_at, spool, seq
                  FROM events
                  WHERE {scope}
                    AND (name = {step:String} OR name = {step_2:String} OR name = {step_3:String})
                    AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                    AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                    AND actor != ''
                  UNION ALL
                  SELECT
                    1 + bitShiftLeft(indexOf({series:Array(String)}, label), 13) AS steps,
                    unit,
                    moment,
                    received_at, spool, seq
                  FROM (
                    SELECT
                      {value_rows:strings, key} AS label,
                      actor AS unit,
                      toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                      received_at, spool, seq
                    FROM events
                    WHERE {scope}
                      AND name = {step:String}
                      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                      AND actor != ''
                      AND {skip_hint:strings, key}
                  )
                  WHERE has({series:Array(String)}, label)
                  UNION ALL
                  SELECT
                    1 + bitShiftLeft(indexOf({series:Array(String)}, label), 13) AS steps,
                    unit,
                    moment,
                    received_at, spool, seq
                  FROM (
                    SELECT
                      {value_rows:texts, key} AS label,
                      actor AS unit,
                      toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                      received_at, spool, seq
                    FROM events
                    WHERE {scope}
                      AND name = {step:String}
                      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                      AND actor != ''
                      AND {skip_hint:texts, key}
                  )
                  WHERE has({series:Array(String)}, label)
                  UNION ALL
                  SELECT
                    1 + bitShiftLeft(indexOf({series:Array(String)}, label), 13) AS steps,
                    unit,
                    moment,
                    received_at, spool, seq
                  FROM (
                    SELECT
                      arrayJoin(arrayDistinct({value:lists, key})) AS label,
                      actor AS unit,
                      toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                      received_at, spool, seq
                    FROM events
                    WHERE {scope}
                      AND name = {step:String}
                      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                      AND actor != ''
                      AND {skip_hint:lists, key}
                  )
                  WHERE has({series:Array(String)}, label)
                  UNION ALL
                  SELECT
                    1 + bitShiftLeft(indexOf({series:Array(String)}, label), 13) AS steps,
                    unit,
                    moment,
                    received_at, spool, seq
                  FROM (
                    SELECT
                      {value_rows:number_texts, key} AS label,
                      actor AS unit,
                      toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                      received_at, spool, seq
                    FROM events
                    WHERE {scope}
                      AND name = {step:String}
                      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                      AND actor != ''
                      AND {in_map:number_texts, key}
                  )
                  WHERE has({series:Array(String)}, label)
                  UNION ALL
                  SELECT
                    1 + bitShiftLeft(indexOf({series:Array(String)}, label), 13) AS steps,
                    unit,
                    moment,
                    received_at, spool, seq
                  FROM (
                    SELECT
                      toString({value_rows:numbers, key} + 0) AS label,
                      actor AS unit,
                      toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                      received_at, spool, seq
                    FROM events
                    WHERE {scope}
                      AND name = {step:String}
                      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                      AND actor != ''
                      AND {skip_hint:numbers, key} AND NOT {in_map:number_texts, key}
                  )
                  WHERE has({series:Array(String)}, label)
                )
                GROUP BY unit
              )
            )
          )
        )
      )
    )
  )
)
GROUP BY series

-- window_ms = 604800000
-- step = "visit"
-- step_2 = "signup"
-- step_3 = "pay"
-- origin_ms = 1793966399999
-- from_ms = 1794571200000
-- until_ms = 1795176000000
-- series = ["pro", "free"]
-- key = "plan"
-- deadline_ms = 1794571200000
