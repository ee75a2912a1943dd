// The settings of jemalloc, which looks for this variable when the process starts. What the
// environment has in MALLOC_CONF counts more.

// Pieces of 8 MiB and more, such as what a broker answers to a fetch, are kept for use again for
// some time, as smaller ones are. By default jemalloc gives them back at once, and all pages of
// the next one are faulted in again. That time is a minute instead of ten seconds: fetches come and
// go, so that a part of their pages was given back and faulted in again all the time.
extern "C" {
extern const char* const malloc_conf;
const char* const malloc_conf = "oversize_threshold:0,dirty_decay_ms:60000";
}
