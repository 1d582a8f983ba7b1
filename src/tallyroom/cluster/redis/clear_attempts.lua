-- Undoes the count of all attempts. KEYS: the buckets.
redis.call('DEL', unpack(KEYS))
