-- Counts one attempt in each leaky bucket, or in none. KEYS: the buckets. ARGV: for each bucket its size, and the seconds
-- of one attempt. Returns 0, or the number of the first full bucket and the seconds until it has room. A bucket is the
-- time at which it is empty, in microseconds.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local empty_at = {}
for at = 1, #KEYS do
  local size, cost = tonumber(ARGV[2 * at - 1]), tonumber(ARGV[2 * at]) * 1000000
  local full = now + size * cost
  -- Never more than full, should the clock have been set back.
  local level = math.min(math.max(tonumber(redis.call('GET', KEYS[at]) or now), now), full)
  if level + cost > full then
    return {at, string.format('%.6f', (level + cost - full) / 1000000)}
  end
  empty_at[at] = level + cost
end
for at, level in pairs(empty_at) do
  redis.call('SET', KEYS[at], string.format('%.0f', level), 'PX', math.ceil((level - now) / 1000))
end
return {0, '0'}
