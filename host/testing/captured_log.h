/* Captures standard error in a test. */
#ifndef TESTING_CAPTURED_LOG_H
#define TESTING_CAPTURED_LOG_H

#include <stddef.h>
#include <stdio.h>

struct captured_log {
    FILE *file;
    int own; /* a duplicate of the original standard error */
};

/* Redirects standard error to a file. */
struct captured_log captured_log_begin(void);

/* Restores standard error and returns the captured text, truncated to text_size. The test fails if
 * it is empty. */
void captured_log_end(struct captured_log log, char *text, size_t text_size);

#endif
