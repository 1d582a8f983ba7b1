SELECT
  [countIf(reached_1 > 0), countIf(reached_2 > 0), countIf(reached_3 > 0)] AS units,
  [quantileExactInclusiveOrNullIf(0.5)(took_2, reached_2 > 0), quantileExactInclusiveOrNullIf(0.5)(took_3, reached_3 > 0)] AS medians,
  countIf(arrayExists((place, before) -> place != before AND bitShiftRight(bitXor(place, before), 17) = 0, places, arrayShiftRight(places, 1))) AS undecided,
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
    arrayMax((opened, passed_1) -> if(passed_1 = excluded_1, opened, 0), open_2, clean_1_2) AS since_2
  FROM (
    SELECT
      *,
      arrayShiftRight(arrayFill((each, opened) -> opened > 0, clean_1_2, open_2), 1) AS clean_1_3,
      arrayMap((match, moment, since, clean_1, past_1) -> if(bitTest(match, 2) AND moment - since <= {window_ms:Int64} AND clean_1 = past_1, moment, 0), matches, moments, arrayShiftRight(arrayFill(opened -> opened > 0, open_2), 1), clean_1_3, past_1) AS open_3
    FROM (
      SELECT
        *,
        arrayShiftRight(arrayFill((each, opened) -> opened > 0, arrayMap((past, match) -> past + bitTest(match, 8), past_1, matches), open_1), 1) AS clean_1_2,
        arrayMap((match, moment, since) -> if(bitTest(match, 1) AND moment - since <= {window_ms:Int64}, moment, 0), matches, moments, arrayShiftRight(arrayFill(opened -> opened > 0, open_1), 1)) AS open_2
      FROM (
        SELECT
          *,
          arrayMap((match, moment) -> if(bitTest(match, 0), moment, 0), matches, moments) AS open_1
        FROM (
          SELECT
            *,
            arrayMap(place -> toUInt64(bitShiftRight(place, 17)), places) AS moments,
            arrayMap(place -> toUInt32(place), places) AS matches
          FROM (
            SELECT
              arraySort(groupArray(bitShiftLeft(moment, 17) + steps)) AS places,
              CAST(arrayShiftRight(arrayCumSum(arrayMap(place -> bitTest(toUInt32(place), 8), places)), 1), 'Array(UInt32)') AS past_1,
              arrayCount(place -> bitTest(toUInt32(place), 8), places) AS excluded_1
            FROM (
              SELECT
                1 * (name = {step:String}) + 2 * (name = {step_2:String}) + 4 * (name = {step_3:String}) + 256 * (name = {step_4:String}) AS steps,
                actor AS unit,
                toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                received_at, spool, seq
              FROM events
              WHERE {scope}
                AND (name = {step:String} OR name = {step_2:String} OR name = {step_3:String} OR name = {step_4:String})
                AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                AND actor != ''
            )
            GROUP BY unit
          )
        )
      )
    )
  )
)

-- window_ms = 604800000
-- step = "visit"
-- step_2 = "signup"
-- step_3 = "pay"
-- step_4 = "cancel"
-- origin_ms = 1793966399999
-- from_ms = 1794571200000
-- until_ms = 1795176000000
-- deadline_ms = 1794571200000
