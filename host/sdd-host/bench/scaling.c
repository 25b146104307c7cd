/*
 * Figure 5.4 of Tewari 2015: throughput and accuracy with evaluation and transmission on the same
 * core or on two cores, in real time, on a line of 10 Gb/s that accepts a packet of 1500 bytes
 * every PACKET_NS. The line is DPDK's null device, whose driver costs almost nothing. The queues
 * always have packets.
 *
 * (a) QUEUES: with FastPass's recipe (section 5.4.2) queues own slots of SLOT_NS in turn. While the
 * week runs, each past slot is removed from the schedule and the queue's next one is added.
 *
 *   slotAccuracy      share of packets that left within the slot of their queue, by the time at
 *                     which the driver had accepted them
 *   slotsServed       share of slots in which a packet left
 *
 * (b) QUEUES@BPS: each queue has that drain rate, like SENIC's rate limiters (section 5.4.3).
 *
 *   rateShare         sent bits divided by the bits that the rates allow
 *   medianUs, trimmedRmseUs: errors of the gaps between packets of a queue, as in rate_meter
 *
 * Both:
 *
 *   throughputBps     rate of sent packets; throughputShare: divided by the line's rate
 *   cpuShare          share of the time for which the transmitting thread had a core, which other
 *                     processes reduce; it bounds throughput and slots
 *   dequeueNs         mean time of the call that returns a packet, on the transmitting core
 *
 * usage: scaling CORE SECOND_CORE|-1 SECONDS QUEUES[@BPS]...; one JSON array on stdout.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_launch.h>
#include <rte_mbuf.h>
#include <rte_ring.h>
#include <time.h>
#include <unistd.h>

#include "base/system_clock.h"
#include "clock.h"
#include "gap_errors.h"
#include "nic.h"
#include "sdd/pipe.h"

#define SLOT_NS INT64_C(12000)
#define PACKET_NS INT64_C(1200)
#define LINE_BPS 1e10
#define WARM_UP_NS INT64_C(100000000)
#define KEPT 0.99
enum { MAX_QUEUES = 10000, MAX_GAPS = 1 << 23 };
/* The packets of a slot, plus two in flight. */
enum { PACKETS_PER_QUEUE = 12, WIRE_BYTES = 1500, DATA_ROOM = RTE_PKTMBUF_HEADROOM + 64 };
#define GRANT_AHEAD_NS INT64_C(5000)
/* The time for threads to start before the first packet. */
#define AHEAD_NS INT64_C(20000000)

struct bench {
    struct sdd *sdd;
    struct sdd_pipe *pipe;
    struct rte_ring *back; /* packets from the transmitting core to the application's part */
    struct rte_mempool *pool;
    uint16_t port;
    uint32_t queues;
    int64_t rate_bps; /* of each queue; 0: the queues have slots */
    bool separate;
    struct clock clock; /* each thread has a copy, so that their clocks agree */
    int64_t epoch_ns, end_ns;
    int64_t slots_added; /* their number since the epoch */
    /* owned by the transmitting core */
    uint64_t packets, in_slot, slots_served, dequeue_ticks;
    int64_t last_slot, line_free_ns, cpu_ns;
    int64_t last_ns[MAX_QUEUES];
    struct gap_errors *errors;
    atomic_bool done;
};

static void must(bool good, const char *what) {
    if (!good) {
        fprintf(stderr, "scaling: %s\n", what);
        exit(1);
    }
}

/* Adds slots so that a week of them is scheduled in advance. */
static void add_slots(struct bench *bench, int64_t now_ns) {
    const int64_t wanted = (now_ns - bench->epoch_ns) / SLOT_NS + bench->queues + 1;
    if (bench->rate_bps > 0)
        return;
    for (; bench->slots_added < wanted; bench->slots_added++) {
        const int64_t open_ns = bench->epoch_ns + bench->slots_added * SLOT_NS;
        must(sdd_add_slot(bench->sdd, (uint32_t)(bench->slots_added % bench->queues),
                          (struct sdd_window){open_ns, open_ns + SLOT_NS}, now_ns) == SDD_OK,
             "slot");
    }
}

static double gap_ns(const struct bench *bench) {
    return WIRE_BYTES * 8e9 / (double)bench->rate_bps;
}

/* All queues start at the same time, and spread after their first packets. */
static void account_gap(struct bench *bench, const struct sdd_packet *packet, int64_t sent_ns) {
    int64_t *last_ns = &bench->last_ns[packet->queue];
    if (*last_ns > 0 && sent_ns - bench->epoch_ns > WARM_UP_NS)
        gap_errors_note(bench->errors, (double)(sent_ns - *last_ns), gap_ns(bench));
    *last_ns = sent_ns;
}

/* Accounts for a sent packet, by the owner of the current slot. */
static void account(struct bench *bench, const struct sdd_packet *packet, int64_t sent_ns) {
    const int64_t slot = (sent_ns - bench->epoch_ns) / SLOT_NS;
    bench->packets++;
    if (bench->rate_bps > 0)
        account_gap(bench, packet, sent_ns);
    else if (slot % bench->queues == packet->queue) {
        bench->in_slot++;
        bench->slots_served += slot != bench->last_slot;
        bench->last_slot = slot;
    }
}

static void transmit(struct bench *bench, struct sdd_packet *packet, const struct clock *clock) {
    struct rte_mbuf *buffer = nic_buffer((struct nic_private *)packet);
    rte_mbuf_refcnt_update(buffer, 1); /* the driver returns it */
    must(rte_eth_tx_burst(bench->port, 0, &buffer, 1) == 1, "the null device refused a packet");
    const int64_t sent_ns = clock_now(clock);
    account(bench, packet, sent_ns);
    /* at most one packet catches up after lost time */
    if (bench->line_free_ns < sent_ns - PACKET_NS)
        bench->line_free_ns = sent_ns - PACKET_NS;
    bench->line_free_ns += PACKET_NS;
}

/* Waits for the first slot, then records the CPU time used so far, which is subtracted later. */
static void await_epoch(struct bench *bench, const struct clock *clock) {
    while (clock_now(clock) < bench->epoch_ns)
        rte_pause();
    bench->cpu_ns = -base_system_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static int shared(void *argument) {
    struct bench *bench = argument;
    struct clock clock = bench->clock;
    await_epoch(bench, &clock);
    for (int64_t now_ns = clock_now(&clock); now_ns < bench->end_ns; now_ns = clock_now(&clock)) {
        if (now_ns < bench->line_free_ns)
            continue;
        add_slots(bench, now_ns);
        const uint64_t before = rte_rdtsc();
        struct sdd_packet *packet = sdd_dequeue(bench->sdd, clock_now(&clock));
        if (!packet)
            continue;
        bench->dequeue_ticks += rte_rdtsc() - before;
        transmit(bench, packet, &clock);
        must(sdd_enqueue(bench->sdd, packet, now_ns) == SDD_OK, "enqueue");
    }
    bench->cpu_ns += base_system_clock_ns(CLOCK_THREAD_CPUTIME_ID);
    return 0;
}

static int evaluating(void *argument) {
    struct bench *bench = argument;
    struct clock clock = bench->clock;
    /* relaxed: one more turn is harmless */
    while (!atomic_load_explicit(&bench->done, memory_order_relaxed)) {
        void *packets[BURST];
        const int64_t now_ns = clock_now(&clock) + GRANT_AHEAD_NS;
        const unsigned count = rte_ring_sc_dequeue_burst(bench->back, packets, BURST, NULL);
        for (unsigned i = 0; i < count; i++)
            must(sdd_enqueue(bench->sdd, packets[i], now_ns) == SDD_OK, "enqueue");
        add_slots(bench, now_ns);
        sdd_pipe_fill(bench->pipe, now_ns, BURST);
    }
    return 0;
}

static int transmitting(void *argument) {
    struct bench *bench = argument;
    struct clock clock = bench->clock;
    await_epoch(bench, &clock);
    for (int64_t now_ns = clock_now(&clock); now_ns < bench->end_ns; now_ns = clock_now(&clock)) {
        if (now_ns < bench->line_free_ns)
            continue;
        const uint64_t before = rte_rdtsc();
        struct sdd_packet *packet = sdd_pipe_front(bench->pipe, now_ns, NULL);
        if (!packet)
            continue;
        sdd_pipe_sent(bench->pipe, now_ns);
        bench->dequeue_ticks += rte_rdtsc() - before;
        transmit(bench, packet, &clock);
        must(rte_ring_sp_enqueue(bench->back, packet) == 0, "ring");
    }
    bench->cpu_ns += base_system_clock_ns(CLOCK_THREAD_CPUTIME_ID);
    atomic_store_explicit(&bench->done, true, memory_order_relaxed);
    return 0;
}

static void fill(struct bench *bench) {
    for (uint32_t queue = 0; queue < bench->queues; queue++) {
        const struct sdd_queue_config config = {.closed_by_default = bench->rate_bps == 0,
                                                .drain_rate_bps = bench->rate_bps};
        const struct sdd_match to = sdd_match_to_ipv4(0x0a000000 + queue, 32);
        must(sdd_open_queue(bench->sdd, queue, &config) == SDD_OK, "queue");
        must(sdd_map_flow(bench->sdd, queue, &to, 0, 0) == SDD_OK, "mapping");
        for (unsigned i = 0; i < PACKETS_PER_QUEUE; i++) {
            struct rte_mbuf *buffer = rte_pktmbuf_alloc(bench->pool);
            must(buffer != NULL, "memory for packets");
            struct sdd_packet *packet = &nic_private(buffer)->packet;
            memset(packet, 0, sizeof *packet);
            packet->key.destination = base_ipv4(0x0a000000 + queue);
            packet->bytes = WIRE_BYTES;
            must(sdd_enqueue(bench->sdd, packet, 0) == SDD_OK, "packet");
        }
    }
}

/* DPDK's own wait spins, and would use half of the measured core. */
static void await_thread(unsigned lcore) {
    const struct timespec pause = {.tv_nsec = 1000000};
    while (rte_eal_get_lcore_state(lcore) != WAIT)
        nanosleep(&pause, NULL);
    rte_eal_wait_lcore(lcore);
}

/* Prints the fields that only one of the two figures has. */
static void print_accuracy(const struct bench *bench, double throughput_bps, double seconds) {
    if (bench->rate_bps == 0) {
        printf("\"slotAccuracy\": %.5f, \"slotsServed\": %.4f, ",
               (double)bench->in_slot / (double)bench->packets,
               (double)bench->slots_served / (seconds * 1e9 / (double)SLOT_NS));
        return;
    }
    gap_errors_sort(bench->errors);
    printf("\"rateBps\": %" PRId64
           ", \"rateShare\": %.4f, \"medianUs\": %.3f, \"trimmedRmseUs\": %.3f, ",
           bench->rate_bps, throughput_bps / (double)bench->rate_bps / bench->queues,
           gap_errors_median_us(bench->errors), gap_errors_rmse_us(bench->errors, KEPT));
}

static void print_result(const struct bench *bench, double seconds) {
    const double throughput_bps = (double)bench->packets * WIRE_BYTES * 8 / seconds;
    const double per_packet_ns =
        (double)bench->dequeue_ticks / (double)bench->packets / ((double)rte_get_tsc_hz() / 1e9);
    printf("{\"queues\": %" PRIu32
           ", \"cores\": \"%s\", \"throughputBps\": %.0f, \"throughputShare\": %.4f, ",
           bench->queues, bench->separate ? "separate" : "shared", throughput_bps,
           throughput_bps / LINE_BPS);
    print_accuracy(bench, throughput_bps, seconds);
    printf("\"dequeueNs\": %.1f, \"cpuShare\": %.4f}", per_packet_ns,
           (double)bench->cpu_ns / (seconds * 1e9));
}

static void measure(struct bench *bench, double seconds) {
    const uint32_t queues = bench->queues;
    const struct sdd_limits limits = {.max_queues = queues,
                                      .max_flows = queues,
                                      .max_mappings = queues,
                                      .max_slots = 2 * queues + 64,
                                      .max_conditions = 1};
    must(sdd_create(&limits, &bench->sdd) == SDD_OK, "memory for queues");
    if (bench->separate)
        must(sdd_pipe_create(bench->sdd, 64, &bench->pipe) == SDD_OK, "memory for the pipe");
    fill(bench);
    clock_calibrate(&bench->clock, CLOCK_MONOTONIC);
    bench->epoch_ns = clock_now(&bench->clock) + AHEAD_NS;
    bench->end_ns = bench->epoch_ns + (int64_t)(seconds * 1e9);
    bench->line_free_ns = bench->epoch_ns;
    bench->last_slot = -1;
    add_slots(bench, bench->epoch_ns - SLOT_NS);
    if (bench->separate)
        rte_eal_remote_launch(transmitting, bench, LCORE_TRANSMIT);
    rte_eal_remote_launch(bench->separate ? evaluating : shared, bench, LCORE_EVALUATE);
    await_thread(LCORE_EVALUATE);
    if (bench->separate)
        await_thread(LCORE_TRANSMIT);
    print_result(bench, seconds);
    fflush(stdout);
}

/* Reads the number of queues and their rate from QUEUES[@BPS]. */
static bool read_case(const char *text, struct bench *bench) {
    char *end = NULL;
    const long queues = strtol(text, &end, 10);
    const long long rate_bps = *end == '@' ? strtoll(end + 1, &end, 10) : 0;
    const bool good = queues > 0 && queues <= MAX_QUEUES && rate_bps >= 0 &&
                      rate_bps <= SDD_MAX_DRAIN_RATE_BPS && *end == '\0';
    bench->queues = good ? (uint32_t)queues : 0;
    bench->rate_bps = rate_bps;
    return good;
}

int main(int argc, char **argv) {
    const long first = argc > 4 ? strtol(argv[1], NULL, 10) : 0;
    const long second = argc > 4 ? strtol(argv[2], NULL, 10) : 0;
    const double seconds = argc > 4 ? strtod(argv[3], NULL) : 0;
    uint32_t most = 0;
    bool good = seconds > 0 && argc > 4;
    for (int i = 4; i < argc; i++) {
        struct bench asked = {0};
        good = good && read_case(argv[i], &asked);
        most = asked.queues > most ? asked.queues : most;
    }
    if (!good) {
        fprintf(stderr, "usage: scaling CORE SECOND_CORE|-1 SECONDS QUEUES[@BPS]...\n");
        return 2;
    }
    char lcores[64];
    if (second < 0)
        snprintf(lcores, sizeof lcores, "--lcores=0@%ld,1@%ld", first, first);
    else
        snprintf(lcores, sizeof lcores, "--lcores=0@%ld,1@%ld,2@%ld", first, first, second);
    char *arguments[] = {argv[0],
                         "--no-huge",
                         "-m",
                         "256",
                         "--no-pci",
                         "--no-shconf",
                         "--no-telemetry",
                         "--log-level=4",
                         "--vdev=net_null0",
                         lcores,
                         NULL};
    must(rte_eal_init(10, arguments) >= 0, "DPDK does not start");
    rmdir(rte_eal_get_runtime_dir()); /* DPDK leaves the folder behind empty */
    struct gap_errors errors;
    must(gap_errors_init(&errors, MAX_GAPS), "memory for gaps");
    struct bench fresh = {.separate = second >= 0, .errors = &errors};
    const struct rte_eth_conf defaults = {0};
    fresh.pool = rte_pktmbuf_pool_create("packets", most * PACKETS_PER_QUEUE + 1024, 0,
                                         RTE_ALIGN(sizeof(struct nic_private), RTE_MBUF_PRIV_ALIGN),
                                         DATA_ROOM, SOCKET_ID_ANY);
    fresh.back = rte_ring_create("back", 1024, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ);
    must(fresh.pool && fresh.back, "memory for packets");
    must(rte_eth_dev_get_port_by_name("net_null0", &fresh.port) == 0 &&
             rte_eth_dev_configure(fresh.port, 1, 1, &defaults) == 0 &&
             rte_eth_rx_queue_setup(fresh.port, 0, 64, 0, NULL, fresh.pool) == 0 &&
             rte_eth_tx_queue_setup(fresh.port, 0, 64, 0, NULL) == 0 &&
             rte_eth_dev_start(fresh.port) == 0,
         "the null device");
    printf("[");
    for (int i = 4; i < argc; i++) {
        struct bench bench = fresh;
        read_case(argv[i], &bench);
        errors.count = 0;
        printf("%s", i > 4 ? ",\n " : "");
        measure(&bench, seconds);
        /* packets in flight return to their queues, then all packets to the pool */
        void *packet = NULL;
        while (rte_ring_dequeue(bench.back, &packet) == 0)
            rte_pktmbuf_free(nic_buffer(packet));
        sdd_pipe_destroy(bench.pipe);
        for (uint32_t queue = 0; queue < bench.queues; queue++)
            while ((packet = sdd_discard(bench.sdd, queue, bench.end_ns)) != NULL)
                rte_pktmbuf_free(nic_buffer(packet));
        sdd_destroy(bench.sdd);
    }
    printf("]\n");
    gap_errors_free(&errors);
    rte_eth_dev_stop(fresh.port);
    rte_eal_cleanup();
    return 0;
}
