SELECT
  units,
  medians,
  waiting,
  undecided,
  [least_2] AS least,
  [greatest_2] AS greatest,
  [[countEqual(slots_2, 0), countEqual(slots_2, 1), countEqual(slots_2, 2), countEqual(slots_2, 3), countEqual(slots_2, 4), countEqual(slots_2, 5), countEqual(slots_2, 6), countEqual(slots_2, 7), countEqual(slots_2, 8), countEqual(slots_2, 9), countEqual(slots_2, 10), countEqual(slots_2, 11), countEqual(slots_2, 12), countEqual(slots_2, 13), countEqual(slots_2, 14), countEqual(slots_2, 15), countEqual(slots_2, 16), countEqual(slots_2, 17), countEqual(slots_2, 18), countEqual(slots_2, 19)]] AS slots
FROM (
  SELECT
    *,
    arrayMap(took -> toUInt8(least(intDiv((took - least_2) * 20, greatest(greatest_2 - least_2, 1)), 19)), all_2) AS slots_2
  FROM (
    SELECT
      *,
      arrayMin(all_2) AS least_2,
      arrayMax(all_2) AS greatest_2
    FROM (
      SELECT
        [countIf(reached_1 > 0), countIf(reached_2 > 0)] AS units,
        [quantileExactInclusiveOrNullIf(0.5)(took_2, reached_2 > 0)] AS medians,
        countIf(arrayExists((place, before) -> place != before AND bitShiftRight(bitXor(place, before), 8) = 0, places, arrayShiftRight(places, 1))) AS undecided,
        groupArrayIf(toUInt32(took_2), reached_2 > 0) AS all_2,
        [countIf(reached_1 > 0 AND reached_2 = 0 AND since_1 > {deadline_ms:Int64} - {origin_ms:Int64})] AS waiting
      FROM (
        SELECT
          places, moments,
          arrayFirstIndex(opened -> opened > 0, open_1) AS reached_1,
          arrayFirstIndex(opened -> opened > 0, open_2) AS reached_2,
          moments[reached_2] - moments[arrayLastIndex(opened -> opened > 0, arraySlice(open_1, 1, reached_2 - 1))] AS took_2,
          arrayMax(open_1) AS since_1
        FROM (
          SELECT
            arraySort(groupArray(bitShiftLeft(moment, 8) + steps)) AS places,
            arrayMap(place -> toUInt64(bitShiftRight(place, 8)), places) AS moments,
            arrayMap(place -> toUInt8(place), places) AS matches,
            arrayMap((match, moment) -> if(bitTest(match, 0), moment, 0), matches, moments) AS open_1,
            arrayMap((match, moment, since) -> if(bitTest(match, 1) AND moment - since <= {window_ms:Int64}, moment, 0), matches, moments, arrayShiftRight(arrayFill(opened -> opened > 0, open_1), 1)) AS open_2
          FROM (
            SELECT
              1 * (name = {step:String}) + 2 * (name = {step_2:String}) AS steps,
              actor AS unit,
              toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
              received_at, spool, seq
            FROM events
            WHERE {scope}
              AND (name = {step:String} OR name = {step_2:String})
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

-- window_ms = 604800000
-- step = "visit"
-- step_2 = "signup"
-- origin_ms = 1793966399999
-- from_ms = 1794571200000
-- until_ms = 1795176000000
-- deadline_ms = 1794571200000
