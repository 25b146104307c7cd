/*
 * Measures nanoseconds per dequeue over the number of queues, for each way to execute a condition.
 *
 * Each queue always has one packet, which is enqueued again as soon as it is dequeued. Time is
 * virtual and advances by one slot of SLOT_NS per turn. A turn is a dequeue and the enqueue that
 * follows; for schedules it also adds one slot. The measured time is the thread's CPU time.
 *
 *   none             no conditions: all queues take turns
 *   schedule         queue i owns every n-th slot; the next week is added during each week
 *   rate             currTime - lastXmitTime > n slots, so that about one queue is due at a time
 *   drainRate        the same by the queue's drain rate
 *   evaluated        a true condition about another queue: one evaluation per dequeue
 *   evaluatedFalse   the same, false in all queues except the last: one evaluation per queue
 *
 * usage: bench_dequeue [--quick]; one JSON object on stdout.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/system_clock.h"
#include "sdd/sdd.h"

enum { SLOT_NS = 1200, MAX_QUEUES = 100000, REPEATS = 5 };

enum kind { NONE, SCHEDULE, RATE, DRAIN_RATE, EVALUATED, EVALUATED_FALSE, KINDS };

static const char *const kind_names[KINDS] = {"none",      "schedule",  "rate",
                                              "drainRate", "evaluated", "evaluatedFalse"};

struct bench {
    struct sdd *sdd;
    struct sdd_packet *packets;
    enum kind kind;
    uint32_t queues;
    int64_t now_ns;
    uint64_t dequeues, misses;
};

static void must(bool good, const char *what) {
    if (!good) {
        fprintf(stderr, "bench_dequeue: %s\n", what);
        exit(1);
    }
}

static void add(struct bench *bench, uint32_t queue, const char *format, long long number) {
    char text[200];
    struct sdd_program program;
    struct sdd_parse_error error;
    int length = snprintf(text, sizeof text, format, number);
    must(sdd_program_parse(text, (size_t)length, &program, &error), "condition");
    must(sdd_add_dequeue_condition(bench->sdd, queue, &program, 0) == SDD_OK, "add");
}

static void set_up(struct bench *bench, enum kind kind, uint32_t queues) {
    const struct sdd_limits limits = {.max_queues = queues,
                                      .max_flows = queues,
                                      .max_mappings = queues,
                                      .max_slots = 4 * queues,
                                      .max_conditions = queues};
    const int64_t week_ns = (int64_t)queues * SLOT_NS;
    *bench = (struct bench){.kind = kind, .queues = queues};
    must(sdd_create(&limits, &bench->sdd) == SDD_OK, "create");
    bench->packets = calloc(queues, sizeof *bench->packets);
    must(bench->packets != NULL, "memory");
    for (uint32_t i = 0; i < queues; i++) {
        struct sdd_match to = sdd_match_to_ipv4(0x0a000000 + i, 32);
        struct sdd_queue_config queue = {0};
        if (kind == DRAIN_RATE) /* 1500 bytes per week */
            queue.drain_rate_bps = INT64_C(12000000000000) / week_ns;
        must(sdd_open_queue(bench->sdd, i, &queue) == SDD_OK, "open");
        must(sdd_map_flow(bench->sdd, i, &to, 0, 0) == SDD_OK, "map");
        bench->packets[i].key.destination = base_ipv4(0x0a000000 + i);
        bench->packets[i].bytes = 1500;
        must(sdd_enqueue(bench->sdd, &bench->packets[i], 0) == SDD_OK, "enqueue");
        if (kind == SCHEDULE)
            must(sdd_add_slot(bench->sdd, i,
                              (struct sdd_window){i * INT64_C(1200), (i + 1) * INT64_C(1200)},
                              0) == SDD_OK,
                 "slot");
        if (kind == RATE)
            add(bench, i, "currTime - lastXmitTime > %lld", week_ns - SLOT_NS);
        if (kind == EVALUATED)
            add(bench, i, "Q[%lld].packets > 0", 0);
        if (kind == EVALUATED_FALSE)
            add(bench, i, i + 1 < queues ? "Q[%lld].packets > 1" : "Q[%lld].packets < 2", 0);
    }
}

static void tear_down(struct bench *bench) {
    sdd_destroy(bench->sdd);
    free(bench->packets);
}

static void turn(struct bench *bench) {
    struct sdd_packet *packet = sdd_dequeue(bench->sdd, bench->now_ns);
    bench->dequeues++;
    if (packet) {
        must(sdd_enqueue(bench->sdd, packet, bench->now_ns) == SDD_OK, "enqueue");
        if (bench->kind == SCHEDULE) {
            /* this queue's slot of the next week */
            int64_t open_ns = bench->now_ns / SLOT_NS * SLOT_NS + (int64_t)bench->queues * SLOT_NS;
            must(sdd_add_slot(bench->sdd, (uint32_t)(packet - bench->packets),
                              (struct sdd_window){open_ns, open_ns + SLOT_NS},
                              bench->now_ns) == SDD_OK,
                 "slot");
        }
    } else {
        bench->misses++;
    }
    bench->now_ns += SLOT_NS;
}

/* Returns the least of several runs, because disturbances only ever add time. */
static double ns_per_turn(enum kind kind, uint32_t queues, uint64_t turns, double *missed) {
    struct bench bench;
    double best = 1e30;
    set_up(&bench, kind, queues);
    if (kind != EVALUATED_FALSE) /* past the first, crowded week */
        for (uint64_t i = 0; i < 2 * (uint64_t)queues; i++)
            turn(&bench);
    bench.dequeues = bench.misses = 0;
    for (unsigned repeat = 0; repeat < REPEATS; repeat++) {
        int64_t began_ns = base_system_clock_ns(CLOCK_THREAD_CPUTIME_ID);
        for (uint64_t i = 0; i < turns; i++)
            turn(&bench);
        double ns =
            (double)(base_system_clock_ns(CLOCK_THREAD_CPUTIME_ID) - began_ns) / (double)turns;
        best = ns < best ? ns : best;
    }
    *missed = (double)bench.misses / (double)bench.dequeues;
    tear_down(&bench);
    return best;
}

int main(int argc, char **argv) {
    static const uint32_t counts[] = {1, 10, 100, 1000, 2600, 10000, MAX_QUEUES};
    const bool quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        fprintf(stderr, "usage: bench_dequeue [--quick]\n");
        return 2;
    }
    enum { COUNTS = sizeof counts / sizeof *counts };
    double none[COUNTS];
    const char *separator = "";
    printf("{\"cases\": [");
    for (enum kind kind = NONE; kind < KINDS; kind++) {
        double first = 0;
        for (unsigned i = 0; i < COUNTS; i++) {
            if (kind == EVALUATED_FALSE && counts[i] == MAX_QUEUES)
                continue; /* milliseconds a turn */
            /* evaluating each queue takes time in proportion to their number */
            uint64_t turns = quick ? 1000 : 200000;
            if (kind == EVALUATED_FALSE)
                turns = turns * 10 / (counts[i] + 10) + 10;
            double missed, ns = ns_per_turn(kind, counts[i], turns, &missed);
            first = i == 0 ? ns : first;
            none[i] = kind == NONE ? ns : none[i];
            printf("%s\n  {\"condition\": \"%s\", \"queues\": %" PRIu32
                   ", \"turnNs\": %.1f, \"timesOneQueue\": %.2f, \"timesNone\": %.2f, "
                   "\"withoutPacket\": %.4f}",
                   separator, kind_names[kind], counts[i], ns, ns / first, ns / none[i], missed);
            separator = ",";
            fflush(stdout);
        }
    }
    printf("\n]}\n");
    return 0;
}
