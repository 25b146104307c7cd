#include "workers.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <rte_launch.h>
#include <rte_pause.h>

#include "base/system_clock.h"
#include "nic.h"

/* How late a sleep on an idle core ends at most, about; measured. */
#define SPIN_NS INT64_C(70000)
/* This close to a deadline, a turn of the loop (about 1 us per 8 hosts) could miss it. */
#define LAST_SPIN_NS INT64_C(3000)
/* A sleeping transmitting thread is not woken by new packets. */
#define TRANSMIT_NAP_NS INT64_C(50000)

bool workers_watch(struct workers *workers, int descriptor, void (*handle)(void *argument),
                   void *argument) {
    if (workers->watches_count == MAX_WATCHES) {
        errno = ENOSPC;
        return false;
    }
    struct watch *watch = &workers->watches[workers->watches_count];
    *watch = (struct watch){handle, argument};
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = watch};
    if (epoll_ctl(workers->ready, EPOLL_CTL_ADD, descriptor, &event) != 0)
        return false;
    workers->watches_count++;
    return true;
}

static void set_scheduling(const struct config *config) {
    prctl(PR_SET_TIMERSLACK, 1); /* ns; the default would end sleeps 50 us late */
    const struct sched_param priority = {.sched_priority = config->realtime_priority};
    if (config->realtime_priority > 0) {
        int error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority);
        if (error)
            fprintf(stderr, "sdd-host: realtimePriority: not granted: %s\n",
                    strerrordesc_np(error));
    }
}

static int64_t min(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Handles ready descriptors, after waiting for timeout_ns at most. */
static void wait_and_handle(struct workers *workers, int64_t timeout_ns) {
    struct epoll_event events[MAX_WATCHES];
    const struct timespec timeout = base_timespec(timeout_ns);
    const int count = epoll_pwait2(workers->ready, events, MAX_WATCHES, &timeout, NULL);
    for (int i = 0; i < count; i++) {
        const struct watch *watch = events[i].data.ptr;
        watch->handle(watch->argument);
    }
}

/* One turn for one host. Returns when it next has something to do; now_ns: at once. */
static int64_t serve(struct workers *workers, struct host *host, int64_t now_ns) {
    bool busy = host_receive(host);
    if (host->pipe) {
        host_grant(host, &workers->clock);
        busy = busy || sdd_pipe_in_flight(host->pipe) > 0;
    } else {
        busy = host_transmit(host, &workers->clock) || busy;
    }
    return busy ? now_ns : sdd_next_ns(host->sdd) - (host->pipe ? GRANT_AHEAD_NS : 0);
}

static int evaluate(void *argument) {
    struct workers *workers = argument;
    const struct config *config = workers->config;
    set_scheduling(config);
    int64_t timeout_ns = 0;
    /* relaxed: when exactly it stops does not matter */
    while (!atomic_load_explicit(&workers->stopping, memory_order_relaxed)) {
        wait_and_handle(workers, timeout_ns);
        jobs_run(workers->jobs);
        int64_t now_ns = clock_now(&workers->clock), next_ns = BASE_FOREVER;
        clock_discipline(&workers->clock, now_ns);
        for (unsigned h = 0; h < config->hosts_count; h++) {
            if (workers->agents[h].socket >= 0)
                agent_turn(&workers->agents[h], now_ns);
            host_tell_events(&workers->hosts[h]);
            next_ns = min(next_ns, serve(workers, &workers->hosts[h], now_ns));
        }
        atomic_store_explicit(&workers->next_ns, next_ns, memory_order_relaxed);
        now_ns = clock_now(&workers->clock);
        timeout_ns = min(next_ns - SPIN_NS - now_ns, config->idle_poll_ns);
        workers->turns++;
        if (timeout_ns > 0) {
            workers->sleeps++;
            continue;
        }
        timeout_ns = 0;
        if (next_ns > now_ns && next_ns - now_ns < LAST_SPIN_NS)
            while (clock_now(&workers->clock) < next_ns)
                rte_pause();
    }
    return 0;
}

static int transmit(void *argument) {
    struct workers *workers = argument;
    const struct config *config = workers->config;
    struct clock clock = workers->clock;
    set_scheduling(config);
    while (!atomic_load_explicit(&workers->stopping, memory_order_relaxed)) {
        /* grants arrive only a few microseconds before they are valid */
        int64_t next_ns = atomic_load_explicit(&workers->next_ns, memory_order_relaxed);
        bool busy = false;
        for (unsigned h = 0; h < config->hosts_count; h++) {
            int64_t host_ns = BASE_FOREVER;
            busy = host_transmit_grants(&workers->hosts[h], &clock, &host_ns) || busy;
            next_ns = min(next_ns, host_ns);
        }
        const int64_t now_ns = clock_now(&clock);
        clock_discipline(&clock, now_ns);
        const int64_t nap_ns =
            min(next_ns - SPIN_NS - now_ns, min(config->idle_poll_ns, TRANSMIT_NAP_NS));
        if (!busy && nap_ns > 0)
            nanosleep(&(struct timespec){.tv_nsec = nap_ns}, NULL);
        else
            rte_pause();
    }
    return 0;
}

static void read_tap(void *argument) {
    const struct tap_watch *tap = argument;
    host_read_tap(tap->host, tap->clock);
}

bool workers_init(struct workers *workers, const struct config *config, struct host *hosts,
                  struct agent *agents) {
    *workers = (struct workers){.config = config, .hosts = hosts, .agents = agents};
    clock_calibrate(&workers->clock, config->clock);
    workers->jobs = jobs_create();
    workers->ready = epoll_create1(EPOLL_CLOEXEC);
    bool good = workers->jobs && workers->ready >= 0 &&
                workers_watch(workers, jobs_descriptor(workers->jobs), jobs_clear, workers->jobs);
    if (!good)
        fprintf(stderr, "sdd-host: cannot initialise the threads: %s\n", strerrordesc_np(errno));
    return good;
}

bool workers_start(struct workers *workers) {
    bool good = true;
    for (unsigned h = 0; good && h < workers->config->hosts_count; h++) {
        workers->taps[h] = (struct tap_watch){&workers->hosts[h], &workers->clock};
        good = workers_watch(workers, workers->hosts[h].tap, read_tap, &workers->taps[h]);
        struct agent *agent = &workers->agents[h];
        if (good && agent->socket >= 0)
            good = workers_watch(workers, agent->socket, agent_receive_datagrams, agent);
    }
    if (good)
        good = rte_eal_remote_launch(evaluate, workers, LCORE_EVALUATE) == 0;
    if (good && workers->config->transmit_cpu >= 0)
        good = rte_eal_remote_launch(transmit, workers, LCORE_TRANSMIT) == 0;
    if (!good)
        fprintf(stderr, "sdd-host: cannot start the threads: %s\n", strerrordesc_np(errno));
    return good;
}

void workers_stop(struct workers *workers) {
    atomic_store_explicit(&workers->stopping, true, memory_order_relaxed);
    rte_eal_mp_wait_lcore();
}

void workers_free(struct workers *workers) {
    if (workers->ready >= 0)
        close(workers->ready);
    jobs_destroy(workers->jobs);
}
