-- KEYS: the answer, and the claim to compute it. ARGV: who asks, and for how many milliseconds a claim holds. Returns 1 and
-- the answer if it is kept, 2 if whoever asks is to compute it, and 3 if somebody else does.
local answer = redis.call('GET', KEYS[1])
if answer then
  return {1, answer}
end
if redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return {2, ''}
end
return {3, ''}
