#include "workers.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <rte_launch.h>
#include <rte_pause.h>

#include "base/system_clock.h"
#include "nic.h"
#include "turn.h"

/* The approximate maximum lateness of a sleep on an idle core, measured. */
#define SPIN_NS INT64_C(70000)
/* Closer to a deadline than this, other work could miss it. */
#define LAST_SPIN_NS INT64_C(3000)
/* The period for checking descriptors and jobs while packets are always due. */
#define LOOK_NS INT64_C(20000)
/* The longest sleep of the transmitting thread, which new packets do not wake. */
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
    prctl(PR_SET_TIMERSLACK, 1); /* in ns; with the default, sleeps would end 50 us late */
    const struct sched_param priority = {.sched_priority = config->realtime_priority};
    if (config->realtime_priority > 0) {
        /* not SCHED_FIFO: a process that always has packets would starve another process on the
         * same core, which then could not even terminate */
        int error = pthread_setschedparam(pthread_self(), SCHED_RR, &priority);
        if (error)
            fprintf(stderr, "sdd-host: realtimePriority: not granted: %s\n",
                    strerrordesc_np(error));
    }
}

static void note_frames(void *argument) {
    struct host *host = argument;
    host->frames.tap_ready = true;
}

static void clear_awake(void *argument) {
    const struct workers *workers = argument;
    eventfd_t count;
    eventfd_read(workers->awake, &count);
}

static int64_t min(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Handles ready descriptors after waiting for at most timeout_ns. */
static void wait_and_handle(struct workers *workers, int64_t timeout_ns) {
    struct epoll_event events[MAX_WATCHES];
    const struct timespec timeout = base_timespec(timeout_ns);
    const int count = epoll_pwait2(workers->ready, events, MAX_WATCHES, &timeout, NULL);
    for (int i = 0; i < count; i++) {
        const struct watch *watch = events[i].data.ptr;
        watch->handle(watch->argument);
    }
}

static int64_t now(void *context) {
    const struct workers *workers = context;
    return clock_now(&workers->clock);
}

static unsigned send_due(void *context, unsigned h) {
    struct workers *workers = context;
    struct host *host = &workers->hosts[h];
    return (host->pipe ? host_grant : host_transmit)(host, &workers->clock);
}

static int64_t due(void *context, unsigned h) {
    struct workers *workers = context;
    const struct host *host = &workers->hosts[h];
    if (!host->pipe)
        return sdd_next_ns(host->sdd);
    /* receipts can arrive at any time, and may allow new grants */
    return sdd_pipe_in_flight(host->pipe) > 0 ? 0 : sdd_next_ns(host->sdd) - GRANT_AHEAD_NS;
}

static int64_t take_in_ns(void *context, unsigned h) {
    const struct workers *workers = context;
    return host_take_in_ns(&workers->hosts[h]);
}

static bool take_in(void *context, unsigned h, int64_t spare_ns) {
    struct workers *workers = context;
    return host_take_in(&workers->hosts[h], &workers->clock, spare_ns);
}

/* Whether the ingesting thread has frames for the evaluating one. */
static bool arrivals(struct workers *workers) {
    for (unsigned h = 0; h < workers->config->hosts_count; h++)
        if (workers->hosts[h].ingested && base_ring_front(&workers->hosts[h].arrivals))
            return true;
    return false;
}

/* Sleeps until a time-out, or until the ingesting thread wakes this one. */
static void sleep_until_ready(struct workers *workers, int64_t timeout_ns) {
    /* Of this exchange and the one in wake, the later one sees everything before the other: either
     * this thread sees the arrivals, or wake sees that it sleeps. */
    atomic_exchange(&workers->asleep, true);
    wait_and_handle(workers, arrivals(workers) ? 0 : timeout_ns);
    atomic_store(&workers->asleep, false);
    workers->sleeps++;
}

/* Called by the ingesting thread after it pushed arrivals. */
static void wake(struct workers *workers) {
    if (atomic_exchange(&workers->asleep, false))
        eventfd_write(workers->awake, 1);
}

/* Does all work other than packets: descriptors, other threads' jobs, the clock, lost
 * controllers. */
static void look_around(struct workers *workers) {
    jobs_run(workers->jobs);
    const int64_t now_ns = clock_now(&workers->clock);
    clock_discipline(&workers->clock, now_ns);
    for (unsigned h = 0; h < workers->config->hosts_count; h++)
        if (workers->agents[h].socket >= 0)
            agent_turn(&workers->agents[h], now_ns);
    workers->looked_ns = now_ns;
}

static int evaluate(void *argument) {
    struct workers *workers = argument;
    const struct config *config = workers->config;
    const struct turn_work work = {workers, config->hosts_count, now,    send_due,
                                   due,     take_in_ns,          take_in};
    struct turn turn = {.work = &work};
    set_scheduling(config);
    /* relaxed: the exact time of the stop does not matter */
    while (!atomic_load_explicit(&workers->stopping, memory_order_relaxed)) {
        const int64_t began_ns = clock_now(&workers->clock);
        const uint64_t moved = turn.moved;
        const int64_t next_ns = turn_run(&turn);
        for (unsigned h = 0; h < config->hosts_count; h++)
            host_tell_events(&workers->hosts[h]);
        workers->turns++;
        atomic_store_explicit(&workers->next_ns, next_ns, memory_order_relaxed);
        const int64_t now_ns = clock_now(&workers->clock);
        if (turn.moved > moved)
            workers->busy_ns += now_ns - began_ns;
        const int64_t sleep_ns = min(next_ns - SPIN_NS - now_ns, config->idle_poll_ns);
        if (sleep_ns > 0) {
            sleep_until_ready(workers, sleep_ns);
            look_around(workers);
        } else if (next_ns - now_ns > LAST_SPIN_NS || now_ns - workers->looked_ns > LOOK_NS) {
            wait_and_handle(workers, 0);
            look_around(workers);
        } else {
            while (clock_now(&workers->clock) < next_ns)
                rte_pause();
        }
    }
    return 0;
}

/* The ingesting thread: only moves frames between the kernel and the other threads or the ports. */
static int ingest(void *argument) {
    struct workers *workers = argument;
    const struct config *config = workers->config;
    const struct timespec timeout = base_timespec(config->idle_poll_ns);
    struct clock *clock = &workers->ingest_clock;
    set_scheduling(config);
    while (!atomic_load_explicit(&workers->stopping, memory_order_relaxed)) {
        clock_discipline(clock, clock_now(clock));
        struct epoll_event events[MAX_HOSTS];
        unsigned moved = 0;
        bool queued = false;
        for (unsigned h = 0; h < config->hosts_count; h++)
            moved += host_ingest(&workers->hosts[h], clock_now(clock), &queued);
        if (queued)
            wake(workers);
        if (moved > 0)
            continue;
        const int count = epoll_pwait2(workers->taps_ready, events, MAX_HOSTS, &timeout, NULL);
        for (int i = 0; i < count; i++)
            note_frames(events[i].data.ptr);
    }
    return 0;
}

static int transmit(void *argument) {
    struct workers *workers = argument;
    const struct config *config = workers->config;
    struct clock *clock = &workers->transmit_clock;
    set_scheduling(config);
    while (!atomic_load_explicit(&workers->stopping, memory_order_relaxed)) {
        /* grants arrive only a few microseconds before they become valid */
        int64_t next_ns = atomic_load_explicit(&workers->next_ns, memory_order_relaxed);
        bool busy = false;
        for (unsigned h = 0; h < config->hosts_count; h++) {
            int64_t host_ns = BASE_FOREVER;
            busy = host_transmit_grants(&workers->hosts[h], clock, &host_ns) || busy;
            next_ns = min(next_ns, host_ns);
        }
        const int64_t now_ns = clock_now(clock);
        clock_discipline(clock, now_ns);
        const int64_t nap_ns =
            min(next_ns - SPIN_NS - now_ns, min(config->idle_poll_ns, TRANSMIT_NAP_NS));
        if (!busy && nap_ns > 0)
            nanosleep(&(struct timespec){.tv_nsec = nap_ns}, NULL);
        else
            rte_pause();
    }
    return 0;
}

bool workers_init(struct workers *workers, const struct config *config, struct host *hosts,
                  struct agent *agents) {
    *workers = (struct workers){.config = config, .hosts = hosts, .agents = agents};
    clock_calibrate(&workers->clock, config->clock);
    workers->ingest_clock = workers->transmit_clock = workers->clock;
    workers->jobs = jobs_create();
    workers->ready = epoll_create1(EPOLL_CLOEXEC);
    workers->taps_ready = epoll_create1(EPOLL_CLOEXEC);
    workers->awake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    bool good = workers->jobs && workers->ready >= 0 && workers->taps_ready >= 0 &&
                workers->awake >= 0 &&
                workers_watch(workers, jobs_descriptor(workers->jobs), jobs_clear, workers->jobs) &&
                workers_watch(workers, workers->awake, clear_awake, workers);
    if (!good)
        fprintf(stderr, "sdd-host: cannot initialise the threads: %s\n", strerrordesc_np(errno));
    return good;
}

/* Watches the TAP device in the thread that reads it. */
static bool watch_tap(struct workers *workers, struct host *host) {
    if (host->frames.tap < 0)
        return true; /* a port cannot wake a thread */
    if (!host->ingested)
        return workers_watch(workers, host->frames.tap, note_frames, host);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = host};
    return epoll_ctl(workers->taps_ready, EPOLL_CTL_ADD, host->frames.tap, &event) == 0;
}

bool workers_start(struct workers *workers) {
    bool good = true;
    for (unsigned h = 0; good && h < workers->config->hosts_count; h++) {
        good = watch_tap(workers, &workers->hosts[h]);
        struct agent *agent = &workers->agents[h];
        if (good && agent->socket >= 0)
            good = workers_watch(workers, agent->socket, agent_receive_datagrams, agent);
    }
    if (good)
        good = rte_eal_remote_launch(evaluate, workers, LCORE_EVALUATE) == 0;
    if (good && workers->config->ingest_cpu >= 0)
        good = rte_eal_remote_launch(ingest, workers, LCORE_INGEST) == 0;
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
    const int descriptors[] = {workers->ready, workers->taps_ready, workers->awake};
    for (unsigned i = 0; i < sizeof descriptors / sizeof *descriptors; i++)
        if (descriptors[i] >= 0)
            close(descriptors[i]);
    jobs_destroy(workers->jobs);
}
