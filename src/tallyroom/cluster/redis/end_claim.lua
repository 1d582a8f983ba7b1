-- KEYS: the answer, and the claim to compute it. ARGV: whose claim it is, for how many milliseconds to keep the answer, and
-- the answer. With 0 milliseconds, there is none to keep, and the next who asks computes it.
if tonumber(ARGV[2]) > 0 then
  redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[2])
end
if redis.call('GET', KEYS[2]) == ARGV[1] then
  redis.call('DEL', KEYS[2])
end
return 0
