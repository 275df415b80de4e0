// Part of the glue, in every thread. If a thread of the pool traps, the engine waits for it and cannot receive the event
// that reports this. So the thread reports it through shared memory (src/base/thread_pool.cpp).
if (ENVIRONMENT_IS_PTHREAD) addEventListener('error', () => _heed_worker_died())
