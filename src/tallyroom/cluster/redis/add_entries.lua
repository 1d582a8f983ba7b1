-- Adds entries to lists. KEYS: the lists. ARGV: how many entries a list keeps, how many seconds it lasts, and for each
-- list the number of its entries, oldest first, and then the entries.
local at = 3
for _, key in ipairs(KEYS) do
  local last = at + tonumber(ARGV[at])
  for entry = at + 1, last do
    redis.call('LPUSH', key, ARGV[entry])
  end
  redis.call('LTRIM', key, 0, tonumber(ARGV[1]) - 1)
  redis.call('EXPIRE', key, ARGV[2])
  at = last + 1
end
