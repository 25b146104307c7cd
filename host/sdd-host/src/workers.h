/*
 * The threads that move packets: one that owns libsdd; with cores.ingest one that takes frames in
 * and hands received ones up; with cores.transmit one that only transmits (Tewari 2015,
 * section 5.3.5). Each serves all hosts of the process.
 *
 * They sleep until shortly before the next deadline and then spin, because a sleep ends
 * late by tens of microseconds, while a thread that always spins loses its core to others for
 * milliseconds just when it matters. Ports cannot wake a thread, so a sleep is never longer than
 * idlePollUs.
 */
#ifndef SDD_HOST_WORKERS_H
#define SDD_HOST_WORKERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent.h"
#include "config.h"
#include "host.h"
#include "jobs.h"

enum { MAX_WATCHES = 2 * MAX_HOSTS + 2 };

struct watch {
    void (*handle)(void *argument);
    void *argument;
};

struct workers {
    const struct config *config;
    struct host *hosts;
    struct agent *agents; /* one for each host that has a controller; the others' have no socket */
    struct jobs *jobs;
    int ready; /* epoll: what the evaluating thread waits for */
    struct watch watches[MAX_WATCHES];
    unsigned watches_count;
    int taps_ready; /* epoll: what the ingesting thread waits for, with cores.ingest */
    int awake;      /* eventfd: ends the evaluating thread's sleep */
    atomic_bool asleep;
    struct clock ingest_clock;   /* the ingesting thread's */
    struct clock transmit_clock; /* the transmitting thread's */
    /* The evaluating thread's; to be read in jobs. */
    struct clock clock;
    uint64_t turns;
    uint64_t sleeps;
    int64_t busy_ns;   /* in turns that moved something */
    int64_t looked_ns; /* when it last looked at anything but packets */
    /* The evaluating thread expects to grant nothing before this. */
    _Atomic int64_t next_ns;
    atomic_bool stopping;
};

/* Makes the evaluating thread call handle when the descriptor can be read. Before workers_run, or
   in a job. False: errno. */
bool workers_watch(struct workers *workers, int descriptor, void (*handle)(void *argument),
                   void *argument);

/* False: failed and logged. Jobs can be called once the threads run. */
bool workers_init(struct workers *workers, const struct config *config, struct host *hosts,
                  struct agent *agents);
bool workers_start(struct workers *workers);

/* Ends the threads. No jobs may be called after this. */
void workers_stop(struct workers *workers);
void workers_free(struct workers *workers);

#endif
