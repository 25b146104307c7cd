#include "statistics.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define READ(counter) ((json_int_t)atomic_load_explicit(&(counter), memory_order_relaxed))

static json_t *queue_json(const struct host *host, uint32_t number,
                          const struct sdd_queue_stats *stats) {
    const struct queue_misses *misses = &host->misses[number];
    return json_pack(
        "{sI sI sI sI sI sI sI sI sI sI sI sI}", "number", (json_int_t)number, "packets",
        (json_int_t)stats->packets, "bytes", (json_int_t)stats->bytes, "flows",
        (json_int_t)stats->flows, "sentPackets", (json_int_t)stats->sent_packets, "sentBytes",
        (json_int_t)stats->sent_bytes, "receivedPackets", (json_int_t)stats->received_packets,
        "receivedBytes", (json_int_t)stats->received_bytes, "droppedPackets",
        (json_int_t)stats->dropped_packets, "packetsOutOfSlot", READ(misses->packets_out_of_slot),
        "lateStarts", READ(misses->late_starts), "latestStartNs", READ(misses->latest_start_ns));
}

static json_t *host_json(struct host *host) {
    const struct host_counters *counters = &host->counters;
    json_t *queues = json_array();
    for (uint32_t number = 0; number < host->config->limits.max_queues; number++) {
        const struct sdd_queue_stats *stats = sdd_stats(host->sdd, number);
        if (stats)
            json_array_append_new(queues, queue_json(host, number, stats));
    }
    return json_pack("{ss sI sI sI sI sI sI sI sI sI so}", "name", host->config->name,
                     "fromApplications", READ(host->frames.counters.from_applications), "unmapped",
                     (json_int_t)counters->unmapped, "overflowed", (json_int_t)counters->overflowed,
                     "noBuffer", READ(host->frames.counters.no_buffer), "received",
                     READ(host->frames.counters.received), "refusedByKernel",
                     READ(host->frames.counters.refused_by_kernel), "sentPackets",
                     READ(host->transmitted.packets), "sentBytes", READ(host->transmitted.bytes),
                     "refusedByPort", READ(host->transmitted.refused), "queues", queues);
}

struct statistics_job {
    struct workers *workers;
    json_t *answer;
};

/* In the thread that owns the queues. */
static void collect(void *argument) {
    struct statistics_job *job = argument;
    struct workers *workers = job->workers;
    json_t *hosts = json_array();
    for (unsigned h = 0; h < workers->config->hosts_count; h++)
        json_array_append_new(hosts, host_json(&workers->hosts[h]));
    job->answer = json_pack(
        "{sI s{sI sf sI} s{sI sI sI} so}", "timeNs", (json_int_t)clock_now(&workers->clock),
        "clock", "errorNs", (json_int_t)workers->clock.error_ns, "nsPerTick",
        (double)workers->clock.ns_per_tick / 4294967296.0, "steps",
        (json_int_t)workers->clock.steps, "loop", "turns", (json_int_t)workers->turns, "sleeps",
        (json_int_t)workers->sleeps, "busyNs", (json_int_t)workers->busy_ns, "hosts", hosts);
}

char *statistics_text(struct workers *workers) {
    struct statistics_job job = {.workers = workers};
    jobs_call(workers->jobs, collect, &job);
    char *text = json_dumps(job.answer, JSON_COMPACT);
    json_decref(job.answer);
    return text;
}

int statistics_listen(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, path, strlen(path) + 1); /* its length was checked when it was read */
    int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const mode_t mask = umask(077);
    unlink(path);
    if (listening >= 0 && (bind(listening, (struct sockaddr *)&address, sizeof address) != 0 ||
                           listen(listening, 8) != 0)) {
        close(listening);
        listening = -1;
    }
    umask(mask);
    if (listening < 0)
        fprintf(stderr, "sdd-host: statistics: cannot create %s: %s\n", path,
                strerrordesc_np(errno));
    return listening;
}

void statistics_answer(int listening, struct workers *workers) {
    const struct timeval timeout = {.tv_sec = 1};
    int connection = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    if (connection < 0)
        return;
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
    char *text = statistics_text(workers);
    const size_t length = text ? strlen(text) : 0;
    for (size_t sent = 0; sent < length;) {
        ssize_t count = send(connection, text + sent, length - sent, MSG_NOSIGNAL);
        if (count <= 0)
            break; /* closed, or timed out */
        sent += (size_t)count;
    }
    free(text);
    close(connection);
}
