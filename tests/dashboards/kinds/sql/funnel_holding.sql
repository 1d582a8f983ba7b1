SELECT
  [countIf(reached_1 > 0), countIf(reached_2 > 0), countIf(reached_3 > 0)] AS units,
  [quantileExactInclusiveOrNullIf(0.5)(took_2, reached_2 > 0), quantileExactInclusiveOrNullIf(0.5)(took_3, reached_3 > 0)] AS medians,
  countIf(torn OR arrayMin(waits_2) != arrayMax(waits_2) OR arrayMin(waits_3) != arrayMax(waits_3)) AS undecided,
  [countIf(reached_1 > 0 AND reached_2 = 0 AND since_1 > {deadline_ms:Int64} - {origin_ms:Int64}), countIf(reached_2 > 0 AND reached_3 = 0 AND since_2 > {deadline_ms:Int64} - {origin_ms:Int64})] AS waiting
FROM (
  SELECT
    torn,
    arrayMin(arrayFilter((rank, opened) -> opened > 0, ranks, open_1)) AS reached_1,
    arrayMin(arrayFilter((rank, opened) -> opened > 0, ranks, open_2)) AS reached_2,
    arrayMin(arrayFilter((rank, opened) -> opened > 0, ranks, open_3)) AS reached_3,
    arrayFilter((wait, rank, opened) -> opened > 0 AND rank = reached_2, arrayMap((moment, since) -> moment - since, moments, arrayShiftRight(arrayFill((each, opened) -> opened > 0, moments, open_1), 1)), ranks, open_2) AS waits_2,
    arrayMin(waits_2) AS took_2,
    arrayFilter((wait, rank, opened) -> opened > 0 AND rank = reached_3, arrayMap((moment, since) -> moment - since, moments, arrayShiftRight(arrayFill((each, opened) -> opened > 0, moments, open_2), 1)), ranks, open_3) AS waits_3,
    arrayMin(waits_3) AS took_3,
    arrayMax(opened -> bitAnd(opened, 2147483647), open_1) AS since_1,
    arrayMax(opened -> bitAnd(opened, 2147483647), open_2) AS since_2
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
          arrayMap((match, moment) -> if(bitTest(match, 0), moment, 0), matches, moments) AS open_1
        FROM (
          SELECT
            *,
            arrayMap(place -> toUInt64(bitShiftRight(place, 40)), places) AS moments,
            arrayMap(place -> toUInt32(place), places) AS matches,
            arrayMap(place -> toUInt32(bitShiftRight(place, 8)), places) AS ranks
          FROM (
            SELECT
              arraySort(unsorted) AS places,
              torn
            FROM (
              SELECT
                *,
                arrayMap((place, value, rank) -> bitShiftLeft(toUInt128(toUInt64(bitShiftRight(place, 8)) + bitShiftLeft(toUInt64(value), 31)), 40) + bitShiftLeft(toUInt64(rank), 8) + bitAnd(toUInt32(place), 255), times, values, arrayEnumerateDense(times)) AS unsorted,
                arrayExists((place, before) -> place != before AND bitShiftRight(bitXor(place, before), 8) = 0, times, arrayShiftRight(times, 1)) AS torn
              FROM (
                SELECT
                  unit,
                  arrayMap(each -> toUInt64(bitShiftRight(each, 32)), in_time) AS times,
                  arrayMap(each -> toUInt32(each), in_time) AS values
                FROM (
                  SELECT
                    unit,
                    arraySort(arrayMap((place, value) -> bitShiftLeft(toUInt128(place), 32) + value, groupArray(bitShiftLeft(moment, 8) + steps), arrayEnumerateDense(groupArray(held)))) AS in_time
                  FROM (
                    SELECT
                      1 * (name = {step:String}) + 2 * (name = {step_2:String}) + 4 * (name = {step_3:String}) AS steps,
                      actor AS unit,
                      toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                      received_at, spool, seq,
                      reinterpretAsUInt128(sipHash128(concat('t', {value_rows:strings, key}))) AS held
                    FROM events
                    WHERE {scope}
                      AND (name = {step:String} OR name = {step_2:String} OR name = {step_3:String})
                      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                      AND actor != ''
                      AND {skip_hint:strings, key}
                    UNION ALL
                    SELECT
                      1 * (name = {step:String}) + 2 * (name = {step_2:String}) + 4 * (name = {step_3:String}) AS steps,
                      actor AS unit,
                      toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                      received_at, spool, seq,
                      reinterpretAsUInt128(sipHash128(concat('o', {value_rows:texts, key}))) AS held
                    FROM events
                    WHERE {scope}
                      AND (name = {step:String} OR name = {step_2:String} OR name = {step_3:String})
                      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                      AND actor != ''
                      AND {skip_hint:texts, key}
                    UNION ALL
                    SELECT
                      1 * (name = {step:String}) + 2 * (name = {step_2:String}) + 4 * (name = {step_3:String}) AS steps,
                      actor AS unit,
                      toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                      received_at, spool, seq,
                      reinterpretAsUInt128(sipHash128(concat('t', arrayJoin(arrayDistinct({value:lists, key}))))) AS held
                    FROM events
                    WHERE {scope}
                      AND (name = {step:String} OR name = {step_2:String} OR name = {step_3:String})
                      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                      AND actor != ''
                      AND {skip_hint:lists, key}
                    UNION ALL
                    SELECT
                      1 * (name = {step:String}) + 2 * (name = {step_2:String}) + 4 * (name = {step_3:String}) AS steps,
                      actor AS unit,
                      toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                      received_at, spool, seq,
                      reinterpretAsUInt128(sipHash128(concat('n', {value_rows:number_texts, key}))) AS held
                    FROM events
                    WHERE {scope}
                      AND (name = {step:String} OR name = {step_2:String} OR name = {step_3:String})
                      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                      AND actor != ''
                      AND {in_map:number_texts, key}
                    UNION ALL
                    SELECT
                      1 * (name = {step:String}) + 2 * (name = {step_2:String}) + 4 * (name = {step_3:String}) AS steps,
                      actor AS unit,
                      toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                      received_at, spool, seq,
                      reinterpretAsUInt128(sipHash128(concat('n', toString({value_rows:numbers, key} + 0)))) AS held
                    FROM events
                    WHERE {scope}
                      AND (name = {step:String} OR name = {step_2:String} OR name = {step_3:String})
                      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                      AND actor != ''
                      AND {skip_hint:numbers, key} AND NOT {in_map:number_texts, key}
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
)

-- window_ms = 604800000
-- step = "visit"
-- step_2 = "signup"
-- step_3 = "pay"
-- origin_ms = 1793966399999
-- from_ms = 1794571200000
-- until_ms = 1795176000000
-- key = "order"
-- deadline_ms = 1794571200000
