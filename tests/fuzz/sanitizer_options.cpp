// Options of AddressSanitizer for all fuzzers, without which a third of their time goes into what they hardly need: where memory was
// allocated (to see it, set ASAN_OPTIONS=malloc_context_size=30 with the input that was found), a long time until freed memory is used
// again, and uses of a variable whose function has returned, for which the tests of this build look.
extern "C" const char* __asan_default_options() {
  return "malloc_context_size=1:quarantine_size_mb=8:thread_local_quarantine_size_kb=64:detect_stack_use_after_return=0";
}
