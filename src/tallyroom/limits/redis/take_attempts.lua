-- Counts one attempt in each leaky bucket, or in none. KEYS: the familiar keys, then the buckets. ARGV: for each bucket
-- its size, the seconds of one attempt, and the familiar key that spares it. Returns 0, or the number of the first full
-- bucket and the seconds until it has room. A bucket is the time at which it is empty, in microseconds.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local empty_at = {}
for at = 2, #KEYS do
  local size, each, familiar = tonumber(ARGV[3 * at - 5]), tonumber(ARGV[3 * at - 4]) * 1000000, ARGV[3 * at - 3]
  if familiar == '' or not redis.call('ZSCORE', KEYS[1], familiar) then
    local full = now + size * each
    -- Never more than full, should the clock have been set back.
    local level = math.min(math.max(tonumber(redis.call('GET', KEYS[at]) or now), now), full)
    if level + each > full then
      return {at - 1, string.format('%.6f', (level + each - full) / 1000000)}
    end
    empty_at[at] = level + each
  end
end
for at, level in pairs(empty_at) do
  redis.call('SET', KEYS[at], string.format('%.0f', level), 'PX', math.ceil((level - now) / 1000))
end
return {0, '0'}
