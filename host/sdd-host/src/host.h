/*
 * One host: moves its applications' frames from the TAP device into SDDQueues, from there to the
 * NIC when the queues may transmit, and received frames to the applications. All functions except
 * host_ingest and host_transmit_grants are for the evaluating thread, which owns libsdd.
 */
#ifndef SDD_HOST_HOST_H
#define SDD_HOST_HOST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/ring.h"
#include "clock.h"
#include "config.h"
#include "frames.h"
#include "sdd/pipe.h"
#include "sdd/sdd.h"

/* The guard before a controller sets it: a slot's first packet is late if it was queued in time and
 * leaves later than this after the start of the slot. */
#define DEFAULT_GUARD_NS 10000

/* Due packets are sent together: the first waits for the dequeues of the others, less than 2 us in
 * total. Guards must cover the time from the decision to the wire. */
enum { TRANSMIT_BURST = 8 };

/* Grants are issued this long in advance, so that they wait for their slot on the transmitting
 * core. */
#define GRANT_AHEAD_NS INT64_C(5000)

/* Counters since the start. A frame from applications is queued, lost for lack of a buffer, or
 * counted here. */
struct host_counters {
    uint64_t unmapped;   /* no queue is mapped */
    uint64_t overflowed; /* their queue was full */
};

/* Written by the transmitting thread, read by the evaluating thread. The counters are independent,
   so all accesses are relaxed. */
struct transmit_counters {
    _Atomic uint64_t packets;
    _Atomic uint64_t bytes;
    _Atomic uint64_t refused; /* lost because the port's ring was full */
};

struct queue_misses {
    _Atomic uint64_t packets_out_of_slot;
    _Atomic uint64_t late_starts;
    _Atomic uint64_t latest_start_ns;
    int64_t slot_ns; /* start of the last used slot; owned by the transmitting thread */
};

/* The owner of a queue of the applications. */
struct queue_owner {
    bool used;
    uint32_t user;
    int32_t process;
    char name[32]; /* the application's name; empty: none */
};

/* Counters of applications since the start; their thread writes them, relaxed. */
struct application_counters {
    _Atomic uint64_t connected; /* currently connected */
    _Atomic uint64_t refused;   /* refused connections: no rule, or too many */
    _Atomic uint64_t requests;
    _Atomic uint64_t events_dropped; /* for lack of room in an application's output */
};

struct host {
    const struct host_config *config;
    struct sdd *sdd;
    struct sdd_pipe *pipe; /* null: one thread evaluates and transmits */
    struct frames frames;
    bool tap_found;                    /* the TAP device existed before */
    bool port_open, applications_open; /* ports of frames */
    bool took_up;                      /* the last frame was one that the port received */
    bool ingested;                     /* frames come from the ingesting thread through arrivals */
    struct base_ring arrivals;
    /* Read by the transmitting thread; relaxed, because one packet more or less with the old value
     * is harmless. */
    _Atomic int64_t guard_ns;
    struct queue_misses *misses; /* per queue */
    struct transmit_counters transmitted;
    struct host_counters counters;
    struct queue_owner *owners; /* of the applications' queues, indexed from the first */
    struct application_counters applications;
    int events;           /* eventfd for the applications' thread; -1: none */
    uint64_t events_told; /* value of sdd_events_fired at the last wake-up */
};

/* Opens host h of the configuration. Returns false after logging an error; nothing remains open. */
bool host_open(struct host *host, const struct config *config, unsigned h, int64_t now_ns);

/* Closes a host. keep_tap: whether the TAP device remains for the next process. */
void host_close(struct host *host, bool keep_tap);

/* Wakes the applications' thread if a trigger has fired for it. */
void host_tell_events(struct host *host);

/* Resets the counters of a queue's misses. */
void host_reset_misses(struct host *host, uint32_t queue);

/* Returns the approximate duration of host_take_in. */
int64_t host_take_in_ns(const struct host *host);

/* Queues one frame of applications, or passes received frames to the kernel: one, or several within
 * spare_ns. Returns false if there is none. */
bool host_take_in(struct host *host, const struct clock *clock, int64_t spare_ns);

/* Ingesting thread: moves up to BURST frames in each direction. Returns their number, or 1 if
 * frames remain only for lack of room at the evaluating thread. Sets *queued if that thread
 * received any. */
unsigned host_ingest(struct host *host, int64_t now_ns, bool *queued);

/* With one thread: sends up to TRANSMIT_BURST packets that are due now. Returns their number. */
unsigned host_transmit(struct host *host, const struct clock *clock);

/* With two threads: grants packets that may be sent now or very soon. Returns their number. */
unsigned host_grant(struct host *host, const struct clock *clock);

/* With two threads, the transmitting one: sends up to TRANSMIT_BURST packets. Returns whether there
 * may be more. *next_ns: no packet can be sent earlier. */
bool host_transmit_grants(struct host *host, const struct clock *clock, int64_t *next_ns);

#endif
