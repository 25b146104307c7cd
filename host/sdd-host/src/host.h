/*
 * One host: its applications' frames from the TAP device into SDDQueues, from there to the NIC when
 * the queues may transmit, and received frames back up. All functions but host_transmit_grants are
 * for the evaluating thread, which owns libsdd.
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

/* Before a controller sets the guard: a slot's first packet is late if it was queued in time and
   leaves later than this after the slot's beginning. */
#define DEFAULT_GUARD_NS 10000

/* Packets that are due are sent together: the first waits for the dequeues of the others, under 2
   us altogether. Guards must cover the time from the decision to the wire. */
enum { TRANSMIT_BURST = 8 };

/* Grants are made this long ahead, so that they wait for their slot on the transmitting core. */
#define GRANT_AHEAD_NS INT64_C(5000)

/* Since the start. A frame from applications is queued, lost for lack of a buffer, or counts here.
 */
struct host_counters {
    uint64_t unmapped;   /* no queue for them */
    uint64_t overflowed; /* their queue was full */
};

/* Written by the transmitting thread, read by the evaluating thread. The counters are independent,
   so all accesses are relaxed. */
struct transmit_counters {
    _Atomic uint64_t packets;
    _Atomic uint64_t bytes;
    _Atomic uint64_t refused; /* the port's ring was full: lost */
};

struct queue_misses {
    _Atomic uint64_t packets_out_of_slot;
    _Atomic uint64_t late_starts;
    _Atomic uint64_t latest_start_ns;
    int64_t slot_ns; /* the beginning of the last slot used; the transmitting thread's */
};

/* Whose a queue of the applications is. */
struct queue_owner {
    bool used;
    uint32_t user;
    int32_t process;
    char name[32]; /* what the application calls itself; empty: nothing */
};

/* Of applications, since the start; written by their thread, relaxed. */
struct application_counters {
    _Atomic uint64_t connected; /* now */
    _Atomic uint64_t refused;   /* connections: no rule, or too many */
    _Atomic uint64_t requests;
    _Atomic uint64_t events_dropped; /* for lack of room towards an application */
};

struct host {
    const struct host_config *config;
    struct sdd *sdd;
    struct sdd_pipe *pipe; /* null: one thread does both */
    struct frames frames;
    bool tap_found;                    /* the TAP device is one that was there */
    bool port_open, applications_open; /* ports of frames */
    bool took_up;                      /* the frame taken in last was one that the port received */
    bool ingested;                     /* frames come from the ingesting thread, in arrivals */
    struct base_ring arrivals;
    /* Read by the transmitting thread, relaxed: a packet earlier or later makes no difference. */
    _Atomic int64_t guard_ns;
    struct queue_misses *misses; /* per queue */
    struct transmit_counters transmitted;
    struct host_counters counters;
    struct queue_owner *owners; /* of the applications' queues, by number from the first */
    struct application_counters applications;
    int events;           /* eventfd for the applications' thread; -1: there is none */
    uint64_t events_told; /* of sdd_events_fired */
};

/* Host h of the configuration. False: failed and logged; nothing remains open. */
bool host_open(struct host *host, const struct config *config, unsigned h, int64_t now_ns);

/* keep_tap: the TAP device stays, for the process that comes after this one. */
void host_close(struct host *host, bool keep_tap);

/* Wakes the applications' thread if something has fired for it. */
void host_tell_events(struct host *host);

/* Resets the counters of a queue's misses. */
void host_reset_misses(struct host *host, uint32_t queue);

/* About how long host_take_in takes. */
int64_t host_take_in_ns(const struct host *host);

/* Queues one frame of applications or hands received ones to the kernel, one or, in no longer than
   spare_ns, several; false: there is none. */
bool host_take_in(struct host *host, const struct clock *clock, int64_t spare_ns);

/* The ingesting thread: up to BURST frames in either direction. Returns how many, or 1 if there are
   more that only the evaluating thread had no room for; sets *queued if that got any. */
unsigned host_ingest(struct host *host, int64_t now_ns, bool *queued);

/* One thread: sends up to TRANSMIT_BURST packets that are due now. Returns how many. */
unsigned host_transmit(struct host *host, const struct clock *clock);

/* Two threads: grants what may be sent now or very soon. Returns how many. */
unsigned host_grant(struct host *host, const struct clock *clock);

/* Two threads, the transmitting one: sends up to TRANSMIT_BURST; whether there may be more. Before
 *next_ns none can be sent. */
bool host_transmit_grants(struct host *host, const struct clock *clock, int64_t *next_ns);

#endif
