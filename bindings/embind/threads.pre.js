// Part of the glue, in every thread. A thread of the pool that runs into a trap leaves the engine waiting for
// it, deaf to the event that tells of it; so the thread says it through shared memory
// (src/base/thread_pool.cpp).
if (ENVIRONMENT_IS_PTHREAD) addEventListener('error', () => _heed_worker_died())
