SELECT
  arrayCount(start -> start <= first_ms, {starts_ms:Array(Int64)}) AS cohort,
  count() AS size,
  sumForEach(arrayMap(period -> bitTest(periods, period), range(1, 1 + length({starts_ms:Array(Int64)})))) AS returned
FROM (
  SELECT
    minIf(at_ms, is_cohort) AS first_ms,
    groupBitOrIf(bitShiftLeft(toUInt16(1), arrayCount(start -> start <= at_ms, {starts_ms:Array(Int64)})), is_return) AS periods
  FROM (
    SELECT
      actor AS unit,
      toUnixTimestamp64Milli(timestamp) AS at_ms,
      name = {cohort_event:String} AS is_cohort,
      name = {return_event:String} AND timestamp >= fromUnixTimestamp64Milli({grid_start_ms:Int64}, 'UTC') AND ({in_map:numbers, key} AND {value:numbers, key} > {number:Float64}) AS is_return
    FROM events
    WHERE {scope}
  AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND (name = {cohort_event:String} OR name = {return_event:String} AND timestamp >= fromUnixTimestamp64Milli({grid_start_ms:Int64}, 'UTC') AND ({in_map:numbers, key} AND {value:numbers, key} > {number:Float64}))
  AND actor != ''
  )
  GROUP BY unit
)
GROUP BY cohort
HAVING cohort > 0

-- starts_ms = [1788213600000, 1790805600000, 1793487600000]
-- cohort_event = "join"
-- return_event = "open"
-- grid_start_ms = 1788213600000
-- key = "n"
-- number = 3.0
-- until_ms = 1795176000000
