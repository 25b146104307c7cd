/*
 * Figure 5.4 of Tewari 2015: throughput and slot accuracy against the number of SDDQueues, with
 * evaluation and transmission on one core, or on one each.
 *
 * FastPass's recipe (section 5.4.2) in real time: the queues own slots of SLOT_NS in turn, each has
 * packets all the time, and the line of 10 Gb/s takes one of 1500 bytes per PACKET_NS; it is DPDK's
 * null device, so that its driver costs next to nothing. Every slot is taken out of the schedule
 * and the queue's next one is added while the week runs.
 *
 *   throughputBps   what left; the line's rate is the most there is
 *   slotAccuracy    share of packets that left within the slot of their queue, by the time after
 *                   the driver took them
 *   slotsServed     share of slots in which a packet left
 *   cpuShare        share of the time that the transmitting thread had a core: what is missing is
 *                   other processes', and neither throughput nor slots can be better
 *   dequeueNs       mean time of the call that hands a packet over, on the transmitting core
 *
 * usage: scaling CORE SECOND_CORE|-1 SECONDS QUEUES...; one JSON array on stdout.
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
#include "nic.h"
#include "sdd/pipe.h"

#define SLOT_NS INT64_C(12000)
#define PACKET_NS INT64_C(1200)
#define LINE_BPS 1e10
/* A slot's packets, and two more that are in flight. */
enum { PACKETS_PER_QUEUE = 12, WIRE_BYTES = 1500, DATA_ROOM = RTE_PKTMBUF_HEADROOM + 64 };
#define GRANT_AHEAD_NS INT64_C(5000)

struct bench {
    struct sdd *sdd;
    struct sdd_pipe *pipe;
    struct rte_ring *back; /* packets from the transmitting core to the application's part */
    struct rte_mempool *pool;
    uint16_t port;
    uint32_t queues;
    bool separate;
    int64_t epoch_ns, end_ns;
    int64_t slots_added; /* their number since the epoch */
    /* the transmitting core's */
    uint64_t packets, in_slot, slots_served, dequeue_ticks;
    int64_t last_slot, line_free_ns, cpu_ns;
    atomic_bool done;
};

static void must(bool good, const char *what) {
    if (!good) {
        fprintf(stderr, "scaling: %s\n", what);
        exit(1);
    }
}

/* Keeps a week of slots ahead. */
static void add_slots(struct bench *bench, int64_t now_ns) {
    const int64_t wanted = (now_ns - bench->epoch_ns) / SLOT_NS + bench->queues + 1;
    for (; bench->slots_added < wanted; bench->slots_added++) {
        const int64_t open_ns = bench->epoch_ns + bench->slots_added * SLOT_NS;
        must(sdd_add_slot(bench->sdd, (uint32_t)(bench->slots_added % bench->queues),
                          (struct sdd_window){open_ns, open_ns + SLOT_NS}, now_ns) == SDD_OK,
             "slot");
    }
}

/* A packet is on the line: what the slot's owner says of it. */
static void account(struct bench *bench, const struct sdd_packet *packet, int64_t sent_ns) {
    const int64_t slot = (sent_ns - bench->epoch_ns) / SLOT_NS;
    bench->packets++;
    if (slot % bench->queues == packet->queue) {
        bench->in_slot++;
        bench->slots_served += slot != bench->last_slot;
        bench->last_slot = slot;
    }
}

static void transmit(struct bench *bench, struct sdd_packet *packet, const struct clock *clock) {
    struct rte_mbuf *buffer = nic_buffer((struct nic_private *)packet);
    rte_mbuf_refcnt_update(buffer, 1); /* it comes back */
    must(rte_eth_tx_burst(bench->port, 0, &buffer, 1) == 1, "the null device refused a packet");
    const int64_t sent_ns = clock_now(clock);
    account(bench, packet, sent_ns);
    /* at most one packet of lost time is made up for */
    if (bench->line_free_ns < sent_ns - PACKET_NS)
        bench->line_free_ns = sent_ns - PACKET_NS;
    bench->line_free_ns += PACKET_NS;
}

/* Until the first slot; then the CPU time used so far is noted, to be subtracted. */
static void await_epoch(struct bench *bench, const struct clock *clock) {
    while (clock_now(clock) < bench->epoch_ns)
        rte_pause();
    bench->cpu_ns = -base_system_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static int shared(void *argument) {
    struct bench *bench = argument;
    struct clock clock;
    clock_calibrate(&clock, CLOCK_MONOTONIC);
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
    struct clock clock;
    clock_calibrate(&clock, CLOCK_MONOTONIC);
    /* relaxed: a turn more does not matter */
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
    struct clock clock;
    clock_calibrate(&clock, CLOCK_MONOTONIC);
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
        const struct sdd_queue_config config = {.closed_by_default = true};
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

/* DPDK's own way to wait spins, and would take half of the core that is measured. */
static void await_thread(unsigned lcore) {
    const struct timespec pause = {.tv_nsec = 1000000};
    while (rte_eal_get_lcore_state(lcore) != WAIT)
        nanosleep(&pause, NULL);
    rte_eal_wait_lcore(lcore);
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
    /* the threads calibrate their clocks first, for 20 ms */
    bench->epoch_ns = clock_sample(CLOCK_MONOTONIC).ns + 50000000;
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
    const double per_packet_ns =
        (double)bench->dequeue_ticks / (double)bench->packets / ((double)rte_get_tsc_hz() / 1e9);
    printf("{\"queues\": %" PRIu32
           ", \"cores\": \"%s\", \"throughputBps\": %.0f, "
           "\"throughputShare\": %.4f, \"slotAccuracy\": %.5f, \"slotsServed\": %.4f, "
           "\"dequeueNs\": %.1f, \"cpuShare\": %.4f}",
           queues, bench->separate ? "separate" : "shared",
           (double)bench->packets * WIRE_BYTES * 8 / seconds,
           (double)bench->packets * WIRE_BYTES * 8 / seconds / LINE_BPS,
           (double)bench->in_slot / (double)bench->packets,
           (double)bench->slots_served / (seconds * 1e9 / (double)SLOT_NS), per_packet_ns,
           (double)bench->cpu_ns / (seconds * 1e9));
    fflush(stdout);
}

int main(int argc, char **argv) {
    const long first = argc > 4 ? strtol(argv[1], NULL, 10) : 0;
    const long second = argc > 4 ? strtol(argv[2], NULL, 10) : 0;
    const double seconds = argc > 4 ? strtod(argv[3], NULL) : 0;
    long most = 0;
    for (int i = 4; i < argc; i++)
        most = strtol(argv[i], NULL, 10) > most ? strtol(argv[i], NULL, 10) : most;
    if (seconds <= 0 || most < 1 || most > 10000) {
        fprintf(stderr, "usage: scaling CORE SECOND_CORE|-1 SECONDS QUEUES...\n");
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
    rmdir(rte_eal_get_runtime_dir()); /* DPDK leaves it behind, and nothing is in it */
    struct bench fresh = {.separate = second >= 0};
    const struct rte_eth_conf defaults = {0};
    fresh.pool = rte_pktmbuf_pool_create("packets", (unsigned)most * PACKETS_PER_QUEUE + 1024, 0,
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
        bench.queues = (uint32_t)strtol(argv[i], NULL, 10);
        must(bench.queues > 0 && bench.queues <= (uint32_t)most, "queues");
        printf("%s", i > 4 ? ",\n " : "");
        measure(&bench, seconds);
        /* the packets in flight go back to their queues, and all to the pool */
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
    rte_eth_dev_stop(fresh.port);
    rte_eal_cleanup();
    return 0;
}
