#include "show.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <jansson.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "instance.h"
#include "kernel.h"
#include "mdctcp.h"
#include "metrics.h"
#include "prefix.h"
#include "route.h"
#include "settings.h"
#include "tuning.h"

static const char *const reasons[EDGE_REASONS] = {"hash", "same-flowlet", "random", "in-turn",
                                                  "least-loaded"};
static const char *const drop_names[EDGE_DROPS] = {
    "stranger", "spoofed", "malformed", "tooBig", "noRoom", "forged", "unauthenticated"};

struct view {
    struct edge_peer peer;
    struct edge_account account;
    struct edge_routes routes; /* all 0 without discovery */
    uint64_t now_ns;
};

static uint64_t now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static json_t *address_json(const struct edge_address *address) {
    char text[ADDRESS_TEXT_BYTES];
    return json_string(address_write(address, text));
}

static bool is_discovered(const struct view *view, uint32_t i) {
    return view->routes.port[i] != 0 && view->routes.port[i] == view->peer.paths.port[i] &&
           view->routes.route[i].length <= EDGE_HOPS;
}

/* Returns the largest number of links that the path shares with another one. */
static unsigned shared_links(const struct view *view, uint32_t path) {
    unsigned most = 0;
    for (uint32_t i = 0; i < view->peer.paths.count && i < EDGE_MAX_PATHS; i++)
        if (i != path && is_discovered(view, i)) {
            const unsigned shared = route_shared(&view->routes.route[path], &view->routes.route[i]);
            most = shared > most ? shared : most;
        }
    return most;
}

static json_t *hops_json(const struct edge_route *route) {
    json_t *hops = json_array();
    for (uint32_t i = 0; i < route->length; i++)
        json_array_append_new(hops, route->hops[i].family ? address_json(&route->hops[i])
                                                          : json_string("*"));
    return hops;
}

static json_t *path_json(const struct view *view, uint32_t i) {
    const struct edge_paths *paths = &view->peer.paths;
    const struct edge_path_account *account = &view->account.paths[i];
    const struct edge_params *params = &view->peer.params;
    const bool congested =
        edge_wants_marks(params->scheme) && edge_clove_congested(params, paths, i, view->now_ns);
    json_t *path = json_pack(
        "{sI sI sf sf sb s{sI sI sI} s{sI sI sI} s{sI sI sI}}", "path", (json_int_t)i, "sourcePort",
        (json_int_t)paths->port[i], "weight", (double)paths->weight[i] / EDGE_WEIGHT_ONE, "prior",
        (double)paths->prior[i] / EDGE_WEIGHT_ONE, "congested", congested, "sent", "packets",
        (json_int_t)account->sent_packets, "bytes", (json_int_t)account->sent_bytes, "flowlets",
        (json_int_t)account->flowlets, "received", "packets", (json_int_t)account->received_packets,
        "bytes", (json_int_t)account->received_bytes, "late", (json_int_t)view->account.late[i],
        "marks", "taken", (json_int_t)account->marks_taken, "received",
        (json_int_t)account->received_marks, "reported", (json_int_t)account->marks_reported);
    if (edge_measures_delays(params->scheme) && paths->noted_ns[i])
        json_object_set_new(path, "delayNs", json_integer(paths->metric[i]));
    if (edge_reported_by(params->scheme) == EDGE_REPORTS_UTILISATION && paths->noted_ns[i])
        json_object_set_new(path, "utilisation", json_real(paths->metric[i] / 65536.0));
    if (is_discovered(view, i)) {
        json_object_set_new(path, "hops", hops_json(&view->routes.route[i]));
        json_object_set_new(path, "sharedLinks", json_integer(shared_links(view, i)));
    }
    return path;
}

/* Decisions, newest first. */
static json_t *decisions_json(const struct edge_peer *peer) {
    json_t *decisions = json_array();
    for (uint32_t i = 1; i <= EDGE_TRACES && i <= peer->traced; i++) {
        const struct edge_trace *trace = &peer->traces[(peer->traced - i) & (EDGE_TRACES - 1)];
        json_t *decision =
            json_pack("{sI sI sI ss sI sf sI}", "atNs", (json_int_t)trace->at_ns, "flow",
                      (json_int_t)trace->hash, "flowlet", (json_int_t)trace->flowlet, "reason",
                      reasons[trace->reason < EDGE_REASONS ? trace->reason : 0], "path",
                      (json_int_t)trace->path, "weight", (double)trace->weight / EDGE_WEIGHT_ONE,
                      "metric", (json_int_t)trace->metric);
        if (trace->from < EDGE_MAX_PATHS)
            json_object_set_new(decision, "from", json_integer(trace->from));
        if (trace->idle_ns != UINT32_MAX)
            json_object_set_new(decision, "idleNs", json_integer(trace->idle_ns));
        json_array_append_new(decisions, decision);
    }
    return decisions;
}

/* All prefixes, in one array for each peer's address. */
static json_t *prefixes_json(const struct kernel_edge *edge) {
    json_t *all = json_object();
    struct edge_prefix key;
    const int map = edge->maps[KERNEL_PREFIXES];
    for (int more = bpf_map_get_next_key(map, NULL, &key); more == 0;
         more = bpf_map_get_next_key(map, &key, &key)) {
        struct edge_address found;
        char peer[ADDRESS_TEXT_BYTES], text[PREFIX_TEXT_BYTES];
        const struct prefix_config prefix = prefix_of_key(&key);
        if (bpf_map_lookup_elem(map, &key, &found))
            continue;
        address_write(&found, peer);
        if (!json_object_get(all, peer))
            json_object_set_new(all, peer, json_array());
        json_array_append_new(json_object_get(all, peer), json_string(prefix_write(&prefix, text)));
    }
    return all;
}

/* Instructions to leaves for connections to a peer: number of packets with data, by IntFlow's
 * instruction. */
static json_t *instructions_json(const struct edge_account *account) {
    return json_pack(
        "{sI sI sI sI sI}", "unassigned", (json_int_t)account->instructed[EDGE_UNASSIGNED],
        "failure", (json_int_t)account->instructed[EDGE_FAILURE], "congestion",
        (json_int_t)account->instructed[EDGE_CONGESTION], "smallFlow",
        (json_int_t)account->instructed[EDGE_SMALL_FLOW], "resent", (json_int_t)account->resent);
}

/* For a hidden overlay: packets to a peer that left unchanged. */
static json_t *left_json(const struct edge_account *account) {
    return json_pack("{sI sI sI}", "notTcp", (json_int_t)account->unhidden[EDGE_UNHIDDEN_NOT_TCP],
                     "noRoom", (json_int_t)account->unhidden[EDGE_UNHIDDEN_NO_ROOM], "tooLong",
                     (json_int_t)account->unhidden[EDGE_UNHIDDEN_TOO_LONG]);
}

/* Counters of ACK correction, and whether it is enabled. */
static json_t *ack_correction_json(const struct view *view) {
    return json_pack("{sb sI sI}", "enabled", view->peer.params.ack_correction != 0,
                     "ofAnotherPath", (json_int_t)view->account.of_another_path, "echoesWithheld",
                     (json_int_t)view->account.echoes_withheld);
}

/* The thresholds of IntFlow's instructions, in its flows' real time. */
static json_t *intflow_json(const struct edge_params *params, uint32_t slower) {
    return json_pack("{sI sI sI sI sI}", "delayNs", (json_int_t)params->delay_high_ns, "windowNs",
                     (json_int_t)params->window_ns * slower, "timeoutNs",
                     (json_int_t)params->timeout_ns * slower, "settleNs",
                     (json_int_t)params->settle_ns * slower, "sizeBytes",
                     (json_int_t)params->size_bytes);
}

static json_t *peer_json(const struct edge_address *address, json_t *prefixes,
                         const struct view *view, uint32_t slower) {
    char text[ADDRESS_TEXT_BYTES];
    json_t *own_prefixes = json_object_get(prefixes, address_write(address, text));
    json_t *paths = json_array();
    for (uint32_t i = 0; i < view->peer.paths.count && i < EDGE_MAX_PATHS; i++)
        json_array_append_new(paths, path_json(view, i));
    const struct edge_account *account = &view->account;
    json_t *peer = json_pack(
        "{so ss so sI sI sI sI so s{sI sI sI} sI sI sI sI so}", "address", address_json(address),
        "scheme", scheme_name(view->peer.params.scheme), "prefixes",
        own_prefixes ? json_incref(own_prefixes) : json_array(), "rttNs",
        (json_int_t)view->peer.params.rtt_ns, "gapNs", (json_int_t)view->peer.params.gap_ns,
        "gapAdaptPercent", (json_int_t)tuning_gap_percent(&view->peer.params), "gapNowNs",
        (json_int_t)edge_gap_ns(&view->peer.params, &view->peer.paths, view->now_ns), "paths",
        paths, "probes", "sent", (json_int_t)account->probes_sent, "received",
        (json_int_t)account->probes_received, "answered", (json_int_t)account->answered,
        "marksLimited", (json_int_t)account->marks_limited, "notAsked",
        (json_int_t)account->not_asked, "unauthenticated", (json_int_t)account->unproved, "echoes",
        (json_int_t)account->echoes, "decisions", decisions_json(&view->peer));
    if (view->peer.params.scheme == EDGE_ALB)
        json_object_set_new(peer, "ackCorrection", ack_correction_json(view));
    if (edge_wants_marks(view->peer.params.scheme))
        json_object_set_new(peer, "relayNs", json_integer(view->peer.params.relay_ns));
    if (edge_chooses_by_metric(view->peer.params.scheme))
        json_object_set_new(peer, "metricAgeNs", json_integer(view->peer.params.metric_age_ns));
    if (view->peer.params.scheme == EDGE_INTFLOW) {
        json_object_set_new(peer, "intflow", intflow_json(&view->peer.params, slower));
        json_object_set_new(peer, "instructions", instructions_json(account));
    }
    const struct edge_routes *routes = &view->routes;
    if (routes->tried)
        json_object_set_new(peer, "discovery",
                            json_pack("{sI sI}", "tried", (json_int_t)routes->tried, "arrived",
                                      (json_int_t)routes->arrived));
    if (routes->found_ns)
        json_object_set_new(json_object_get(peer, "discovery"), "ageNs",
                            json_integer((json_int_t)(view->now_ns - routes->found_ns)));
    return peer;
}

static json_t *drops_json(const struct kernel_edge *edge) {
    json_t *drops = json_object();
    const int processors = libbpf_num_possible_cpus();
    uint64_t *counts = processors > 0 ? calloc((size_t)processors, sizeof *counts) : NULL;
    for (uint32_t why = 0; counts && why < EDGE_DROPS; why++) {
        json_int_t sum = 0;
        if (bpf_map_lookup_elem(edge->maps[KERNEL_DROPS], &why, counts) == 0)
            for (int i = 0; i < processors; i++)
                sum += (json_int_t)counts[i];
        json_object_set_new(drops, drop_names[why], json_integer(sum));
    }
    free(counts);
    return drops;
}

static const char *transport_name(const struct edge_settings *settings) {
    if (settings->hides)
        return "hidden";
    return settings->transport == IPPROTO_TCP ? "tcp" : "udp";
}

/* Adds a peer, if it exists. */
static void add_peer(const struct kernel_edge *edge, const struct edge_settings *settings,
                     const struct edge_address *key, json_t *prefixes, json_t *peers) {
    static struct view view; /* too large for the stack */
    view.now_ns = now_ns();
    if (bpf_map_lookup_elem_flags(edge->maps[KERNEL_PEERS], key, &view.peer, BPF_F_LOCK) ||
        bpf_map_lookup_elem(edge->maps[KERNEL_ACCOUNTS], key, &view.account))
        return;
    if (bpf_map_lookup_elem(edge->maps[KERNEL_WAYS], key, &view.routes))
        memset(&view.routes, 0, sizeof view.routes);
    json_t *peer = peer_json(key, prefixes, &view, settings->slower);
    if (settings->hides)
        json_object_set_new(peer, "notHidden", left_json(&view.account));
    json_array_append_new(peers, peer);
}

/* Adds the selected peers; returns the number of all peers. */
static unsigned add_peers(const struct kernel_edge *edge, const struct edge_settings *settings,
                          const struct show_peers *which, json_t *peers) {
    json_t *prefixes = prefixes_json(edge);
    struct edge_address key;
    unsigned count = 0;
    const int map = edge->maps[KERNEL_PEERS];
    for (int more = bpf_map_get_next_key(map, NULL, &key); more == 0;
         more = bpf_map_get_next_key(map, &key, &key), count++)
        if (!which->only && count >= which->first && count - which->first < which->limit)
            add_peer(edge, settings, &key, prefixes, peers);
    if (which->only)
        add_peer(edge, settings, which->only, prefixes, peers);
    json_decref(prefixes);
    return count;
}

json_t *show_json(const struct kernel_edge *edge, const struct show_peers *which) {
    struct edge_settings settings;
    char name[IF_NAMESIZE] = "";
    if (!settings_read(edge->maps[KERNEL_SETTINGS], &settings))
        return NULL;
    json_t *peers = json_array();
    const unsigned count = add_peers(edge, &settings, which, peers);
    const char *device = if_indextoname(edge->device, name);
    return json_pack("{ss sb sb so sI sI ss sb sI so sI so}", "device", device ? device : "",
                     "process", device && instance_is_taken(device), "attached",
                     kernel_is_attached(edge), "address", address_json(&settings.address), "vni",
                     (json_int_t)settings.vni, "port", (json_int_t)settings.port, "transport",
                     transport_name(&settings), "mdctcp",
                     mdctcp_has(edge->maps[KERNEL_CONNECTIONS]), "mtu", (json_int_t)settings.mtu,
                     "drops", drops_json(edge), "peerCount", (json_int_t)count, "peers", peers);
}

static json_int_t number(json_t *object, const char *part, const char *key) {
    return json_integer_value(json_object_get(json_object_get(object, part), key));
}

static const char *text(json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static json_int_t own_number(json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

static void print_path(json_t *path) {
    json_t *hop;
    size_t i;
    printf("%6lld %7lld %7.3f %9lld %12lld %9lld %12lld %12lld %9lld\n", own_number(path, "path"),
           own_number(path, "sourcePort"), json_real_value(json_object_get(path, "weight")),
           number(path, "sent", "flowlets"), number(path, "sent", "bytes"),
           number(path, "marks", "taken"), own_number(path, "delayNs"),
           number(path, "received", "bytes"), number(path, "received", "late"));
    json_array_foreach(json_object_get(path, "hops"), i, hop)
        printf("%s%s", i ? " > " : "        ", json_string_value(hop));
    if (i > 0)
        putchar('\n');
}

/* The decisions for the last flowlets that began. */
static void print_decision(json_t *decision, uint64_t now_ns) {
    json_t *from = json_object_get(decision, "from");
    printf("  %9.3f s ago  flow %08llx  flowlet %lld  path %lld",
           (double)(now_ns - (uint64_t)own_number(decision, "atNs")) / 1e9,
           (unsigned long long)own_number(decision, "flow"), own_number(decision, "flowlet"),
           own_number(decision, "path"));
    if (from)
        printf(" after %lld", json_integer_value(from));
    printf("  %s\n", text(decision, "reason"));
}

/* The last round, and the time of the last one that found paths. */
static void print_discovery(json_t *discovery) {
    json_t *age = json_object_get(discovery, "ageNs");
    if (!discovery)
        return;
    printf("  %lld of %lld candidates arrived, ", own_number(discovery, "arrived"),
           own_number(discovery, "tried"));
    if (age)
        printf("paths found %.0f s ago", (double)json_integer_value(age) / 1e9);
    else
        fputs("no paths found yet", stdout);
}

static void print_peer(json_t *peer, uint64_t now_ns) {
    json_t *item;
    size_t i;
    printf("\n%s  %s  gap %.3f ms", text(peer, "address"), text(peer, "scheme"),
           (double)own_number(peer, "gapNowNs") / 1e6);
    print_discovery(json_object_get(peer, "discovery"));
    printf("\n%6s %7s %7s %9s %12s %9s %12s %12s %9s\n", "path", "port", "weight", "flowlets",
           "bytes sent", "marks", "delay ns", "bytes recv.", "late");
    json_array_foreach(json_object_get(peer, "paths"), i, item) print_path(item);
    json_array_foreach(json_object_get(peer, "decisions"), i, item) print_decision(item, now_ns);
}

bool show(const struct kernel_edge *edge, const struct show_peers *which, enum show_form form) {
    json_t *all = show_json(edge, which), *item;
    const char *name;
    size_t i;
    if (!all) {
        fputs("evenweave-edge: the edge cannot be read; it needs root\n", stderr);
        return false;
    }
    if (form == SHOW_METRICS) {
        metrics_print(all, stdout);
    } else if (form == SHOW_JSON) {
        (void)json_dumpf(all, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
        putchar('\n');
    } else {
        printf("%s  %s  mtu %lld  dropped:", json_string_value(json_object_get(all, "device")),
               json_string_value(json_object_get(all, "address")),
               json_integer_value(json_object_get(all, "mtu")));
        json_object_foreach(json_object_get(all, "drops"), name, item)
            printf(" %s %lld", name, json_integer_value(item));
        putchar('\n');
        if (!json_is_true(json_object_get(all, "process")))
            puts("no process manages it: nothing discovers paths or repairs it");
        if (!json_is_true(json_object_get(all, "attached")))
            puts("not all of its filters are attached to the device: packets are lost");
        json_array_foreach(json_object_get(all, "peers"), i, item) print_peer(item, now_ns());
    }
    json_decref(all);
    return true;
}
