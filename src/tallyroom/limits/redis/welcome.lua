-- Makes a key familiar. KEYS: the familiar keys; ARGV: the key, and how many are kept.
redis.call('ZADD', KEYS[1], redis.call('TIME')[1], ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -tonumber(ARGV[2]) - 1)
