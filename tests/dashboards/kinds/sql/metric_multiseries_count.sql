SELECT label, total, groupArray((bucket, counted)) AS points
FROM (
  SELECT label, total, arrayJoin(buckets) AS bucket, count() AS counted
  FROM (
    SELECT label, count() AS total, groupArray(bucket) AS buckets
    FROM (
      SELECT actor AS label, toUInt16(intDiv((toUnixTimestamp64Milli(timestamp) + if(timestamp >= fromUnixTimestamp64Milli({since_ms:Int64}, 'UTC'), {ahead_ms_2:Int64}, {ahead_ms:Int64})), {step_ms:Int64})) AS bucket
      FROM events
      WHERE {scope}
        AND name = {event:String}
        AND {value:strings, key} = {text:String}
        AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
        AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')) AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))
        AND actor != ''
    )
    GROUP BY label
    ORDER BY total DESC NULLS LAST, label
    LIMIT {limit:Int64}
  )
  GROUP BY label, total, bucket
)
GROUP BY label, total
ORDER BY total DESC NULLS LAST, label

-- ahead_ms = 7200000
-- since_ms = 1792890000000
-- ahead_ms_2 = 3600000
-- step_ms = 86400000
-- event = "paid"
-- key = "plan"
-- text = "pro"
-- from_ms = 1792584000000
-- until_ms = 1795176000000
-- limit = 10
