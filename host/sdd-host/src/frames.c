#include "frames.h"

#include <string.h>
#include <sys/uio.h>

#include <rte_ethdev.h>

#include "counters.h"
#include "headers.h"
#include "merge.h"
#include "turn.h"

/* The minimum interval for polling a port without frames, which may cost a system call (AF_XDP). */
#define POLL_NS INT64_C(3000)

/* The kernel's rate of copying a segment to user space, measured: 64 KB in 6 to 10 us. */
enum { READ_BYTES_PER_NS = 8 };

/* The time that a merged frame adds to a write, measured: 0.2 to 0.35 us for its checksum, the
 * first access to its data, and 0.23 us for the kernel's copy. */
#define MERGE_NS INT64_C(500)

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

/* Counts lost frames of applications. */
static void count_lost(struct frames *frames, _Atomic uint64_t *why, uint64_t count) {
    counter_add(&frames->counters.from_applications, count);
    counter_add(why, count);
}

/* Drops the rest of the segment. */
static void lose_segment(struct frames *frames) {
    const size_t count = segment_frames_left(&frames->segment);
    counter_add(&frames->counters.segment_frames, count);
    count_lost(frames, &frames->counters.no_buffer, count);
    segment_drop(&frames->segment);
}

/* Reads a frame or a segment into a buffer of `room` bytes; the rest goes to frames->large at the
 * same offset. Returns its size; 0: none. */
static size_t read_some(struct frames *frames, struct virtio_net_hdr *virtio, uint8_t *buffer,
                        size_t room) {
    const struct iovec parts[] = {
        {virtio, sizeof *virtio}, {buffer, room}, {frames->large + room, SEGMENT_BYTES - room}};
    const ssize_t size = readv(frames->tap, parts, 3);
    frames->tap_ready = size > 0;
    if (size <= (ssize_t)sizeof *virtio)
        return 0;
    const size_t bytes = (size_t)size - sizeof *virtio;
    /* sizes come in series; a single large one among small ones decays soon */
    frames->expected_bytes = bytes > frames->expected_bytes
                                 ? bytes
                                 : frames->expected_bytes - (frames->expected_bytes - bytes) / 8;
    return bytes;
}

/* Reads and drops a frame, since there is no buffer. */
static void lose_one(struct frames *frames) {
    struct virtio_net_hdr virtio;
    const size_t size = read_some(frames, &virtio, NULL, 0);
    if (size == 0)
        return;
    if (virtio.gso_type != VIRTIO_NET_HDR_GSO_NONE &&
        segment_begin(&frames->segment, &virtio, frames->large, size, SIZE_MAX)) {
        counter_add(&frames->counters.segments, 1);
        lose_segment(frames);
    } else {
        count_lost(frames, &frames->counters.no_buffer, 1);
    }
}

/* Reads a frame into the buffer, or the first frame of a segment. Returns its size; 0: none, or
 * lost. */
static size_t read_frame(struct frames *frames, uint8_t *buffer, size_t room) {
    struct virtio_net_hdr virtio;
    const size_t size = read_some(frames, &virtio, buffer, room);
    if (size == 0)
        return 0;
    if (virtio.gso_type == VIRTIO_NET_HDR_GSO_NONE) {
        if (size <= room && segment_finish_frame(&virtio, buffer, size))
            return size;
    } else {
        memcpy(frames->large, buffer, size < room ? size : room);
        if (segment_begin(&frames->segment, &virtio, frames->large, size, room)) {
            counter_add(&frames->counters.segments, 1);
            counter_add(&frames->counters.segment_frames, 1);
            return segment_cut(&frames->segment, buffer);
        }
    }
    count_lost(frames, &frames->counters.malformed, 1);
    return 0;
}

bool frames_cutting(const struct frames *frames) {
    return segment_frames_left(&frames->segment) > 0;
}

static struct rte_mbuf *from_tap(struct frames *frames) {
    const bool cutting = frames_cutting(frames);
    if (!cutting && !frames->tap_ready)
        return NULL;
    struct rte_mbuf *buffer = rte_pktmbuf_alloc(nic_buffers());
    if (!buffer) {
        /* lost now: these frames must not delay others that can be queued */
        (cutting ? lose_segment : lose_one)(frames);
        return NULL;
    }
    uint8_t *data = rte_pktmbuf_mtod(buffer, uint8_t *);
    size_t size = 0;
    if (cutting) {
        counter_add(&frames->counters.segment_frames, 1);
        size = segment_cut(&frames->segment, data);
    } else {
        size = read_frame(frames, data, rte_pktmbuf_tailroom(buffer));
    }
    if (size == 0) {
        rte_pktmbuf_free(buffer);
        return NULL;
    }
    buffer->data_len = (uint16_t)size;
    buffer->pkt_len = (uint32_t)size;
    return buffer;
}

struct rte_mbuf *frames_read(struct frames *frames, int64_t now_ns) {
    struct rte_mbuf *buffer =
        frames->tap >= 0 ? from_tap(frames) : next_of(&frames->applications, now_ns);
    if (!buffer)
        return NULL;
    if (buffer->pkt_len > frames->most_bytes) {
        count_lost(frames, &frames->counters.malformed, 1);
        rte_pktmbuf_free(buffer);
        return NULL;
    }
    struct sdd_packet *packet = &nic_private(buffer)->packet;
    headers_flow(rte_pktmbuf_mtod(buffer, const uint8_t *), buffer->data_len, &packet->key);
    packet->bytes = buffer->pkt_len;
    counter_add(&frames->counters.from_applications, 1);
    return buffer;
}

int64_t frames_take_in_ns(const struct frames *frames) {
    if (frames_cutting(frames))
        return TURN_TAKE_IN_NS;
    return TURN_TAKE_IN_NS + (int64_t)(frames->expected_bytes / READ_BYTES_PER_NS);
}

/* Returns the number of frames that may be merged. */
static unsigned most_at_once(int64_t spare_ns) {
    const int64_t more = (spare_ns - TURN_TAKE_IN_NS) / MERGE_NS;
    return more <= 0 ? 1 : more < BURST ? (unsigned)more + 1 : BURST;
}

/* Writes the frame to the TAP device, merged with those of the same burst that continue it. *count:
 * number of frames. Returns whether the kernel accepted them. */
static bool write_tap(struct frames *frames, struct rte_mbuf *buffer, unsigned most,
                      unsigned *count) {
    struct port_frames *from = &frames->network;
    struct virtio_net_hdr virtio = {.gso_type = VIRTIO_NET_HDR_GSO_NONE};
    struct iovec parts[1 + BURST] = {{&virtio, sizeof virtio}};
    struct merge merge;
    uint8_t *data = rte_pktmbuf_mtod(buffer, uint8_t *);
    parts[1] = (struct iovec){data, buffer->data_len};
    if (most > 1 && frames->segment_bytes > 0 && merge_begin(&merge, data, buffer->data_len)) {
        while (*count < most && from->next < from->count) {
            struct rte_mbuf *next = from->frames[from->next];
            data = rte_pktmbuf_mtod(next, uint8_t *);
            if (next->nb_segs > 1 ||
                !merge_add(&merge, data, next->data_len, frames->segment_bytes))
                break;
            parts[1 + *count] =
                (struct iovec){data + merge.payload, next->data_len - merge.payload};
            from->next++;
            ++*count;
        }
    }
    if (*count > 1) {
        merge_finish(&merge, &virtio);
        counter_add(&frames->counters.merged_segments, 1);
        counter_add(&frames->counters.merged_frames, *count);
    }
    return writev(frames->tap, parts, 1 + (int)*count) >= 0;
}

bool frames_hand_up(struct frames *frames, int64_t now_ns, int64_t spare_ns) {
    struct rte_mbuf *buffer = next_of(&frames->network, now_ns);
    unsigned count = 1;
    bool taken = false;
    if (!buffer)
        return false;
    struct rte_mbuf **buffers = &frames->network.frames[frames->network.next - 1];
    if (frames->tap < 0)
        taken = rte_eth_tx_burst(frames->applications.port, 0, &buffer, 1) == 1;
    else if (rte_pktmbuf_linearize(buffer) == 0)
        taken = write_tap(frames, buffer, most_at_once(spare_ns), &count);
    counter_add(&frames->counters.received, count);
    counter_add(&frames->counters.refused_by_kernel, taken ? 0 : count);
    if (frames->tap >= 0 || !taken)
        rte_pktmbuf_free_bulk(buffers, count);
    return true;
}
