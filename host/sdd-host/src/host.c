#include "host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include <rte_ethdev.h>

#include "counters.h"
#include "headers.h"
#include "nic.h"
#include "tap.h"
#include "turn.h"

/* Grants in flight: few, because priorities do not reorder them, but enough to keep the
 * transmitting thread busy while the evaluating one handles a burst. */
enum { GRANTS = 64 };
/* The capacity for frames that the ingesting thread has read and the evaluating one has not queued:
 * many bursts of either thread. Further frames wait in the TAP device. */
enum { ARRIVALS = 512 };
enum { PACKET_SWITCH_DSCP = 8 }; /* CS1; docs/reference/sdd-protocol.md */

static bool set_up(struct sdd *sdd, const struct host_config *config, int64_t now_ns) {
    for (uint32_t i = 0; i < config->queues_count; i++) {
        enum sdd_status status =
            sdd_open_queue(sdd, config->queues[i].number, &config->queues[i].sdd);
        if (status != SDD_OK) {
            fprintf(stderr, "sdd-host: queues[%u] of %s: %s\n", i, config->name,
                    sdd_status_text(status));
            return false;
        }
    }
    for (uint32_t i = 0; i < config->mappings_count; i++) {
        const struct mapping_config *mapping = &config->mappings[i];
        enum sdd_status status =
            sdd_map_flow(sdd, mapping->queue, &mapping->match, mapping->flow_priority, now_ns);
        if (status != SDD_OK) {
            fprintf(stderr, "sdd-host: matches of queue %u of %s: %s\n", mapping->queue,
                    config->name, sdd_status_text(status));
            return false;
        }
    }
    for (uint32_t i = 0; i < config->conditions_count; i++) {
        const struct condition_config *condition = &config->conditions[i];
        enum sdd_status status =
            sdd_add_dequeue_condition(sdd, condition->queue, &condition->program, now_ns);
        if (status != SDD_OK) {
            fprintf(stderr, "sdd-host: conditions of queue %u of %s: %s\n", condition->queue,
                    config->name, sdd_status_text(status));
            return false;
        }
    }
    return true;
}

static bool open_devices(struct host *host, const struct config *config, unsigned h) {
    struct frames *frames = &host->frames;
    struct rte_ether_addr address;
    host->port_open = nic_open(config, h, &frames->network.port);
    if (!host->port_open)
        return false;
    frames->most_bytes = nic_frame_bytes(config, h, frames->network.port);
    if (host->config->tap[0] == '\0') {
        host->applications_open =
            nic_open(config, NIC_APPLICATIONS + h, &frames->applications.port);
        return host->applications_open;
    }
    frames->large = malloc(SEGMENT_BYTES);
    if (!frames->large) {
        fprintf(stderr, "sdd-host: hosts[%u].tap: out of memory\n", h);
        return false;
    }
    frames->segment_bytes = host->config->segment_bytes;
    rte_eth_macaddr_get(frames->network.port, &address);
    frames->tap = tap_open(host->config->tap, host->config->tap_namespace, host->config->name,
                           address.addr_bytes, host->config->segment_bytes, &host->tap_found);
    if (frames->tap < 0 && errno == EEXIST)
        fprintf(stderr,
                "sdd-host: hosts[%u].tap: %s exists and is not this host's: "
                "remove it (ip link delete %s), or choose another name\n",
                h, host->config->tap, host->config->tap);
    else if (frames->tap < 0)
        fprintf(stderr, "sdd-host: hosts[%u].tap: cannot create %s: %s\n", h, host->config->tap,
                strerrordesc_np(errno));
    return frames->tap >= 0;
}

bool host_open(struct host *host, const struct config *config, unsigned h, int64_t now_ns) {
    *host = (struct host){.config = &config->hosts[h],
                          .frames.tap = -1,
                          .events = -1,
                          .guard_ns = DEFAULT_GUARD_NS,
                          .ingested = config->ingest_cpu >= 0};
    const uint32_t queues = host->config->limits.max_queues;
    host->misses = calloc(queues, sizeof *host->misses);
    host->owners = calloc(host->config->applications.queues + 1, sizeof *host->owners);
    if (!host->misses || !host->owners || sdd_create(&host->config->limits, &host->sdd) != SDD_OK ||
        (config->transmit_cpu >= 0 && sdd_pipe_create(host->sdd, GRANTS, &host->pipe) != SDD_OK) ||
        (config->ingest_cpu >= 0 &&
         !base_ring_init(&host->arrivals, ARRIVALS, sizeof(struct rte_mbuf *)))) {
        fprintf(stderr, "sdd-host: hosts[%u].limits: out of memory\n", h);
        host_close(host, false);
        return false;
    }
    if (set_up(host->sdd, host->config, now_ns) && open_devices(host, config, h))
        return true;
    host_close(host, false);
    return false;
}

/* The pool frees the buffers of packets that are still queued. */
void host_close(struct host *host, bool keep_tap) {
    if (host->frames.tap >= 0 && keep_tap)
        tap_leave(host->frames.tap);
    else if (host->frames.tap >= 0)
        tap_remove(host->frames.tap);
    if (host->applications_open)
        nic_close(host->frames.applications.port);
    if (host->port_open)
        nic_close(host->frames.network.port);
    base_ring_free(&host->arrivals);
    sdd_pipe_destroy(host->pipe);
    sdd_destroy(host->sdd);
    free(host->frames.large);
    free(host->misses);
    free(host->owners);
    *host = (struct host){.frames.tap = -1, .events = -1};
}

static void queue_frame(struct host *host, struct rte_mbuf *buffer, int64_t now_ns) {
    struct nic_private *private = nic_private(buffer);
    private->queued_ns = now_ns;
    enum sdd_status status = sdd_enqueue(host->sdd, &private->packet, now_ns);
    if (status == SDD_OK)
        return;
    host->counters.unmapped += status == SDD_ERR_UNMAPPED;
    host->counters.overflowed += status == SDD_ERR_FULL;
    rte_pktmbuf_free(buffer);
}

/* Returns the next frame from the ingesting thread, or from the applications' device. */
static struct rte_mbuf *next_arrival(struct host *host, int64_t now_ns) {
    if (!host->ingested)
        return frames_read(&host->frames, now_ns);
    struct rte_mbuf *const *front = base_ring_front(&host->arrivals);
    if (!front)
        return NULL;
    struct rte_mbuf *buffer = *front;
    base_ring_drop(&host->arrivals);
    return buffer;
}

int64_t host_take_in_ns(const struct host *host) {
    return host->ingested ? TURN_TAKE_IN_NS : frames_take_in_ns(&host->frames);
}

bool host_take_in(struct host *host, const struct clock *clock, int64_t spare_ns) {
    const int64_t now_ns = clock_now(clock);
    /* alternately, so that neither direction waits for the other */
    host->took_up =
        !host->ingested && !host->took_up && frames_hand_up(&host->frames, now_ns, spare_ns);
    if (host->took_up)
        return true;
    struct rte_mbuf *buffer = next_arrival(host, now_ns);
    if (!buffer)
        return !host->ingested && frames_hand_up(&host->frames, now_ns, spare_ns);
    queue_frame(host, buffer, now_ns);
    return true;
}

unsigned host_ingest(struct host *host, int64_t now_ns, bool *queued) {
    unsigned moved = 0;
    struct rte_mbuf *buffer;
    while (moved < BURST && frames_hand_up(&host->frames, now_ns, BASE_FOREVER))
        moved++;
    for (unsigned i = 0; i < BURST && !base_ring_full(&host->arrivals) &&
                         (buffer = frames_read(&host->frames, now_ns)) != NULL;
         i++) {
        base_ring_push(&host->arrivals, &buffer);
        *queued = true;
        moved++;
    }
    /* the TAP device does not signal frames of a segment already read */
    return moved == 0 && frames_cutting(&host->frames) ? 1 : moved;
}

void host_tell_events(struct host *host) {
    const uint64_t fired = sdd_events_fired(host->sdd, SDD_APPLICATIONS);
    if (fired == host->events_told)
        return;
    host->events_told = fired;
    if (host->events >= 0)
        eventfd_write(host->events, 1); /* at most once per turn; does not block */
}

void host_reset_misses(struct host *host, uint32_t queue) {
    struct queue_misses *misses = &host->misses[queue];
    atomic_store_explicit(&misses->packets_out_of_slot, 0, memory_order_relaxed);
    atomic_store_explicit(&misses->late_starts, 0, memory_order_relaxed);
    atomic_store_explicit(&misses->latest_start_ns, 0, memory_order_relaxed);
}

/* Data of a packet that are needed after the port owns it. */
struct departure {
    int64_t open_ns, close_ns; /* the slot that allowed it, see struct sdd_packet */
    int64_t queued_ns;
    uint32_t queue;
    uint32_t bytes;
};

/* Counts packets sent after their slot, and slots whose first packet was late. */
static void count_misses(struct host *host, const struct departure *packet, int64_t sent_ns) {
    struct queue_misses *misses = &host->misses[packet->queue];
    if (packet->close_ns == BASE_FOREVER)
        return;
    if (sent_ns >= packet->close_ns)
        counter_add(&misses->packets_out_of_slot, 1);
    if (misses->slot_ns == packet->open_ns)
        return;
    misses->slot_ns = packet->open_ns;
    if (packet->queued_ns > packet->open_ns)
        return;
    const uint64_t late_ns = (uint64_t)(sent_ns - packet->open_ns);
    if ((int64_t)late_ns > atomic_load_explicit(&host->guard_ns, memory_order_relaxed))
        counter_add(&misses->late_starts, 1);
    if (late_ns > counter_value(&misses->latest_start_ns))
        atomic_store_explicit(&misses->latest_start_ns, late_ns, memory_order_relaxed);
}

/* Packets that are passed to the port in one call. */
struct departures {
    struct rte_mbuf *buffers[TRANSMIT_BURST];
    struct departure packets[TRANSMIT_BURST];
    unsigned count;
};

static void add(struct departures *departures, const struct sdd_packet *packet) {
    struct nic_private *private = (struct nic_private *)packet;
    struct rte_mbuf *buffer = nic_buffer(private);
    if (packet->network == SDD_PACKET)
        headers_mark(rte_pktmbuf_mtod(buffer, uint8_t *), buffer->data_len, PACKET_SWITCH_DSCP);
    departures->buffers[departures->count] = buffer;
    departures->packets[departures->count++] = (struct departure){.open_ns = packet->open_ns,
                                                                  .close_ns = packet->close_ns,
                                                                  .queued_ns = private->queued_ns,
                                                                  .queue = packet->queue,
                                                                  .bytes = packet->bytes};
}

static void send_all(struct host *host, struct departures *departures, const struct clock *clock) {
    const unsigned count = departures->count,
                   sent = rte_eth_tx_burst(host->frames.network.port, 0, departures->buffers,
                                           (uint16_t)count);
    const int64_t now_ns = clock_now(clock);
    uint64_t bytes = 0;
    for (unsigned i = 0; i < sent; i++) {
        bytes += departures->packets[i].bytes;
        count_misses(host, &departures->packets[i], now_ns);
    }
    counter_add(&host->transmitted.packets, sent);
    counter_add(&host->transmitted.bytes, bytes);
    if (sent < count) {
        counter_add(&host->transmitted.refused, count - sent);
        rte_pktmbuf_free_bulk(&departures->buffers[sent], count - sent);
    }
}

unsigned host_transmit(struct host *host, const struct clock *clock) {
    struct departures departures = {.count = 0};
    const struct sdd_packet *packet;
    while (departures.count < TRANSMIT_BURST &&
           (packet = sdd_dequeue(host->sdd, clock_now(clock))) != NULL)
        add(&departures, packet);
    if (departures.count > 0)
        send_all(host, &departures, clock);
    return departures.count;
}

unsigned host_grant(struct host *host, const struct clock *clock) {
    return sdd_pipe_fill(host->pipe, clock_now(clock) + GRANT_AHEAD_NS, BURST);
}

bool host_transmit_grants(struct host *host, const struct clock *clock, int64_t *next_ns) {
    struct departures departures = {.count = 0};
    while (departures.count < TRANSMIT_BURST) {
        const int64_t now_ns = clock_now(clock);
        const struct sdd_packet *packet = sdd_pipe_front(host->pipe, now_ns, next_ns);
        if (!packet)
            break;
        add(&departures, packet);
        sdd_pipe_sent(host->pipe, now_ns);
    }
    if (departures.count > 0)
        send_all(host, &departures, clock);
    return departures.count == TRANSMIT_BURST;
}
