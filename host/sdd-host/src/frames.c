#include "frames.h"

#include <unistd.h>

#include <rte_ethdev.h>

#include "counters.h"
#include "headers.h"

/* A look at a port without frames may cost a system call (AF_XDP): not more often than this. */
#define POLL_NS INT64_C(3000)

static struct rte_mbuf *next_of(struct port_frames *from, int64_t now_ns) {
    if (from->next == from->count) {
        if (now_ns - from->empty_ns < POLL_NS)
            return NULL;
        from->next = 0;
        from->count = rte_eth_rx_burst(from->port, 0, from->frames, BURST);
        if (from->count == 0) {
            from->empty_ns = now_ns;
            return NULL;
        }
    }
    return from->frames[from->next++];
}

static struct rte_mbuf *read_tap(struct frames *frames) {
    if (!frames->tap_ready)
        return NULL;
    struct rte_mbuf *buffer = rte_pktmbuf_alloc(nic_buffers());
    if (!buffer) {
        /* drop the frame: it must not delay those that can be queued */
        uint8_t lost[1];
        frames->tap_ready = read(frames->tap, lost, sizeof lost) >= 0;
        counter_add(&frames->counters.from_applications, frames->tap_ready);
        counter_add(&frames->counters.no_buffer, frames->tap_ready);
        return NULL;
    }
    const ssize_t size =
        read(frames->tap, rte_pktmbuf_mtod(buffer, void *), rte_pktmbuf_tailroom(buffer));
    if (size <= 0) {
        frames->tap_ready = false;
        rte_pktmbuf_free(buffer);
        return NULL;
    }
    buffer->data_len = (uint16_t)size;
    buffer->pkt_len = (uint32_t)size;
    return buffer;
}

struct rte_mbuf *frames_read(struct frames *frames, int64_t now_ns) {
    struct rte_mbuf *buffer =
        frames->tap >= 0 ? read_tap(frames) : next_of(&frames->applications, now_ns);
    if (!buffer)
        return NULL;
    struct sdd_packet *packet = &nic_private(buffer)->packet;
    headers_flow(rte_pktmbuf_mtod(buffer, const uint8_t *), buffer->data_len, &packet->key);
    packet->bytes = buffer->pkt_len;
    counter_add(&frames->counters.from_applications, 1);
    return buffer;
}

bool frames_hand_up(struct frames *frames, int64_t now_ns) {
    struct rte_mbuf *buffer = next_of(&frames->network, now_ns);
    bool taken = false;
    if (!buffer)
        return false;
    counter_add(&frames->counters.received, 1);
    if (frames->tap < 0)
        taken = rte_eth_tx_burst(frames->applications.port, 0, &buffer, 1) == 1;
    else if (rte_pktmbuf_linearize(buffer) == 0)
        taken = write(frames->tap, rte_pktmbuf_mtod(buffer, const void *), buffer->data_len) >= 0;
    counter_add(&frames->counters.refused_by_kernel, !taken);
    if (frames->tap >= 0 || !taken)
        rte_pktmbuf_free(buffer);
    return true;
}
