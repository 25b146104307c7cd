/*
 * The frames of a host on their way in: those of its applications, from a TAP device or from
 * a port on a veth pair, and those that the NIC received, up to the applications' kernel. One frame
 * at a time, so that a due packet need not wait for many; also of a TCP segment that a TAP device
 * hands over whole, which is read at once and then cut frame by frame. For one thread: the one that
 * owns the queues, or with cores.ingest one that does only this.
 */
#ifndef SDD_HOST_FRAMES_H
#define SDD_HOST_FRAMES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

#include "nic.h"
#include "segment.h"

/* Since the start. Read by other threads; the counters are independent, so all accesses are
   relaxed. */
struct frame_counters {
    _Atomic uint64_t from_applications;
    _Atomic uint64_t segments;          /* TCP segments that were handed over whole */
    _Atomic uint64_t segment_frames;    /* of from_applications: cut of those */
    _Atomic uint64_t no_buffer;         /* of those: lost, there was no packet buffer */
    _Atomic uint64_t malformed;         /* of those: lost, larger than a packet buffer or than what
                                           the NIC transmits, or not what its header says */
    _Atomic uint64_t received;          /* frames from the port */
    _Atomic uint64_t merged_frames;     /* of those: handed up together with others, */
    _Atomic uint64_t merged_segments;   /* as so many TCP segments */
    _Atomic uint64_t refused_by_kernel; /* of those: not accepted by the applications' device */
};

/* What a port received and was not taken in yet. */
struct port_frames {
    uint16_t port; /* DPDK's */
    uint16_t count, next;
    int64_t empty_ns; /* when it last had none */
    struct rte_mbuf *frames[BURST];
};

struct frames {
    int tap;                         /* the applications' device; -1: it is a port */
    bool tap_ready;                  /* the TAP device has frames, as far as is known */
    uint32_t segment_bytes;          /* the most that it hands over at once, and gets; 0: frames */
    uint8_t *large;                  /* SEGMENT_BYTES: what is read and does not fit a buffer */
    struct segment segment;          /* is cut, in large */
    size_t expected_bytes;           /* of the next read: what was the most of late */
    struct port_frames applications; /* that port */
    struct port_frames network;      /* the NIC, */
    uint32_t most_bytes;             /* which transmits no larger frames */
    struct frame_counters counters;
};

/* A frame of applications, with its 5-tuple and size set; null: there is none, or it was lost. */
struct rte_mbuf *frames_read(struct frames *frames, int64_t now_ns);

/* Whether a segment has been read of which frames are left: there is more to read at once. */
bool frames_cutting(const struct frames *frames);

/* About how long taking in the next frame takes, of whichever direction. */
int64_t frames_take_in_ns(const struct frames *frames);

/* Hands one received frame to the applications' kernel, or as many that continue a TCP connection
   as are there and take no longer than spare_ns; false: there is none. */
bool frames_hand_up(struct frames *frames, int64_t now_ns, int64_t spare_ns);

#endif
