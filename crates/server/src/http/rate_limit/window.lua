-- Counts a request in the window KEYS[1] of ARGV[1] microseconds. Returns the requests, the end and the current time.
-- Uses the server's clock, so that replicas with different clocks share windows. The key expires with its window.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local span = tonumber(ARGV[1])
local ends = tonumber(redis.call('HGET', KEYS[1], 'ends') or '0')
-- A window that ends too late started before the limit was shortened.
if ends <= now or ends > now + span then
    ends = now + span
    -- The first write of a script decides whether Redis refuses it for want of memory: no DEL, which is always accepted.
    redis.call('HSET', KEYS[1], 'ends', string.format('%.0f', ends), 'requests', 0)
    redis.call('PEXPIRE', KEYS[1], math.ceil(span / 1000))
end
local requests = redis.call('HINCRBY', KEYS[1], 'requests', 1)
return { requests, string.format('%.0f', ends), string.format('%.0f', now) }
