/*
 * Reads and applies arbitrary options, and checks that no access leaves the tables and that the
 * tables' invariants hold. The first byte is the number of paths; each 16 bytes after it are an
 * option.
 */
#include "fuzz_option.h"

#include <stdlib.h>
#include <string.h>

#include "edge/choose.h"
#include "edge/delay.h"
#include "edge/feedback.h"
#include "edge/option.h"

static void require(bool holds) {
    if (!holds)
        abort();
}

static void act_on(const struct edge_option *option, struct edge_paths *paths,
                   struct edge_reports *reports, struct edge_baseline *baselines, uint64_t now_ns) {
    for (uint32_t scheme = 0; scheme < EDGE_SCHEMES; scheme++) {
        struct edge_params params = edge_defaults(scheme, 100000, UINT64_C(10000000000));
        if (option->flags & EDGE_OPTION_FEEDBACK)
            edge_apply_feedback(&params, paths, option->feedback_path,
                                option->flags & EDGE_OPTION_MARKED, option->metric, now_ns);
        uint32_t delay_ns =
            edge_delay_over_baseline(&params, &baselines[option->path], option->sent_ns,
                                     (uint32_t)now_ns, option->flags & EDGE_OPTION_REBASE, now_ns);
        require(delay_ns < 1u << 31);
        edge_report(reports, option->path, option->flags & EDGE_OPTION_MARKED, delay_ns, now_ns);
        struct edge_feedback feedback;
        if (edge_next_report(&params, reports, now_ns, &feedback))
            require(feedback.path < EDGE_MAX_PATHS);
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < paths->count; i++)
        sum += paths->weight[i];
    require(sum == EDGE_WEIGHT_ONE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    static struct edge_paths paths;
    struct edge_reports reports = {0};
    struct edge_baseline baselines[EDGE_MAX_PATHS] = {{0}};
    struct edge_found found[EDGE_MAX_PATHS];
    uint32_t count = 1 + edge_index(data[0]);
    for (uint32_t i = 0; i < count; i++)
        found[i] = (struct edge_found){.key = i, .weight = 1 + i, .port = (uint16_t)i};
    memset(&paths, 0, sizeof paths);
    edge_set_paths(&paths, found, count);
    uint64_t now_ns = 1000000;
    for (size_t at = 1; at + EDGE_OPTION_BYTES <= size; at += EDGE_OPTION_BYTES, now_ns += 30000) {
        /* A separate buffer of the exact length, so that a read beyond its end is detected. */
        uint8_t *bytes = malloc(EDGE_OPTION_BYTES);
        if (!bytes)
            return 0;
        memcpy(bytes, data + at, EDGE_OPTION_BYTES);
        struct edge_option option;
        if (edge_option_read(bytes, count, &option)) {
            require(option.path < count && option.instruction < 8 && option.echo <= count);
            act_on(&option, &paths, &reports, baselines, now_ns);
        }
        free(bytes);
    }
    return 0;
}
