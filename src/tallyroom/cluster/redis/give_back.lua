-- Takes back permits that were never used. KEYS: the counts of clients; ARGV: for each, the second and the number.
for at, key in ipairs(KEYS) do
  local second, number = ARGV[2 * at - 1], tonumber(ARGV[2 * at])
  if tonumber(redis.call('HGET', key, second) or 0) >= number then -- otherwise the counts are lost
    redis.call('HINCRBY', key, second, -number)
  end
end
