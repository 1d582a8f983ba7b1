SELECT
  [countIf(reached_1 > 0), countIf(reached_2 > 0), countIf(reached_3 > 0)] AS units,
  [quantileExactInclusiveOrNullIf(0.5)(took_2, reached_2 > 0), quantileExactInclusiveOrNullIf(0.5)(took_3, reached_3 > 0)] AS medians,
  countIf(arrayExists((place, before) -> place != before AND bitShiftRight(bitXor(place, before), 8) = 0, places, arrayShiftRight(places, 1))) AS undecided,
  [countIf(reached_1 > 0 AND reached_2 = 0 AND since_1 > {deadline_ms:Int64} - {origin_ms:Int64}), countIf(reached_2 > 0 AND reached_3 = 0 AND since_2 > {deadline_ms:Int64} - {origin_ms:Int64})] AS waiting
FROM (
  SELECT
    places, moments,
    arrayFirstIndex(opened -> opened > 0, open_1) AS reached_1,
    arrayFirstIndex(opened -> opened > 0, open_2) AS reached_2,
    arrayFirstIndex(opened -> opened > 0, open_3) AS reached_3,
    moments[reached_2] - moments[arrayLastIndex(opened -> opened > 0, arraySlice(open_1, 1, reached_2 - 1))] AS took_2,
    moments[reached_3] - moments[arrayLastIndex(opened -> opened > 0, arraySlice(open_2, 1, reached_3 - 1))] AS took_3,
    arrayMax(open_1) AS since_1,
    arrayMax(open_2) AS since_2
  FROM (
    SELECT
      arraySort(groupArray(bitShiftLeft(moment, 8) + steps)) AS places,
      arrayMap(place -> toUInt64(bitShiftRight(place, 8)), places) AS moments,
      arrayMap(place -> toUInt8(place), places) AS matches,
      arrayMap((match, moment) -> if(bitTest(match, 0), moment, 0), matches, moments) AS open_1,
      arrayMap((match, moment, since) -> if(bitTest(match, 1) AND moment - since <= {window_ms:Int64}, moment, 0), matches, moments, arrayShiftRight(arrayFill(opened -> opened > 0, open_1), 1)) AS open_2,
      arrayMap((match, moment, since) -> if(bitTest(match, 2) AND moment - since <= {window_ms:Int64}, moment, 0), matches, moments, arrayShiftRight(arrayFill(opened -> opened > 0, open_2), 1)) AS open_3
    FROM (
      SELECT
        1 * (name = {step:String}) + 2 * (name = {step:String} AND ({in_map:numbers, key} AND {value:numbers, key} > {number:Float64})) + 4 * (name = {step_2:String}) AS steps,
        {value:strings, group_key} AS unit,
        toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
        received_at, spool, seq
      FROM events
      WHERE {scope}
        AND (name = {step:String} OR name = {step:String} AND ({in_map:numbers, key} AND {value:numbers, key} > {number:Float64}) OR name = {step_2:String})
        AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
        AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
        AND {value:strings, group_key} != ''
    )
    GROUP BY unit
  )
)

-- group_key = "team"
-- window_ms = 604800000
-- step = "visit"
-- key = "n"
-- number = 3.0
-- step_2 = "signup"
-- origin_ms = 1793966399999
-- from_ms = 1794571200000
-- until_ms = 1795176000000
-- deadline_ms = 1794571200000

SELECT
  [countIf(reached_1 > 0), countIf(reached_2 > 0), countIf(reached_3 > 0)] AS units,
  [quantileExactInclusiveOrNullIf(0.5)(took_2, reached_2 > 0), quantileExactInclusiveOrNullIf(0.5)(took_3, reached_3 > 0)] AS medians,
  countIf(arrayExists((place, before) -> place != before AND bitShiftRight(bitXor(place, before), 152) = 0, places, arrayShiftRight(places, 1))) AS undecided,
  [countIf(reached_1 > 0 AND reached_2 = 0 AND since_1 > {deadline_ms:Int64} - {origin_ms:Int64}), countIf(reached_2 > 0 AND reached_3 = 0 AND since_2 > {deadline_ms:Int64} - {origin_ms:Int64})] AS waiting
FROM (
  SELECT
    places, moments,
    arrayFirstIndex(opened -> opened > 0, open_1) AS reached_1,
    arrayFirstIndex(opened -> opened > 0, open_2) AS reached_2,
    arrayFirstIndex(opened -> opened > 0, open_3) AS reached_3,
    moments[reached_2] - moments[arrayLastIndex(opened -> opened > 0, arraySlice(open_1, 1, reached_2 - 1))] AS took_2,
    moments[reached_3] - moments[arrayLastIndex(opened -> opened > 0, arraySlice(open_2, 1, reached_3 - 1))] AS took_3,
    arrayMax(open_1) AS since_1,
    arrayMax(open_2) AS since_2
  FROM (
    SELECT
      arraySort(groupArray(bitShiftLeft(toUInt256(moment), 152) + bitShiftLeft(toUInt256(toUnixTimestamp64Milli(received_at)), 104) + bitShiftLeft(toUInt128(spool), 72) + bitShiftLeft(toUInt128(seq), 8) + steps)) AS places,
      arrayMap(place -> toUInt64(bitShiftRight(place, 152)), places) AS moments,
      arrayMap(place -> toUInt8(place), places) AS matches,
      arrayMap((match, moment) -> if(bitTest(match, 0), moment, 0), matches, moments) AS open_1,
      arrayMap((match, moment, since) -> if(bitTest(match, 1) AND moment - since <= {window_ms:Int64}, moment, 0), matches, moments, arrayShiftRight(arrayFill(opened -> opened > 0, open_1), 1)) AS open_2,
      arrayMap((match, moment, since) -> if(bitTest(match, 2) AND moment - since <= {window_ms:Int64}, moment, 0), matches, moments, arrayShiftRight(arrayFill(opened -> opened > 0, open_2), 1)) AS open_3
    FROM (
      SELECT
        1 * (name = {step:String}) + 2 * (name = {step:String} AND ({in_map:numbers, key} AND {value:numbers, key} > {number:Float64})) + 4 * (name = {step_2:String}) AS steps,
        {value:strings, group_key} AS unit,
        toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
        received_at, spool, seq
      FROM events
      WHERE {scope}
        AND (name = {step:String} OR name = {step:String} AND ({in_map:numbers, key} AND {value:numbers, key} > {number:Float64}) OR name = {step_2:String})
        AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
        AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
        AND {value:strings, group_key} != ''
    )
    GROUP BY unit
  )
)

-- group_key = "team"
-- window_ms = 604800000
-- step = "visit"
-- key = "n"
-- number = 3.0
-- step_2 = "signup"
-- origin_ms = 1793966399999
-- from_ms = 1794571200000
-- until_ms = 1795176000000
-- deadline_ms = 1794571200000
