#include "statistics.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "local_socket.h"

enum { BACKLOG = 8 };

#define READ(counter) ((json_int_t)atomic_load_explicit(&(counter), memory_order_relaxed))

static json_t *queue_json(const struct host *host, uint32_t number,
                          const struct sdd_queue_stats *stats) {
    const struct queue_misses *misses = &host->misses[number];
    json_t *queue = json_pack(
        "{sI sI sI sI sI sI sI sI sI sI sI sI sI sI}", "number", (json_int_t)number, "packets",
        (json_int_t)stats->packets, "bytes", (json_int_t)stats->bytes, "flows",
        (json_int_t)stats->flows, "sentPackets", (json_int_t)stats->sent_packets, "sentBytes",
        (json_int_t)stats->sent_bytes, "receivedPackets", (json_int_t)stats->received_packets,
        "receivedBytes", (json_int_t)stats->received_bytes, "packetSwitchPackets",
        (json_int_t)stats->packet_switch_packets, "packetSwitchBytes",
        (json_int_t)stats->packet_switch_bytes, "droppedPackets",
        (json_int_t)stats->dropped_packets, "packetsOutOfSlot", READ(misses->packets_out_of_slot),
        "lateStarts", READ(misses->late_starts), "latestStartNs", READ(misses->latest_start_ns));
    const uint32_t first = config_controlled_queues(host->config);
    if (number >= first) {
        const struct queue_owner *owner = &host->owners[number - first];
        json_object_set_new(queue, "owner",
                            json_pack("{ss sI sI}", "application", owner->name, "user",
                                      (json_int_t)owner->user, "process",
                                      (json_int_t)owner->process));
    }
    return queue;
}

static json_t *applications_json(const struct application_counters *counters) {
    return json_pack("{sI sI sI sI}", "connected", READ(counters->connected), "refused",
                     READ(counters->refused), "requests", READ(counters->requests), "eventsDropped",
                     READ(counters->events_dropped));
}

static json_t *host_json(struct host *host) {
    const struct host_counters *counters = &host->counters;
    json_t *queues = json_array();
    for (uint32_t number = 0; number < host->config->limits.max_queues; number++) {
        const struct sdd_queue_stats *stats = sdd_stats(host->sdd, number);
        if (stats)
            json_array_append_new(queues, queue_json(host, number, stats));
    }
    json_t *json = json_pack(
        "{ss sI sI sI sI sI sI sI sI sI sI sI sI sI sI so}", "name", host->config->name,
        "fromApplications", READ(host->frames.counters.from_applications), "segments",
        READ(host->frames.counters.segments), "segmentFrames",
        READ(host->frames.counters.segment_frames), "malformed",
        READ(host->frames.counters.malformed), "unmapped", (json_int_t)counters->unmapped,
        "overflowed", (json_int_t)counters->overflowed, "noBuffer",
        READ(host->frames.counters.no_buffer), "received", READ(host->frames.counters.received),
        "mergedFrames", READ(host->frames.counters.merged_frames), "mergedSegments",
        READ(host->frames.counters.merged_segments), "refusedByKernel",
        READ(host->frames.counters.refused_by_kernel), "sentPackets",
        READ(host->transmitted.packets), "sentBytes", READ(host->transmitted.bytes),
        "refusedByPort", READ(host->transmitted.refused), "queues", queues);
    if (host->config->applications.queues > 0)
        json_object_set_new(json, "applications", applications_json(&host->applications));
    return json;
}

struct statistics_job {
    struct workers *workers;
    json_t *answer;
};

/* Runs in the thread that owns the queues. */
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
    const int listening = local_socket_listen(path, 0700, BACKLOG);
    if (listening < 0)
        fprintf(stderr, "sdd-host: statistics: cannot create %s: %s\n", path,
                strerrordesc_np(errno));
    return listening;
}

void statistics_answer(int listening, struct workers *workers) {
    const struct timeval timeout = {.tv_sec = 1};
    int connection = local_socket_accept(listening);
    if (connection < 0)
        return;
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
    char *text = statistics_text(workers);
    const size_t length = text ? strlen(text) : 0;
    for (size_t sent = 0; sent < length;) {
        ssize_t count = send(connection, text + sent, length - sent, MSG_NOSIGNAL);
        if (count <= 0)
            break; /* the peer closed the connection, or timed out */
        sent += (size_t)count;
    }
    free(text);
    close(connection);
}
