/*
 * What a scheme costs a host per packet, and how much it remembers per destination.
 *
 * usage: bench_edge [--json] [--quick] [--seed N]
 *
 * A packet costs: the hash of its five-tuple, finding its flow's entry and its destination, and the
 * choice; every 16th also brings feedback, every 64th a mark. One packet in eight begins a flowlet
 * (`nsPerPacket`), and each one (`nsPerFlowlet`). Destinations and flows are drawn at random before
 * the clock starts, so that tables that do not fit a cache cost what they cost. Every figure is the
 * median over batches of 1024 packets, of which interruptions hit few. JSON on standard output.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "edge/choose.h"
#include "edge/delay.h"
#include "edge/feedback.h"

enum { BATCH = 1024, FLOWS_PER_DESTINATION = 4, MOST_BATCHES = 400, QUICK_BATCHES = 20 };

static const char usage[] =
    "usage: ./evenweave bench edge [--json] [--quick] [--seed N]\n"
    "\n"
    "Cost of each scheme of host/libedge in ns per packet, for 1 to 10,000 destinations and 4 to "
    "64\n"
    "paths, and what it remembers per destination, as JSON (docs/reference/libedge.md). Example:\n"
    "\n"
    "  ./evenweave bench edge | jq .schemes\n";

static const char *const names[EDGE_SCHEMES] = {"ecmp",          "wcmp",      "presto",
                                                "edge-flowlet",  "clove-ecn", "clove-int",
                                                "clove-latency", "alb",       "intflow"};

struct tuple {
    uint32_t source, destination, ports;
};

static uint64_t random_state;

/* SplitMix64. */
static uint64_t next_random(void) {
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void *table_of(size_t count, size_t size) {
    void *table = aligned_alloc(64, (count * size + 63) / 64 * 64);
    if (!table) {
        fprintf(stderr, "bench_edge: no memory for %zu entries of %zu bytes\n", count, size);
        exit(1);
    }
    memset(table, 0, (count * size + 63) / 64 * 64);
    return table;
}

/* Median ns per packet. one_in: a packet in so many begins a flowlet, on average. */
static double measure(uint32_t scheme, uint32_t destinations, uint32_t count, uint32_t one_in,
                      unsigned batches) {
    struct edge_params params = edge_defaults(scheme, 100000, UINT64_C(10000000000));
    struct edge_paths *paths = table_of(destinations, sizeof *paths);
    struct edge_flow *flows = table_of((size_t)destinations * FLOWS_PER_DESTINATION, sizeof *flows);
    struct edge_found found[EDGE_MAX_PATHS];
    for (uint32_t i = 0; i < count; i++)
        found[i] = (struct edge_found){.key = i, .weight = 1 + i % 3, .port = (uint16_t)i};
    for (uint32_t d = 0; d < destinations; d++)
        edge_set_paths(&paths[d], found, count);
    struct tuple tuples[BATCH];
    uint32_t gaps[BATCH], lots[BATCH];
    double times[MOST_BATCHES];
    uint64_t now_ns = 1000000;
    uint32_t sink = 0;
    for (unsigned batch = 0; batch < batches; batch++) {
        for (unsigned i = 0; i < BATCH; i++) {
            tuples[i] = (struct tuple){.source = 0x0a000001,
                                       .destination = (uint32_t)next_random() % destinations,
                                       .ports = (uint32_t)next_random() % FLOWS_PER_DESTINATION};
            lots[i] = (uint32_t)next_random();
            gaps[i] = lots[i] % one_in ? 0 : params.gap_ns;
        }
        uint64_t began_ns = clock_ns();
        for (unsigned i = 0; i < BATCH; i++) {
            uint32_t d = tuples[i].destination;
            uint32_t hash = edge_mix(edge_mix(edge_mix(17, tuples[i].source), d), tuples[i].ports);
            struct edge_flow *flow = &flows[d * FLOWS_PER_DESTINATION + tuples[i].ports];
            /* The flow was idle for a gap, or was served just now. */
            if (edge_keeps_flows(scheme))
                flow->last_ns = flow->last_ns ? now_ns - gaps[i] : 0;
            if (scheme == EDGE_PRESTO && gaps[i])
                flow->bytes = params.flowcell_bytes;
            struct edge_packet packet = {
                .now_ns = now_ns, .hash = hash, .bytes = 1500, .random = lots[i]};
            sink += edge_choose(&params, &paths[d], flow, &packet, NULL);
            if (i % 16 == 0)
                edge_take_feedback(&params, &paths[d], lots[i] % count, i % 64 == 0, lots[i] >> 12,
                                   now_ns);
            now_ns += 100;
        }
        times[batch] = (double)(clock_ns() - began_ns) / BATCH;
    }
    free(paths);
    free(flows);
    if (sink == 1)
        fputc(' ', stderr); /* the choices are used */
    qsort(times, batches, sizeof *times, by_value);
    return times[batches / 2];
}

/* What a host remembers of a destination: of its paths, and for ALB of those that lead here. */
static size_t bytes_of(uint32_t scheme) {
    size_t bytes = sizeof(struct edge_paths);
    if (scheme == EDGE_CLOVE_ECN || scheme == EDGE_CLOVE_INT || scheme == EDGE_CLOVE_LATENCY ||
        scheme == EDGE_ALB)
        bytes += sizeof(struct edge_reports);
    if (scheme == EDGE_ALB)
        bytes += EDGE_MAX_PATHS * sizeof(struct edge_baseline);
    return bytes;
}

int main(int argc, char **argv) {
    unsigned batches = MOST_BATCHES;
    unsigned long seed = 1;
    for (int i = 1; i < argc; i++) {
        char *end = NULL;
        if (!strcmp(argv[i], "--help")) {
            fputs(usage, stdout);
            return 0;
        }
        if (!strcmp(argv[i], "--quick"))
            batches = QUICK_BATCHES;
        else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
            seed = strtoul(argv[++i], &end, 10);
        else if (strcmp(argv[i], "--json") != 0) {
            fprintf(stderr, "bench edge: unknown option %s\n%s", argv[i], usage);
            return 2;
        }
        if (end && (end == argv[i] || *end)) {
            fprintf(stderr, "bench edge: --seed must be a whole number, not %s\n", argv[i]);
            return 2;
        }
    }
    random_state = seed;
    static const uint32_t destinations[] = {1, 100, 1000, 10000}, counts[] = {4, 8, 16, 64};
    printf("{\"seed\":%lu,\"destinations\":1000,\"paths\":8,\"schemes\":{", seed);
    for (uint32_t scheme = 0; scheme < EDGE_SCHEMES; scheme++)
        printf("%s\"%s\":{\"nsPerPacket\":%.1f,\"nsPerFlowlet\":%.1f,\"bytesPerDestination\":%zu}",
               scheme ? "," : "", names[scheme], measure(scheme, 1000, 8, 8, batches),
               measure(scheme, 1000, 8, 1, batches), bytes_of(scheme));
    printf("},\"cases\":[");
    const char *separator = "";
    for (uint32_t scheme = 0; scheme < EDGE_SCHEMES; scheme++) {
        fprintf(stderr, "%s\n", names[scheme]);
        for (unsigned d = 0; d < 4; d++)
            for (unsigned c = 0; c < 4; c++) {
                printf(
                    "%s{\"scheme\":\"%s\",\"destinations\":%u,\"paths\":%u,"
                    "\"nsPerPacket\":%.1f,\"nsPerFlowlet\":%.1f}",
                    separator, names[scheme], destinations[d], counts[c],
                    measure(scheme, destinations[d], counts[c], 8, batches),
                    measure(scheme, destinations[d], counts[c], 1, batches));
                separator = ",";
            }
    }
    printf("]}\n");
    return 0;
}
