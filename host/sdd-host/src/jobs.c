#include "jobs.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct job {
    void (*run)(void *argument);
    void *argument;
    sem_t done;
    struct job *next;
};

struct jobs {
    pthread_mutex_t lock;
    struct job *first;
    struct job **end;
    atomic_bool waiting; /* spares the owner, which polls every turn, the lock */
    int descriptor;
};

struct jobs *jobs_create(void) {
    struct jobs *jobs = calloc(1, sizeof *jobs);
    if (!jobs)
        return NULL;
    jobs->descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (jobs->descriptor < 0) {
        free(jobs);
        return NULL;
    }
    pthread_mutex_init(&jobs->lock, NULL);
    jobs->end = &jobs->first;
    return jobs;
}

void jobs_destroy(struct jobs *jobs) {
    if (!jobs)
        return;
    close(jobs->descriptor);
    pthread_mutex_destroy(&jobs->lock);
    free(jobs);
}

void jobs_call(struct jobs *jobs, void (*run)(void *argument), void *argument) {
    const uint64_t one = 1;
    struct job job = {.run = run, .argument = argument};
    sem_init(&job.done, 0, 0);
    pthread_mutex_lock(&jobs->lock);
    *jobs->end = &job;
    jobs->end = &job.next;
    atomic_store_explicit(&jobs->waiting, true, memory_order_relaxed); /* ordered by the lock */
    pthread_mutex_unlock(&jobs->lock);
    /* cannot fail: the counter never reaches 2^64 */
    ssize_t written = write(jobs->descriptor, &one, sizeof one);
    (void)written;
    while (sem_wait(&job.done) != 0)
        ; /* interrupted by a signal */
    sem_destroy(&job.done);
}

int jobs_descriptor(const struct jobs *jobs) {
    return jobs->descriptor;
}

void jobs_clear(void *argument) {
    const struct jobs *jobs = argument;
    uint64_t count;
    ssize_t got = read(jobs->descriptor, &count, sizeof count);
    (void)got; /* no value if it was read before */
}

void jobs_run(struct jobs *jobs) {
    if (!atomic_load_explicit(&jobs->waiting, memory_order_relaxed))
        return;
    pthread_mutex_lock(&jobs->lock);
    struct job *job = jobs->first;
    jobs->first = NULL;
    jobs->end = &jobs->first;
    atomic_store_explicit(&jobs->waiting, false, memory_order_relaxed);
    pthread_mutex_unlock(&jobs->lock);
    while (job) {
        struct job *next =
            job->next; /* the caller owns the job and continues as soon as it is done */
        job->run(job->argument);
        sem_post(&job->done);
        job = next;
    }
}
