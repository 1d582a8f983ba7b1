-- KEYS: the claim. ARGV: whose it is, and for how many milliseconds it is to hold. It is another's if it was not renewed in
-- time; then nothing happens.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0
