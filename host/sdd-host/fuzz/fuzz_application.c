/*
 * Uses any bytes as a request of an application. Invariants: the request is accepted, or refused
 * with a reason; and all values of an accepted request are within their ranges.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "application_holdings.h"
#include "application_request.h"
#include "exact_copy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good, const char *what) {
    if (!good) {
        fprintf(stderr, "fuzz_application: %s\n", what);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct application_request request;
    char text[APPLICATION_TEXT_SIZE];
    int64_t end_ns;
    const struct exact_copy copy = exact_copy_make(data, size);
    const enum application_status status =
        application_request_read((const char *)copy.bytes, size, &request, text);
    must((status == ANSWER_OK) == (text[0] == '\0'), "a reason, or none");
    if (status == ANSWER_OK) {
        must(request.id != NULL, "an identifier");
        must(sdd_match_valid(&request.match), "a match");
        must(request.config.priority < SDD_PRIORITIES, "a priority");
        must(strlen(request.name) < sizeof request.name, "a name");
        if (request.program.length > 0) {
            must(sdd_program_check(&request.program, SDD_MAX_QUEUES, NULL), "a program");
            must(condition_weight(&request.program, &end_ns) <= SDD_MAX_WINDOWS, "its slots");
        }
    }
    application_request_free(&request);
    exact_copy_free(copy);
    return 0;
}
