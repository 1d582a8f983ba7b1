-- Grants permits to one worker for one client. KEYS: the counts by second. ARGV: the limit, the number of workers, how
-- many permits requests wait for, how many the worker would like, and the second and number of permits to take back.
-- Returns the permits granted, the second that they count in, and the seconds until there may be more.
-- A permit may be used until a second after it was granted, so counts hold for 62 seconds: no 60 of them, wherever they
-- begin, see more uses than the limit.
local limit, workers, waiting, lease_size = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = tonumber(redis.call('TIME')[1])
if tonumber(ARGV[6]) > 0 and tonumber(redis.call('HGET', KEYS[1], ARGV[5]) or 0) >= tonumber(ARGV[6]) then
  redis.call('HINCRBY', KEYS[1], ARGV[5], -tonumber(ARGV[6]))
end
local counts = redis.call('HGETALL', KEYS[1])
local sum, oldest = 0, now
for at = 1, #counts, 2 do
  local second, count = tonumber(counts[at]), tonumber(counts[at + 1])
  if second <= now - 62 or second > now + 60 then -- too old, or from before the clock was set back
    redis.call('HDEL', KEYS[1], counts[at])
  else
    sum = sum + count
    if count > 0 and second < oldest then oldest = second end
  end
end
local room = math.max(0, limit - sum)
local share = math.min(lease_size, math.floor(room / (4 * workers)))
local permits = math.min(room, math.max(waiting, share))
if permits > 0 then
  redis.call('HINCRBY', KEYS[1], now, permits)
  redis.call('EXPIRE', KEYS[1], 63)
end
return {permits, now, oldest + 62 - now}
