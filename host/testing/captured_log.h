/* What a test's program says on standard error. */
#ifndef TESTING_CAPTURED_LOG_H
#define TESTING_CAPTURED_LOG_H

#include <stddef.h>
#include <stdio.h>

struct captured_log {
    FILE *file;
    int own; /* the standard error that there was */
};

/* From now on standard error goes to a file. */
struct captured_log captured_log_begin(void);

/* Ends that, and gives what was said, cut to the text's size; something must have been. */
void captured_log_end(struct captured_log log, char *text, size_t text_size);

#endif
