/*
 * Measures how late this machine wakes a thread with the highest real-time priority, which is a
 * lower bound for any program. One thread on each permitted core waits for successive moments until
 * the program receives SIGTERM or SIGINT.
 *
 * usage: lateness LATE_US; needs root. One JSON object on stdout:
 *   moments: number on all cores; late: those with a delay above LATE_US, including missed ones;
 *   maxUs: the largest delay
 */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/system_clock.h"

#define STEP_NS INT64_C(1000000)

struct core_watch {
    pthread_t thread;
    unsigned core;
    uint64_t moments, late;
    int64_t max_ns;
};

static atomic_bool ends;
static int64_t late_ns;

static void *run(void *argument) {
    struct core_watch *watch = argument;
    int64_t due_ns = base_system_clock_ns(CLOCK_MONOTONIC) + STEP_NS;
    while (!atomic_load(&ends)) {
        const struct timespec due = base_timespec(due_ns);
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
        const int64_t behind_ns = base_system_clock_ns(CLOCK_MONOTONIC) - due_ns;
        if (behind_ns > watch->max_ns)
            watch->max_ns = behind_ns;
        watch->late += behind_ns > late_ns;
        watch->moments++;
        due_ns += STEP_NS; /* already past: counted at once */
    }
    return NULL;
}

static int start(struct core_watch *watch) {
    pthread_attr_t attributes;
    cpu_set_t cores;
    const struct sched_param first = {.sched_priority = sched_get_priority_max(SCHED_FIFO)};
    CPU_ZERO(&cores);
    CPU_SET(watch->core, &cores);
    pthread_attr_init(&attributes);
    pthread_attr_setaffinity_np(&attributes, sizeof cores, &cores);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    pthread_attr_setschedparam(&attributes, &first);
    const int failed = pthread_create(&watch->thread, &attributes, run, watch);
    pthread_attr_destroy(&attributes);
    return failed;
}

int main(int argc, char **argv) {
    const double late_us = argc == 2 ? strtod(argv[1], NULL) : 0;
    if (late_us <= 0) {
        fprintf(stderr, "usage: lateness LATE_US\n");
        return 2;
    }
    late_ns = (int64_t)(late_us * 1e3);
    sigset_t end;
    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &end, NULL); /* in all threads, for sigwait */
    cpu_set_t cores;
    sched_getaffinity(0, sizeof cores, &cores);
    static struct core_watch watches[CPU_SETSIZE];
    unsigned count = 0;
    for (unsigned core = 0; core < CPU_SETSIZE; core++) {
        if (!CPU_ISSET(core, &cores))
            continue;
        watches[count].core = core;
        if (start(&watches[count++]) != 0) {
            fprintf(stderr, "lateness: no real-time thread on core %u\n", core);
            return 1;
        }
    }
    int signal;
    sigwait(&end, &signal);
    atomic_store(&ends, true);
    uint64_t moments = 0, late = 0;
    int64_t max_ns = 0;
    for (unsigned i = 0; i < count; i++) {
        pthread_join(watches[i].thread, NULL);
        moments += watches[i].moments;
        late += watches[i].late;
        max_ns = watches[i].max_ns > max_ns ? watches[i].max_ns : max_ns;
    }
    printf("{\"moments\":%" PRIu64 ",\"late\":%" PRIu64 ",\"maxUs\":%.1f}\n", moments, late,
           (double)max_ns / 1e3);
    return 0;
}
