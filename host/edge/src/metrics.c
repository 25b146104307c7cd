#include "metrics.h"

/* A counter of each path, by its name in show_json. */
struct counter {
    const char *part, *key;
    const char *name, *help;
};

static const struct counter counters[] = {
    {"sent", "packets", "sent_packets", "Inner packets sent; large segments count once"},
    {"sent", "bytes", "sent_bytes", "Bytes of inner packets sent"},
    {"sent", "flowlets", "sent_flowlets", "Flowlets that were placed on a path"},
    {"received", "packets", "received_packets", "Inner packets received"},
    {"received", "bytes", "received_bytes", "Bytes of inner packets received"},
    {"received", "late", "late_packets", "Packets that arrived after a later one of their flow"},
    {"marks", "taken", "marks_taken", "Reports of marks on own paths"},
    {"marks", "received", "marks_received", "Marked packets received"},
};

enum { COUNTERS = sizeof counters / sizeof counters[0] };

struct sums {
    json_int_t counted[COUNTERS];
    json_int_t peers, paths, congested, longest_delay_ns;
};

static json_int_t integer(json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

static void add_path(json_t *path, struct sums *sums) {
    for (size_t i = 0; i < COUNTERS; i++)
        sums->counted[i] += integer(json_object_get(path, counters[i].part), counters[i].key);
    const json_int_t delay_ns = integer(path, "delayNs");
    if (delay_ns > sums->longest_delay_ns)
        sums->longest_delay_ns = delay_ns;
    sums->congested += json_is_true(json_object_get(path, "congested"));
    sums->paths++;
}

static struct sums sums_of(json_t *all) {
    struct sums sums = {0};
    json_t *peer, *path;
    size_t p, i;
    json_array_foreach(json_object_get(all, "peers"), p, peer) {
        json_array_foreach(json_object_get(peer, "paths"), i, path) add_path(path, &sums);
        sums.peers++;
    }
    return sums;
}

static void head(FILE *out, const char *name, const char *type, const char *help) {
    fprintf(out, "# HELP evenweave_edge_%s %s\n# TYPE evenweave_edge_%s %s\n", name, help, name,
            type);
}

static void gauge(FILE *out, const char *device, const char *name, const char *help, double value) {
    head(out, name, "gauge", help);
    fprintf(out, "evenweave_edge_%s{device=\"%s\"} %.9g\n", name, device, value);
}

void metrics_print(json_t *all, FILE *out) {
    const struct sums sums = sums_of(all);
    const char *device = json_string_value(json_object_get(all, "device")), *reason;
    json_t *count;
    gauge(out, device, "process_running", "1 if a process manages the edge",
          json_is_true(json_object_get(all, "process")));
    gauge(out, device, "attached", "1 if all filters are on the device",
          json_is_true(json_object_get(all, "attached")));
    gauge(out, device, "peers", "Peers of the edge", (double)sums.peers);
    gauge(out, device, "paths", "Paths to all peers", (double)sums.paths);
    gauge(out, device, "paths_congested", "Paths that count as congested", (double)sums.congested);
    gauge(out, device, "longest_path_delay_seconds", "Longest of the paths' last reported delays",
          (double)sums.longest_delay_ns / 1e9);
    head(out, "dropped_packets_total", "counter", "Packets dropped by the edge");
    json_object_foreach(json_object_get(all, "drops"), reason, count)
        fprintf(out, "evenweave_edge_dropped_packets_total{device=\"%s\",reason=\"%s\"} %lld\n",
                device, reason, json_integer_value(count));
    for (size_t i = 0; i < COUNTERS; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s_total", counters[i].name);
        head(out, name, "counter", counters[i].help);
        fprintf(out, "evenweave_edge_%s{device=\"%s\"} %lld\n", name, device, sums.counted[i]);
    }
}
