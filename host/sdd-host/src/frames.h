/*
 * Moves frames of a host: reads those of its applications from a TAP device or from a port on a
 * veth pair, and passes those that the NIC received to the applications' kernel. It handles one
 * frame at a time, so that a due packet does not wait for many. A TCP segment that the TAP device
 * delivers whole is read at once and then divided frame by frame. For one thread: the one that owns
 * the queues, or with cores.ingest a separate one.
 */
#ifndef SDD_HOST_FRAMES_H
#define SDD_HOST_FRAMES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

#include "nic.h"
#include "segment.h"

/* Counters since the start. Other threads read them; they are independent, so all accesses are
 * relaxed. */
struct frame_counters {
    _Atomic uint64_t from_applications;
    _Atomic uint64_t segments;       /* TCP segments that were delivered whole */
    _Atomic uint64_t segment_frames; /* part of from_applications: frames of those segments */
    _Atomic uint64_t no_buffer; /* part of from_applications: lost for lack of a packet buffer */
    _Atomic uint64_t malformed; /* part of from_applications: lost, since larger than a
                                   buffer or than the NIC's maximum, or inconsistent */
    _Atomic uint64_t received;  /* frames from the port */
    _Atomic uint64_t merged_frames;     /* part of received: merged with others, */
    _Atomic uint64_t merged_segments;   /* into this number of TCP segments */
    _Atomic uint64_t refused_by_kernel; /* part of received: refused by the TAP device */
};

/* A burst of received frames of a port that are not yet processed. */
struct port_frames {
    uint16_t port; /* DPDK's port number */
    uint16_t count, next;
    int64_t empty_ns; /* when the port was last empty */
    struct rte_mbuf *frames[BURST];
};

struct frames {
    int tap;                         /* the applications' TAP device; -1: a port */
    bool tap_ready;                  /* the TAP device may have frames */
    uint32_t segment_bytes;          /* maximum segment in both directions; 0: frames only */
    uint8_t *large;                  /* SEGMENT_BYTES: holds data that does not fit a buffer */
    struct segment segment;          /* the segment that is being divided, in large */
    size_t expected_bytes;           /* expected size of the next read: the recent maximum */
    struct port_frames applications; /* the applications' port */
    struct port_frames network;      /* the NIC, */
    uint32_t most_bytes;             /* and its maximum frame size */
    struct frame_counters counters;
};

/* Returns a frame of applications with its 5-tuple and size set; null: none, or it was lost. */
struct rte_mbuf *frames_read(struct frames *frames, int64_t now_ns);

/* Whether a segment has frames left, so that another frame is available at once. */
bool frames_cutting(const struct frames *frames);

/* Returns the approximate time to process the next frame of either direction. */
int64_t frames_take_in_ns(const struct frames *frames);

/* Passes one received frame to the applications' kernel, or several merged frames of a TCP
 * connection if that takes no longer than spare_ns. Returns false if there is none. */
bool frames_hand_up(struct frames *frames, int64_t now_ns, int64_t spare_ns);

#endif
