/*
 * Measures each scheme's cost per packet on a host and its memory per destination.
 *
 * usage: bench_edge [--json] [--quick] [--seed N]
 *
 * The cost of a packet is everything that the scheme does for it. At the sender: hashing the
 * five-tuple, finding the flow's entry and the destination, the choice, IntFlow's instruction, and
 * taking the report that the packet carries. At the receiver: the delay over the path's baseline,
 * recording it for the sender, and applying the packet's report. One packet goes back for each that
 * arrives, so every packet takes a report; every 64th is marked. Schemes without reports skip those
 * parts. Either one packet in eight begins a flowlet (`nsPerPacket`) or every packet does
 * (`nsPerFlowlet`). Destinations and flows are drawn at random before the measurement, so that
 * tables larger than a cache show their real cost. Each figure is the median over batches of 1024
 * packets, few of which an interrupt hits. `timesHash` is nsPerPacket divided by that of `ecmp`.
 * Prints JSON on standard output.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "edge/choose.h"
#include "edge/delay.h"
#include "edge/feedback.h"
#include "edge/intflow.h"

enum { BATCH = 1024, FLOWS_PER_DESTINATION = 4, MOST_BATCHES = 400, QUICK_BATCHES = 20 };

static const char usage[] =
    "usage: ./evenweave bench edge [--json] [--quick] [--seed N]\n"
    "\n"
    "Measures each scheme of host/libedge in ns per packet, for 1 to 10,000 destinations and\n"
    "4 to 64 paths, and its memory per destination. Prints JSON (docs/reference/libedge.md).\n"
    "\n"
    "  --json     the output is always JSON\n"
    "  --quick    fewer packets, for tests: the figures are meaningless\n"
    "  --seed N   seed of destinations and flows, 0 to 4294967295; 1 by default\n"
    "\n"
    "example:\n"
    "\n"
    "  ./evenweave bench edge | jq .schemes\n";

#define NAME(CONSTANT, NAME, ...) NAME,
static const char *const names[] = {EDGE_SCHEME_TABLE(NAME)};

struct tuple {
    uint32_t source, destination, ports;
};

static uint64_t random_state;

/* The SplitMix64 generator. */
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

/* A host's state of a destination, and the destination's state of the host. */
struct peer {
    struct edge_paths paths;
    struct edge_reports reports;
    struct edge_baseline baselines[EDGE_MAX_PATHS];
};

/* A host's state of a flow. Each part is in its own table; IntFlow has the status only. */
struct flow {
    struct edge_flow *choice;
    struct edge_flow_status *status;
};

/* One packet, drawn before the measurement. */
struct drawn {
    struct tuple tuple;
    uint32_t random;
    bool begins; /* it begins a flowlet */
};

/* Processes a packet at the sender. Returns whether it carries a report. */
static bool leave(const struct edge_params *params, struct peer *peer, struct flow flow,
                  const struct edge_packet *packet, struct edge_feedback *feedback,
                  uint32_t *sink) {
    *sink += edge_choose(params, &peer->paths, flow.choice, packet, NULL);
    if (params->scheme == EDGE_INTFLOW)
        *sink += edge_intflow_instruct(params, flow.status, (uint32_t)flow.status->sent_bytes,
                                       packet->bytes, packet->now_ns);
    return edge_wants_reports(params->scheme) &&
           edge_next_report(params, &peer->reports, packet->now_ns, feedback);
}

/* Processes the returning packet, which arrives by the drawn path and carries the report. */
static void arrive(const struct edge_params *params, struct peer *peer, struct flow flow,
                   uint32_t random, const struct edge_feedback *feedback, uint64_t now_ns) {
    uint32_t path = edge_bounded(random, peer->paths.count), late_ns = random & 0x3ffff;
    bool marked = random % 64 == 0;
    if (params->scheme == EDGE_INTFLOW)
        edge_intflow_delay(flow.status, late_ns);
    if (!edge_wants_reports(params->scheme))
        return;
    uint32_t metric = late_ns;
    if (params->scheme == EDGE_ALB)
        metric =
            edge_delay_over_baseline(params, &peer->baselines[path], (uint32_t)now_ns - late_ns,
                                     (uint32_t)now_ns, false, now_ns);
    else if (edge_wants_marks(params->scheme))
        metric = 0;
    edge_report(&peer->reports, path, marked, metric, now_ns);
    if (feedback)
        edge_apply_feedback(params, &peer->paths, feedback->path, feedback->marked,
                            feedback->metric, now_ns);
}

/* Returns destinations with `count` paths of different weights each. */
static struct peer *peers_of(uint32_t destinations, uint32_t count) {
    struct peer *peers = table_of(destinations, sizeof *peers);
    struct edge_found found[EDGE_MAX_PATHS];
    for (uint32_t i = 0; i < count; i++)
        found[i] = (struct edge_found){.key = i, .weight = 1 + i % 3, .port = (uint16_t)i};
    for (uint32_t d = 0; d < destinations; d++)
        edge_set_paths(&peers[d].paths, found, count);
    return peers;
}

/* Returns the median ns per packet. one_in: on average one packet in `one_in` begins a flowlet. */
static double measure(uint32_t scheme, uint32_t destinations, uint32_t count, uint32_t one_in,
                      unsigned batches) {
    const struct edge_params params = edge_defaults(scheme, 100000, UINT64_C(10000000000));
    struct peer *peers = peers_of(destinations, count);
    size_t flows = (size_t)destinations * FLOWS_PER_DESTINATION;
    struct edge_flow *choices = table_of(flows, sizeof *choices);
    struct edge_flow_status *statuses = table_of(flows, sizeof *statuses);
    struct drawn drawn[BATCH];
    double times[MOST_BATCHES];
    uint64_t now_ns = 1000000;
    uint32_t sink = 0;
    for (unsigned batch = 0; batch < batches; batch++) {
        for (unsigned i = 0; i < BATCH; i++) {
            drawn[i].tuple =
                (struct tuple){.source = 0x0a000001,
                               .destination = (uint32_t)next_random() % destinations,
                               .ports = (uint32_t)next_random() % FLOWS_PER_DESTINATION};
            drawn[i].random = (uint32_t)next_random();
            drawn[i].begins = (uint32_t)next_random() % one_in == 0;
        }
        uint64_t began_ns = clock_ns();
        for (unsigned i = 0; i < BATCH; i++) {
            const struct tuple *tuple = &drawn[i].tuple;
            uint32_t d = tuple->destination;
            uint32_t hash = edge_mix(edge_mix(edge_mix(17, tuple->source), d), tuple->ports);
            uint32_t at = d * FLOWS_PER_DESTINATION + tuple->ports;
            struct flow flow = {&choices[at], &statuses[at]};
            /* Sets the flow's idle time to a gap or to 0. */
            if (edge_keeps_flows(scheme) && flow.choice->last_ns)
                flow.choice->last_ns = now_ns - (drawn[i].begins ? params.gap_ns : 0);
            if (scheme == EDGE_PRESTO && drawn[i].begins)
                flow.choice->bytes = params.flowcell_bytes;
            struct edge_packet packet = {
                .now_ns = now_ns, .hash = hash, .bytes = 1500, .random = drawn[i].random};
            struct edge_feedback feedback;
            bool any = leave(&params, &peers[d], flow, &packet, &feedback, &sink);
            arrive(&params, &peers[d], flow, drawn[i].random, any ? &feedback : NULL, now_ns);
            now_ns += 100;
        }
        times[batch] = (double)(clock_ns() - began_ns) / BATCH;
    }
    free(peers);
    free(choices);
    free(statuses);
    if (sink == 1)
        fputc(' ', stderr); /* uses the choices, so that the compiler keeps them */
    qsort(times, batches, sizeof *times, by_value);
    return times[batches / 2];
}

/* Returns a host's memory for one destination: its paths, and for ALB also the paths that lead
 * here. */
static size_t bytes_of(uint32_t scheme) {
    size_t bytes = sizeof(struct edge_paths);
    if (edge_wants_reports(scheme))
        bytes += sizeof(struct edge_reports);
    if (scheme == EDGE_ALB)
        bytes += EDGE_MAX_PATHS * sizeof(struct edge_baseline);
    return bytes;
}

/* Prints the last fields of an object. */
static void print_cost(double packet_ns, double flowlet_ns, double hash_ns) {
    printf("\"nsPerPacket\":%.1f,\"nsPerFlowlet\":%.1f,\"timesHash\":%.1f}", packet_ns, flowlet_ns,
           packet_ns / hash_ns);
}

/* Prints each scheme's cost for 1,000 destinations with 8 paths. */
static void print_schemes(unsigned batches) {
    double hash_ns = 0;
    for (uint32_t scheme = 0; scheme < EDGE_SCHEMES; scheme++) {
        double packet_ns = measure(scheme, 1000, 8, 8, batches);
        if (scheme == EDGE_ECMP)
            hash_ns = packet_ns;
        printf("%s\"%s\":{\"bytesPerDestination\":%zu,", scheme ? "," : "", names[scheme],
               bytes_of(scheme));
        print_cost(packet_ns, measure(scheme, 1000, 8, 1, batches), hash_ns);
    }
}

/* Prints each scheme's cost for all numbers of destinations and paths. */
static void print_cases(unsigned batches) {
    static const uint32_t destinations[] = {1, 100, 1000, 10000}, counts[] = {4, 8, 16, 64};
    double hash_ns[4][4] = {{0}};
    for (uint32_t scheme = 0; scheme < EDGE_SCHEMES; scheme++) {
        fprintf(stderr, "%s\n", names[scheme]);
        for (unsigned d = 0; d < 4; d++)
            for (unsigned c = 0; c < 4; c++) {
                double packet_ns = measure(scheme, destinations[d], counts[c], 8, batches);
                if (scheme == EDGE_ECMP)
                    hash_ns[d][c] = packet_ns;
                printf("%s{\"scheme\":\"%s\",\"destinations\":%u,\"paths\":%u,",
                       scheme || d || c ? "," : "", names[scheme], destinations[d], counts[c]);
                print_cost(packet_ns, measure(scheme, destinations[d], counts[c], 1, batches),
                           hash_ns[d][c]);
            }
    }
}

/* Accepts digits only: strtoull also accepts signs and blanks, and clamps numbers that are too
 * large. */
static bool read_seed(const char *text, uint32_t *seed) {
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 10 || text[digits])
        return false;
    const unsigned long long number = strtoull(text, NULL, 10);
    *seed = (uint32_t)number;
    return number <= UINT32_MAX;
}

static int refuse(const char *what, const char *argument) {
    fprintf(stderr, "bench edge: %s%s; --help says more\n", what, argument);
    return 2;
}

/* Closes standard output. Returns the exit status: 0 only if the whole result was written. */
static int close_output(void) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    fprintf(stderr, "bench edge: the result cannot be written: %s\n", strerrordesc_np(errno));
    return 1;
}

int main(int argc, char **argv) {
    unsigned batches = MOST_BATCHES;
    uint32_t seed = 1;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            fputs(usage, stdout);
            return close_output();
        }
        if (!strcmp(argv[i], "--quick")) {
            batches = QUICK_BATCHES;
        } else if (!strcmp(argv[i], "--seed")) {
            if (++i == argc)
                return refuse("--seed needs a number", "");
            if (!read_seed(argv[i], &seed))
                return refuse("--seed must be 0 to 4294967295, not ", argv[i]);
        } else if (strcmp(argv[i], "--json") != 0) {
            return refuse("unknown option ", argv[i]);
        }
    }
    random_state = seed;
    printf("{\"seed\":%" PRIu32 ",\"destinations\":1000,\"paths\":8,\"schemes\":{", seed);
    print_schemes(batches);
    printf("},\"cases\":[");
    print_cases(batches);
    printf("]}\n");
    return close_output();
}
