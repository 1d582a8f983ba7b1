-- Undoes the count of one attempt. KEYS: the bucket; ARGV: the seconds of one attempt.
local level = redis.call('GET', KEYS[1])
if level then
  redis.call('SET', KEYS[1], string.format('%.0f', tonumber(level) - tonumber(ARGV[1]) * 1000000), 'KEEPTTL')
end
