#include "host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <rte_ethdev.h>

#include "headers.h"
#include "nic.h"
#include "tap.h"

/* Grants in flight: priorities no longer reorder them, so few; but enough to keep the transmitting
   thread busy while the evaluating one handles a burst. */
enum { GRANTS = 64 };
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
    struct rte_ether_addr address;
    if (!nic_open(config, h, &host->port))
        return false;
    host->port_open = true;
    rte_eth_macaddr_get(host->port, &address);
    host->tap = tap_open(host->config->tap, host->config->tap_namespace, host->config->name,
                         address.addr_bytes);
    if (host->tap < 0 && errno == EEXIST)
        fprintf(stderr,
                "sdd-host: hosts[%u].tap: %s is there and not this host's: "
                "remove it (ip link delete %s), or choose another name\n",
                h, host->config->tap, host->config->tap);
    else if (host->tap < 0)
        fprintf(stderr, "sdd-host: hosts[%u].tap: cannot create %s: %s\n", h, host->config->tap,
                strerrordesc_np(errno));
    return host->tap >= 0;
}

bool host_open(struct host *host, const struct config *config, unsigned h, int64_t now_ns) {
    *host = (struct host){
        .config = &config->hosts[h], .tap = -1, .events = -1, .guard_ns = DEFAULT_GUARD_NS};
    const uint32_t queues = host->config->limits.max_queues;
    host->to_packet_switch = calloc(queues, sizeof *host->to_packet_switch);
    host->misses = calloc(queues, sizeof *host->misses);
    host->owners = calloc(host->config->applications.queues + 1, sizeof *host->owners);
    if (!host->to_packet_switch || !host->misses || !host->owners ||
        sdd_create(&host->config->limits, &host->sdd) != SDD_OK ||
        (config->transmit_cpu >= 0 && sdd_pipe_create(host->sdd, GRANTS, &host->pipe) != SDD_OK)) {
        fprintf(stderr, "sdd-host: hosts[%u].limits: out of memory\n", h);
        host_close(host, false);
        return false;
    }
    for (uint32_t i = 0; i < host->config->queues_count; i++)
        host->to_packet_switch[host->config->queues[i].number] =
            host->config->queues[i].to_packet_switch;
    if (set_up(host->sdd, host->config, now_ns) && open_devices(host, config, h))
        return true;
    host_close(host, false);
    return false;
}

/* Buffers of packets that are still queued go with their pool. */
void host_close(struct host *host, bool keep_tap) {
    if (host->tap >= 0 && keep_tap)
        close(host->tap);
    else if (host->tap >= 0)
        tap_remove(host->tap);
    if (host->port_open)
        nic_close(host->port);
    sdd_pipe_destroy(host->pipe);
    sdd_destroy(host->sdd);
    free(host->to_packet_switch);
    free(host->misses);
    free(host->owners);
    *host = (struct host){.tap = -1, .events = -1};
}

static void queue_frame(struct host *host, struct rte_mbuf *buffer, const struct clock *clock) {
    struct nic_private *private = nic_private(buffer);
    headers_flow(rte_pktmbuf_mtod(buffer, const uint8_t *), buffer->data_len, &private->packet.key);
    private->packet.bytes = buffer->pkt_len;
    private->queued_ns = clock_now(clock);
    host->counters.from_applications++;
    enum sdd_status status = sdd_enqueue(host->sdd, &private->packet, private->queued_ns);
    if (status == SDD_OK)
        return;
    host->counters.unmapped += status == SDD_ERR_UNMAPPED;
    host->counters.overflowed += status == SDD_ERR_FULL;
    rte_pktmbuf_free(buffer);
}

bool host_read_tap(struct host *host, const struct clock *clock) {
    for (unsigned i = 0; i < BURST; i++) {
        struct rte_mbuf *buffer = rte_pktmbuf_alloc(nic_buffers());
        if (!buffer) {
            /* drop the frame: it must not delay those that can be queued */
            uint8_t lost[1];
            if (read(host->tap, lost, sizeof lost) < 0)
                return false;
            host->counters.from_applications++;
            host->counters.no_buffer++;
            continue;
        }
        ssize_t size =
            read(host->tap, rte_pktmbuf_mtod(buffer, void *), rte_pktmbuf_tailroom(buffer));
        if (size <= 0) {
            rte_pktmbuf_free(buffer);
            return false;
        }
        buffer->data_len = (uint16_t)size;
        buffer->pkt_len = (uint32_t)size;
        queue_frame(host, buffer, clock);
    }
    return true;
}

bool host_receive(struct host *host) {
    struct rte_mbuf *buffers[BURST];
    const uint16_t count = rte_eth_rx_burst(host->port, 0, buffers, BURST);
    for (unsigned i = 0; i < count; i++) {
        struct rte_mbuf *buffer = buffers[i];
        if (rte_pktmbuf_linearize(buffer) != 0 ||
            write(host->tap, rte_pktmbuf_mtod(buffer, const void *), buffer->data_len) < 0)
            host->counters.refused_by_kernel++;
    }
    if (count > 0)
        rte_pktmbuf_free_bulk(buffers, count);
    host->counters.received += count;
    return count == BURST;
}

void host_tell_events(struct host *host) {
    const uint64_t fired = sdd_events_fired(host->sdd, SDD_APPLICATIONS);
    if (fired == host->events_told)
        return;
    host->events_told = fired;
    if (host->events >= 0)
        eventfd_write(host->events, 1); /* at most once a turn, and it does not block */
}

void host_reset_misses(struct host *host, uint32_t queue) {
    struct queue_misses *misses = &host->misses[queue];
    atomic_store_explicit(&misses->packets_out_of_slot, 0, memory_order_relaxed);
    atomic_store_explicit(&misses->late_starts, 0, memory_order_relaxed);
    atomic_store_explicit(&misses->latest_start_ns, 0, memory_order_relaxed);
}

static void add(_Atomic uint64_t *counter, uint64_t more) {
    /* relaxed, and no atomic addition: one thread writes it */
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + more,
                          memory_order_relaxed);
}

/* Counts packets sent after their slot, and slots that began late. */
static void count_misses(struct host *host, const struct nic_private *private, int64_t sent_ns) {
    const struct sdd_packet *packet = &private->packet;
    struct queue_misses *misses = &host->misses[packet->queue];
    if (packet->close_ns == BASE_FOREVER)
        return;
    if (sent_ns >= packet->close_ns)
        add(&misses->packets_out_of_slot, 1);
    if (misses->slot_ns == packet->open_ns)
        return;
    misses->slot_ns = packet->open_ns;
    if (private->queued_ns > packet->open_ns)
        return;
    const uint64_t late_ns = (uint64_t)(sent_ns - packet->open_ns);
    if ((int64_t)late_ns > atomic_load_explicit(&host->guard_ns, memory_order_relaxed))
        add(&misses->late_starts, 1);
    if (late_ns > atomic_load_explicit(&misses->latest_start_ns, memory_order_relaxed))
        atomic_store_explicit(&misses->latest_start_ns, late_ns, memory_order_relaxed);
}

/*
 * One by one and not in bursts: guards must cover the time from the decision to the wire.
 */
static void send_one(struct host *host, struct sdd_packet *packet, const struct clock *clock) {
    struct nic_private *private = (struct nic_private *)packet;
    struct rte_mbuf *buffer = nic_buffer(private);
    const struct nic_private copy = *private; /* the buffer is the port's once it is sent */
    const uint32_t bytes = buffer->pkt_len;
    if (atomic_load_explicit(&host->all_to_packet_switch, memory_order_relaxed) ||
        atomic_load_explicit(&host->to_packet_switch[packet->queue], memory_order_relaxed))
        headers_mark(rte_pktmbuf_mtod(buffer, uint8_t *), buffer->data_len, PACKET_SWITCH_DSCP);
    if (rte_eth_tx_burst(host->port, 0, &buffer, 1) == 1) {
        add(&host->transmitted.packets, 1);
        add(&host->transmitted.bytes, bytes);
        count_misses(host, &copy, clock_now(clock));
    } else {
        add(&host->transmitted.refused, 1);
        rte_pktmbuf_free(buffer);
    }
}

bool host_transmit(struct host *host, const struct clock *clock) {
    for (unsigned i = 0; i < BURST; i++) {
        struct sdd_packet *packet = sdd_dequeue(host->sdd, clock_now(clock));
        if (!packet)
            return false;
        send_one(host, packet, clock);
    }
    return true;
}

void host_grant(struct host *host, const struct clock *clock) {
    sdd_pipe_fill(host->pipe, clock_now(clock) + GRANT_AHEAD_NS, BURST);
}

bool host_transmit_grants(struct host *host, const struct clock *clock, int64_t *next_ns) {
    for (unsigned i = 0; i < BURST; i++) {
        const int64_t now_ns = clock_now(clock);
        struct sdd_packet *packet = sdd_pipe_front(host->pipe, now_ns, next_ns);
        if (!packet)
            return false;
        sdd_pipe_sent(host->pipe, now_ns);
        send_one(host, packet, clock);
    }
    return true;
}
