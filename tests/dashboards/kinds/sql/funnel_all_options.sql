SELECT
  label
FROM (
  SELECT
    DISTINCT label, unit
  FROM (
    SELECT
      {value_rows:strings, key_2} AS label,
      {value:strings, group_key} AS unit
    FROM events
    WHERE {scope}
      AND name = {step:String} AND ({in_map:strings, key} OR {in_map:numbers, key} OR {in_map:texts, key} OR {in_map:lists, key})
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {value:strings, group_key} != ''
      AND {skip_hint:strings, key_2}
    UNION ALL
    SELECT
      {value_rows:texts, key_2} AS label,
      {value:strings, group_key} AS unit
    FROM events
    WHERE {scope}
      AND name = {step:String} AND ({in_map:strings, key} OR {in_map:numbers, key} OR {in_map:texts, key} OR {in_map:lists, key})
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {value:strings, group_key} != ''
      AND {skip_hint:texts, key_2}
    UNION ALL
    SELECT
      arrayJoin(arrayDistinct({value:lists, key_2})) AS label,
      {value:strings, group_key} AS unit
    FROM events
    WHERE {scope}
      AND name = {step:String} AND ({in_map:strings, key} OR {in_map:numbers, key} OR {in_map:texts, key} OR {in_map:lists, key})
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {value:strings, group_key} != ''
      AND {skip_hint:lists, key_2}
    UNION ALL
    SELECT
      {value_rows:number_texts, key_2} AS label,
      {value:strings, group_key} AS unit
    FROM events
    WHERE {scope}
      AND name = {step:String} AND ({in_map:strings, key} OR {in_map:numbers, key} OR {in_map:texts, key} OR {in_map:lists, key})
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {value:strings, group_key} != ''
      AND {in_map:number_texts, key_2}
    UNION ALL
    SELECT
      toString({value_rows:numbers, key_2} + 0) AS label,
      {value:strings, group_key} AS unit
    FROM events
    WHERE {scope}
      AND name = {step:String} AND ({in_map:strings, key} OR {in_map:numbers, key} OR {in_map:texts, key} OR {in_map:lists, key})
      AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
      AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
      AND {value:strings, group_key} != ''
      AND {skip_hint:numbers, key_2} AND NOT {in_map:number_texts, key_2}
  )
)
GROUP BY label
ORDER BY count() DESC, label
LIMIT {limit:Int64}

-- group_key = "team"
-- step = "visit"
-- key = "order"
-- from_ms = 1794571200000
-- until_ms = 1795176000000
-- key_2 = "plan"
-- limit = 10

SELECT
  series,
  units,
  medians,
  waiting,
  undecided,
  [least_2, least_3] AS least,
  [greatest_2, greatest_3] AS greatest,
  [[countEqual(slots_2, 0), countEqual(slots_2, 1), countEqual(slots_2, 2), countEqual(slots_2, 3), countEqual(slots_2, 4), countEqual(slots_2, 5), countEqual(slots_2, 6), countEqual(slots_2, 7), countEqual(slots_2, 8), countEqual(slots_2, 9), countEqual(slots_2, 10), countEqual(slots_2, 11), countEqual(slots_2, 12), countEqual(slots_2, 13), countEqual(slots_2, 14), countEqual(slots_2, 15), countEqual(slots_2, 16), countEqual(slots_2, 17), countEqual(slots_2, 18), countEqual(slots_2, 19)], [countEqual(slots_3, 0), countEqual(slots_3, 1), countEqual(slots_3, 2), countEqual(slots_3, 3), countEqual(slots_3, 4), countEqual(slots_3, 5), countEqual(slots_3, 6), countEqual(slots_3, 7), countEqual(slots_3, 8), countEqual(slots_3, 9), countEqual(slots_3, 10), countEqual(slots_3, 11), countEqual(slots_3, 12), countEqual(slots_3, 13), countEqual(slots_3, 14), countEqual(slots_3, 15), countEqual(slots_3, 16), countEqual(slots_3, 17), countEqual(slots_3, 18), countEqual(slots_3, 19)]] AS slots
FROM (
  SELECT
    *,
    arrayMap(took -> toUInt8(least(intDiv((took - least_2) * 20, greatest(greatest_2 - least_2, 1)), 19)), all_2) AS slots_2,
    arrayMap(took -> toUInt8(least(intDiv((took - least_3) * 20, greatest(greatest_3 - least_3, 1)), 19)), all_3) AS slots_3
  FROM (
    SELECT
      *,
      arrayMin(all_2) AS least_2,
      arrayMax(all_2) AS greatest_2,
      arrayMin(all_3) AS least_3,
      arrayMax(all_3) AS greatest_3
    FROM (
      SELECT
        series,
        [countIf(reached_1 > 0), countIf(reached_2 > 0), countIf(reached_3 > 0)] AS units,
        [quantileExactInclusiveOrNullIf(0.5)(took_2, reached_2 > 0), quantileExactInclusiveOrNullIf(0.5)(took_3, reached_3 > 0)] AS medians,
        countIf(torn OR arrayMin(waits_2) != arrayMax(waits_2) OR arrayMin(waits_3) != arrayMax(waits_3)) AS undecided,
        groupArrayIf(toUInt32(took_2), reached_2 > 0) AS all_2,
        groupArrayIf(toUInt32(took_3), reached_3 > 0) AS all_3,
        [countIf(reached_1 > 0 AND reached_2 = 0 AND since_1 > {deadline_ms:Int64} - {origin_ms:Int64}), countIf(reached_2 > 0 AND reached_3 = 0 AND since_2 > {deadline_ms:Int64} - {origin_ms:Int64})] AS waiting
      FROM (
        SELECT
          torn, series,
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
                arrayMap((match, moment) -> if(bitTest(match, 0) AND bitAnd(bitShiftRight(toUInt32(match), 13), 15) = series, moment, 0), matches, moments) AS open_1
              FROM (
                SELECT
                  *,
                  arrayMap(place -> toUInt64(bitShiftRight(place, 49)), places) AS moments,
                  arrayMap(place -> toUInt32(place), places) AS matches,
                  arrayMap(place -> toUInt32(bitShiftRight(place, 17)), places) AS ranks
                FROM (
                  SELECT
                    each_series.1 AS series,
                    each_series.2 AS places,
                    each_series.3 AS past_1,
                    torn
                  FROM (
                    SELECT
                      arrayJoin(arrayMap(series -> (series, arrayFilter(place -> bitAnd(bitShiftRight(toUInt32(place), 13), 15) = series AND bitTest(toUInt32(place), 0) OR bitAnd(bitShiftRight(toUInt32(place), 13), 15) = 0 AND bitAnd(toUInt32(place), 254) > 0, places), arrayFilter((past, place) -> bitAnd(bitShiftRight(toUInt32(place), 13), 15) = series AND bitTest(toUInt32(place), 0) OR bitAnd(bitShiftRight(toUInt32(place), 13), 15) = 0 AND bitAnd(toUInt32(place), 254) > 0, past_1, places)), starts)) AS each_series,
                      torn
                    FROM (
                      SELECT
                        arraySort(unsorted) AS places,
                        starts,
                        arrayMap((one, other) -> one + other, CAST(arrayShiftRight(arrayCumSum(arrayMap(place -> bitTest(toUInt32(place), 8), places)), 1), 'Array(UInt32)'), arraySort((without_value, place) -> place, CAST(arrayShiftRight(arrayCumSum(arrayMap((place, value) -> value = 0 AND bitTest(toUInt32(place), 8), times, values)), 1), 'Array(UInt32)'), unsorted)) AS past_1,
                        torn
                      FROM (
                        SELECT
                          *,
                          arrayMap((place, value, rank) -> bitShiftLeft(toUInt128(toUInt64(bitShiftRight(place, 17)) + bitShiftLeft(toUInt64(value), 31)), 49) + bitShiftLeft(toUInt64(rank), 17) + bitAnd(toUInt32(place), 131071), times, values, arrayEnumerateDense(times)) AS unsorted,
                          arrayExists((place, before) -> (place != before OR bitTest(toUInt32(place), 0) AND bitAnd(toUInt32(place), 8190) > 0) AND bitShiftRight(bitXor(place, before), 17) = 0, arrayFilter(place -> bitAnd(bitShiftRight(toUInt32(place), 13), 15) = 0, times), arrayShiftRight(arrayFilter(place -> bitAnd(bitShiftRight(toUInt32(place), 13), 15) = 0, times), 1)) AS torn
                        FROM (
                          SELECT
                            unit,
                            starts,
                            arrayMap(each -> toUInt64(bitShiftRight(each, 32)), in_time) AS times,
                            arrayMap(each -> toUInt32(each), in_time) AS values
                          FROM (
                            SELECT
                              unit,
                              arraySort(arrayMap((place, value) -> bitShiftLeft(toUInt128(place), 32) + value, groupArray(bitShiftLeft(moment, 17) + steps), arrayMap((held, value) -> if(held = 0, 0, value), groupArray(held), arrayEnumerateDense(groupArray(held))))) AS in_time,
                              groupUniqArray(toUInt8(bitShiftRight(steps, 13))) AS starts
                            FROM (
                              SELECT
                                1 * (name = {step:String}) + 2 * (name = {step_2:String}) + 4 * (name = {step_3:String}) + 256 * (name = {step_4:String}) AS steps,
                                {value:strings, group_key} AS unit,
                                toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                                received_at, spool, seq,
                                reinterpretAsUInt128(sipHash128(concat('t', {value_rows:strings, key}))) AS held
                              FROM events
                              WHERE {scope}
                                AND (name = {step:String} OR name = {step_2:String} OR name = {step_3:String} OR name = {step_4:String})
                                AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                                AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                                AND {value:strings, group_key} != ''
                                AND {skip_hint:strings, key}
                              UNION ALL
                              SELECT
                                1 * (name = {step:String}) + 2 * (name = {step_2:String}) + 4 * (name = {step_3:String}) + 256 * (name = {step_4:String}) AS steps,
                                {value:strings, group_key} AS unit,
                                toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                                received_at, spool, seq,
                                reinterpretAsUInt128(sipHash128(concat('o', {value_rows:texts, key}))) AS held
                              FROM events
                              WHERE {scope}
                                AND (name = {step:String} OR name = {step_2:String} OR name = {step_3:String} OR name = {step_4:String})
                                AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                                AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                                AND {value:strings, group_key} != ''
                                AND {skip_hint:texts, key}
                              UNION ALL
                              SELECT
                                1 * (name = {step:String}) + 2 * (name = {step_2:String}) + 4 * (name = {step_3:String}) + 256 * (name = {step_4:String}) AS steps,
                                {value:strings, group_key} AS unit,
                                toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                                received_at, spool, seq,
                                reinterpretAsUInt128(sipHash128(concat('t', arrayJoin(arrayDistinct({value:lists, key}))))) AS held
                              FROM events
                              WHERE {scope}
                                AND (name = {step:String} OR name = {step_2:String} OR name = {step_3:String} OR name = {step_4:String})
                                AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                                AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                                AND {value:strings, group_key} != ''
                                AND {skip_hint:lists, key}
                              UNION ALL
                              SELECT
                                1 * (name = {step:String}) + 2 * (name = {step_2:String}) + 4 * (name = {step_3:String}) + 256 * (name = {step_4:String}) AS steps,
                                {value:strings, group_key} AS unit,
                                toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                                received_at, spool, seq,
                                reinterpretAsUInt128(sipHash128(concat('n', {value_rows:number_texts, key}))) AS held
                              FROM events
                              WHERE {scope}
                                AND (name = {step:String} OR name = {step_2:String} OR name = {step_3:String} OR name = {step_4:String})
                                AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                                AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                                AND {value:strings, group_key} != ''
                                AND {in_map:number_texts, key}
                              UNION ALL
                              SELECT
                                1 * (name = {step:String}) + 2 * (name = {step_2:String}) + 4 * (name = {step_3:String}) + 256 * (name = {step_4:String}) AS steps,
                                {value:strings, group_key} AS unit,
                                toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                                received_at, spool, seq,
                                reinterpretAsUInt128(sipHash128(concat('n', toString({value_rows:numbers, key} + 0)))) AS held
                              FROM events
                              WHERE {scope}
                                AND (name = {step:String} OR name = {step_2:String} OR name = {step_3:String} OR name = {step_4:String})
                                AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                                AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                                AND {value:strings, group_key} != ''
                                AND {skip_hint:numbers, key} AND NOT {in_map:number_texts, key}
                              UNION ALL
                              SELECT
                                256 * (name = {step_4:String}) AS steps,
                                {value:strings, group_key} AS unit,
                                toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                                received_at, spool, seq,
                                toUInt128(0) AS held
                              FROM events
                              WHERE {scope}
                                AND (name = {step_4:String})
                                AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                                AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                                AND {value:strings, group_key} != ''
                                AND NOT (({in_map:strings, key} OR {in_map:numbers, key} OR {in_map:texts, key} OR {in_map:lists, key}))
                              UNION ALL
                              SELECT
                                1 + bitShiftLeft(indexOf({series:Array(String)}, label), 13) AS steps,
                                unit,
                                moment,
                                received_at, spool, seq,
                                held
                              FROM (
                                SELECT
                                  {value_rows:strings, key_2} AS label,
                                  {value:strings, group_key} AS unit,
                                  toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                                  received_at, spool, seq,
                                  arrayJoin(arrayMap(value -> reinterpretAsUInt128(sipHash128(value)), arrayDistinct(multiIf({in_map:strings, key}, [concat('t', {value:strings, key})], {in_map:number_texts, key}, [concat('n', {value:number_texts, key})], {in_map:numbers, key}, [concat('n', toString({value:numbers, key} + 0))], {in_map:texts, key}, [concat('o', {value:texts, key})], arrayMap(element -> concat('t', element), {value:lists, key}))))) AS held
                                FROM events
                                WHERE {scope}
                                  AND name = {step:String} AND ({in_map:strings, key} OR {in_map:numbers, key} OR {in_map:texts, key} OR {in_map:lists, key})
                                  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                                  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                                  AND {value:strings, group_key} != ''
                                  AND {skip_hint:strings, key_2}
                              )
                              WHERE has({series:Array(String)}, label)
                              UNION ALL
                              SELECT
                                1 + bitShiftLeft(indexOf({series:Array(String)}, label), 13) AS steps,
                                unit,
                                moment,
                                received_at, spool, seq,
                                held
                              FROM (
                                SELECT
                                  {value_rows:texts, key_2} AS label,
                                  {value:strings, group_key} AS unit,
                                  toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                                  received_at, spool, seq,
                                  arrayJoin(arrayMap(value -> reinterpretAsUInt128(sipHash128(value)), arrayDistinct(multiIf({in_map:strings, key}, [concat('t', {value:strings, key})], {in_map:number_texts, key}, [concat('n', {value:number_texts, key})], {in_map:numbers, key}, [concat('n', toString({value:numbers, key} + 0))], {in_map:texts, key}, [concat('o', {value:texts, key})], arrayMap(element -> concat('t', element), {value:lists, key}))))) AS held
                                FROM events
                                WHERE {scope}
                                  AND name = {step:String} AND ({in_map:strings, key} OR {in_map:numbers, key} OR {in_map:texts, key} OR {in_map:lists, key})
                                  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                                  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                                  AND {value:strings, group_key} != ''
                                  AND {skip_hint:texts, key_2}
                              )
                              WHERE has({series:Array(String)}, label)
                              UNION ALL
                              SELECT
                                1 + bitShiftLeft(indexOf({series:Array(String)}, label), 13) AS steps,
                                unit,
                                moment,
                                received_at, spool, seq,
                                held
                              FROM (
                                SELECT
                                  arrayJoin(arrayDistinct({value:lists, key_2})) AS label,
                                  {value:strings, group_key} AS unit,
                                  toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                                  received_at, spool, seq,
                                  arrayJoin(arrayMap(value -> reinterpretAsUInt128(sipHash128(value)), arrayDistinct(multiIf({in_map:strings, key}, [concat('t', {value:strings, key})], {in_map:number_texts, key}, [concat('n', {value:number_texts, key})], {in_map:numbers, key}, [concat('n', toString({value:numbers, key} + 0))], {in_map:texts, key}, [concat('o', {value:texts, key})], arrayMap(element -> concat('t', element), {value:lists, key}))))) AS held
                                FROM events
                                WHERE {scope}
                                  AND name = {step:String} AND ({in_map:strings, key} OR {in_map:numbers, key} OR {in_map:texts, key} OR {in_map:lists, key})
                                  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                                  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                                  AND {value:strings, group_key} != ''
                                  AND {skip_hint:lists, key_2}
                              )
                              WHERE has({series:Array(String)}, label)
                              UNION ALL
                              SELECT
                                1 + bitShiftLeft(indexOf({series:Array(String)}, label), 13) AS steps,
                                unit,
                                moment,
                                received_at, spool, seq,
                                held
                              FROM (
                                SELECT
                                  {value_rows:number_texts, key_2} AS label,
                                  {value:strings, group_key} AS unit,
                                  toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                                  received_at, spool, seq,
                                  arrayJoin(arrayMap(value -> reinterpretAsUInt128(sipHash128(value)), arrayDistinct(multiIf({in_map:strings, key}, [concat('t', {value:strings, key})], {in_map:number_texts, key}, [concat('n', {value:number_texts, key})], {in_map:numbers, key}, [concat('n', toString({value:numbers, key} + 0))], {in_map:texts, key}, [concat('o', {value:texts, key})], arrayMap(element -> concat('t', element), {value:lists, key}))))) AS held
                                FROM events
                                WHERE {scope}
                                  AND name = {step:String} AND ({in_map:strings, key} OR {in_map:numbers, key} OR {in_map:texts, key} OR {in_map:lists, key})
                                  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                                  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                                  AND {value:strings, group_key} != ''
                                  AND {in_map:number_texts, key_2}
                              )
                              WHERE has({series:Array(String)}, label)
                              UNION ALL
                              SELECT
                                1 + bitShiftLeft(indexOf({series:Array(String)}, label), 13) AS steps,
                                unit,
                                moment,
                                received_at, spool, seq,
                                held
                              FROM (
                                SELECT
                                  toString({value_rows:numbers, key_2} + 0) AS label,
                                  {value:strings, group_key} AS unit,
                                  toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_ms:Int64}) AS moment,
                                  received_at, spool, seq,
                                  arrayJoin(arrayMap(value -> reinterpretAsUInt128(sipHash128(value)), arrayDistinct(multiIf({in_map:strings, key}, [concat('t', {value:strings, key})], {in_map:number_texts, key}, [concat('n', {value:number_texts, key})], {in_map:numbers, key}, [concat('n', toString({value:numbers, key} + 0))], {in_map:texts, key}, [concat('o', {value:texts, key})], arrayMap(element -> concat('t', element), {value:lists, key}))))) AS held
                                FROM events
                                WHERE {scope}
                                  AND name = {step:String} AND ({in_map:strings, key} OR {in_map:numbers, key} OR {in_map:texts, key} OR {in_map:lists, key})
                                  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
                                  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
                                  AND {value:strings, group_key} != ''
                                  AND {skip_hint:numbers, key_2} AND NOT {in_map:number_texts, key_2}
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
          )
        )
      )
      GROUP BY series
    )
  )
)

-- group_key = "team"
-- window_ms = 604800000
-- step = "visit"
-- step_2 = "signup"
-- step_3 = "pay"
-- step_4 = "cancel"
-- origin_ms = 1793966399999
-- from_ms = 1794571200000
-- until_ms = 1795176000000
-- key = "order"
-- series = ["pro", "free"]
-- key_2 = "plan"
-- deadline_ms = 1794571200000
