#include "application_messages.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { PREFIX_TEXT = INET6_ADDRSTRLEN + 5, IPV4_MAPPED_BITS = 96 };

static char *text_of(json_t *message) {
    char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
    json_decref(message);
    return text;
}

static const char *clock_name(int clock) {
    return clock == CLOCK_MONOTONIC ? "monotonic" : clock == CLOCK_REALTIME ? "realtime" : "tai";
}

static json_t *numbers(const uint32_t *items, uint32_t count) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(array, json_integer(items[i]));
    return array;
}

static json_t *hello(const struct application_job *job, const struct config *config) {
    const struct access_rule *rule = job->application->rule;
    const struct access_quota *quota = &rule->quota;
    json_t *allowed = json_pack(
        "{sI sI sI sI sI sI sI sI}", "queues", (json_int_t)quota->queues, "packets",
        (json_int_t)quota->packets, "mappings", (json_int_t)quota->mappings, "conditions",
        (json_int_t)quota->conditions, "triggers", (json_int_t)quota->triggers, "connections",
        (json_int_t)quota->connections, "requestsPerSecond", (json_int_t)quota->requests_per_second,
        "priority", (json_int_t)rule->max_priority);
    return json_pack("{ss ss sI ss so so}", "host", job->agent->host->config->name, "clock",
                     clock_name(config->clock), "timeNs", (json_int_t)job->now_ns, "network",
                     rule->network == SDD_PACKET ? "packet" : "circuit", "quota", allowed,
                     "observes", numbers(rule->observes, rule->observes_count));
}

static json_t *statistics(const struct application_job *job) {
    const struct sdd_queue_stats *stats = &job->stats;
    return json_pack(
        "{sI sI sI sI sI sI sI sI sI sI sI sI}", "queue", (json_int_t)job->request->queue, "timeNs",
        (json_int_t)job->now_ns, "packets", (json_int_t)stats->packets, "bytes",
        (json_int_t)stats->bytes, "flows", (json_int_t)stats->flows, "lastXmitNs",
        (json_int_t)stats->last_xmit_ns, "lastRecvNs", (json_int_t)stats->last_recv_ns,
        "sentPackets", (json_int_t)stats->sent_packets, "sentBytes", (json_int_t)stats->sent_bytes,
        "receivedPackets", (json_int_t)stats->received_packets, "receivedBytes",
        (json_int_t)stats->received_bytes, "droppedPackets", (json_int_t)stats->dropped_packets);
}

static json_t *result(const struct application_job *job, const struct config *config) {
    switch (job->request->method) {
    case METHOD_HELLO:
        return hello(job, config);
    case METHOD_OPEN_QUEUE:
        return json_pack("{sI}", "queue", (json_int_t)job->number);
    case METHOD_ADD_TRIGGER:
        return json_pack("{sI}", "trigger", (json_int_t)job->number);
    case METHOD_QUEUE_STATISTICS:
        return statistics(job);
    case METHOD_GET_QUEUES_FOR_FLOWS:
        return json_pack("{so}", "queues", numbers(job->queues, job->queues_count));
    default:
        return json_object();
    }
}

char *message_answer(const struct application_job *job, const struct config *config) {
    if (job->status != ANSWER_OK)
        return message_error(job->request->id, job->status, job->text);
    return text_of(json_pack("{ss sO so}", "jsonrpc", "2.0", "id", job->request->id, "result",
                             result(job, config)));
}

char *message_error(json_t *id, enum application_status status, const char *text) {
    return text_of(json_pack("{ss so s{si ss s{ss}}}", "jsonrpc", "2.0", "id",
                             id ? json_incref(id) : json_null(), "error", "code",
                             application_status_code(status), "message", text, "data", "status",
                             application_status_name(status)));
}

char *message_event(const struct sdd_event *event, uint64_t cookie, uint64_t dropped) {
    const bool own = event->target == SDD_TO_APPLICATION;
    json_t *params = json_pack("{sI sI sI sI sI sI}", "queue", (json_int_t)event->queue, "cookie",
                               (json_int_t)(cookie & INT64_MAX), "timeNs",
                               (json_int_t)event->time_ns, "packets", (json_int_t)event->packets,
                               "bytes", (json_int_t)event->bytes, "dropped", (json_int_t)dropped);
    if (own)
        json_object_set_new(params, "trigger", json_integer(event->trigger));
    return text_of(json_pack("{ss ss so}", "jsonrpc", "2.0", "method", own ? "triggered" : "event",
                             "params", params));
}

static void set_prefix(json_t *match, const char *key, const struct base_ip_address *address,
                       unsigned bits) {
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    char text[PREFIX_TEXT];
    if (bits == 0)
        return;
    const bool is_ipv4 =
        bits >= IPV4_MAPPED_BITS && memcmp(address->octets, mapped, sizeof mapped) == 0;
    inet_ntop(is_ipv4 ? AF_INET : AF_INET6, address->octets + (is_ipv4 ? sizeof mapped : 0), text,
              sizeof text);
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "/%u", is_ipv4 ? bits - IPV4_MAPPED_BITS : bits);
    json_object_set_new(match, key, json_string(text));
}

char *message_unmapped(const struct held_mapping *mapping) {
    const struct sdd_match *of = &mapping->match;
    json_t *match = json_pack("{si si}", "protocol", of->protocol, "sourcePort", of->source_port);
    set_prefix(match, "source", &of->source, of->source_prefix_bits);
    set_prefix(match, "destination", &of->destination, of->destination_prefix_bits);
    if ((of->wildcards & SDD_ANY_DESTINATION_PORT) == 0)
        json_object_set_new(match, "destinationPort", json_integer(of->destination_port));
    return text_of(json_pack("{ss ss s{sI so}}", "jsonrpc", "2.0", "method", "unmapped", "params",
                             "queue", (json_int_t)mapping->queue, "match", match));
}
