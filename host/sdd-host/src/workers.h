/*
 * The threads that move packets: the evaluating thread, which owns libsdd; with cores.ingest a
 * thread that reads and delivers frames; with cores.transmit a thread that only transmits (Tewari
 * 2015, section 5.3.5). Each serves all hosts of the process.
 *
 * They sleep until shortly before the next deadline and then spin: a sleep ends late by tens of
 * microseconds, but a thread that always spins loses its core to others for milliseconds at bad
 * moments. Ports cannot wake a thread, so a sleep is never longer than idlePollUs.
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
    struct agent *agents; /* one per host; those without a controller have no socket */
    struct jobs *jobs;
    int ready; /* epoll descriptor of the evaluating thread */
    struct watch watches[MAX_WATCHES];
    unsigned watches_count;
    int taps_ready; /* epoll descriptor of the ingesting thread, with cores.ingest */
    int awake;      /* eventfd: ends the evaluating thread's sleep */
    atomic_bool asleep;
    struct clock ingest_clock;   /* of the ingesting thread */
    struct clock transmit_clock; /* of the transmitting thread */
    /* Of the evaluating thread; others read it in jobs. */
    struct clock clock;
    uint64_t turns;
    uint64_t sleeps;
    int64_t busy_ns;   /* time spent in turns that moved packets or frames */
    int64_t looked_ns; /* last time of other work than packets */
    /* The evaluating thread expects no grants before this time. */
    _Atomic int64_t next_ns;
    atomic_bool stopping;
};

/* Makes the evaluating thread call handle when the descriptor is readable. Must be called before
 * workers_run or in a job. Returns false with errno. */
bool workers_watch(struct workers *workers, int descriptor, void (*handle)(void *argument),
                   void *argument);

/* Initialises the threads. Jobs can be called once they run. Returns false after logging an
 * error. */
bool workers_init(struct workers *workers, const struct config *config, struct host *hosts,
                  struct agent *agents);
bool workers_start(struct workers *workers);

/* Ends the threads. Jobs must not be called afterwards. */
void workers_stop(struct workers *workers);
void workers_free(struct workers *workers);

#endif
