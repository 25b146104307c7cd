#include "discovery.h"

#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/udp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "icmp_error.h"
#include "prober.h"
#include "tables.h"

/* The maximum number of datagrams that are read in a row. */
enum { BATCH = 256, DATAGRAM_BYTES = 2048 };

static uint64_t now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int open_probes(const struct config *config) {
    const int opened = socket(address_family(&config->address),
                              SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_RAW);
    const uint32_t mark = EDGE_MARK;
    /* Bound to the device of the programs, by which guests' packets leave. */
    if (opened < 0 || (setsockopt(opened, SOL_SOCKET, SO_MARK, &mark, sizeof mark) == 0 &&
                       setsockopt(opened, SOL_SOCKET, SO_BINDTODEVICE, config->device,
                                  (socklen_t)strlen(config->device)) == 0))
        return opened;
    close(opened);
    return -1;
}

static int open_answers(const struct config *config) {
    struct sockaddr_storage address;
    const socklen_t size = address_to_socket(&config->address, config->port, &address);
    const bool is_ipv6 = config->address.family == 6;
    const int on = 1;
    const int opened =
        socket(address_family(&config->address), SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (opened < 0)
        return opened;
    /* The overlay's UDP packets have no checksum, which an IPv6 socket accepts only with this
     * option. */
    if ((is_ipv6 ? setsockopt(opened, IPPROTO_IPV6, IPV6_FREEBIND, &on, sizeof on) == 0 &&
                       setsockopt(opened, IPPROTO_UDP, UDP_NO_CHECK6_RX, &on, sizeof on) == 0
                 : setsockopt(opened, IPPROTO_IP, IP_FREEBIND, &on, sizeof on) == 0) &&
        bind(opened, (const struct sockaddr *)&address, size) == 0)
        return opened;
    close(opened);
    return -1;
}

static struct candidate *find_candidate(const struct discovery *discovery, unsigned peer,
                                        uint16_t port) {
    struct candidate *candidates = prober_candidates(discovery->prober, peer);
    for (unsigned i = 0; i < discovery->config->peers[peer].paths_count; i++)
        if (candidates[i].port == port)
            return &candidates[i];
    return NULL;
}

/* Restores the results of an earlier process. */
static void recall(const struct discovery *discovery, unsigned peer) {
    static struct edge_routes routes; /* too large for the stack */
    struct edge_paths paths;
    const struct edge_address *address = &discovery->config->peers[peer].address;
    if (bpf_map_lookup_elem(discovery->edge->maps[KERNEL_WAYS], address, &routes) ||
        !tables_get_paths(discovery->edge, address, &paths))
        return;
    for (uint32_t i = 0; i < paths.count; i++) {
        struct candidate *candidate = find_candidate(discovery, peer, paths.port[i]);
        if (!candidate || routes.port[i] != paths.port[i] || routes.route[i].length > EDGE_HOPS)
            continue;
        candidate->in_use = true;
        candidate->key = paths.key[i];
        candidate->route = routes.route[i];
    }
}

bool discovery_start(struct discovery *discovery, const struct config *config,
                     const struct kernel_edge *edge, const struct weights *weights, char *error,
                     size_t error_size) {
    *discovery = (struct discovery){.config = config,
                                    .edge = edge,
                                    .weights = weights,
                                    .probes = -1,
                                    .errors = -1,
                                    .answers = -1};
    bool wanted = false;
    for (unsigned i = 0; i < config->peers_count; i++)
        wanted |= config->peers[i].discover.paths > 0;
    if (!wanted)
        return true;
    uint64_t seed = now_ns();
    /* If the kernel has no randomness yet, the time alone is the seed. */
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) < 0)
        seed = now_ns();
    discovery->prober = prober_create(config, seed, now_ns());
    discovery->probes = open_probes(config);
    discovery->errors = icmp_error_watch(config->address.family,
                                         1u << ICMP_ERROR_TTL | 1u << ICMP_ERROR_UNREACHABLE);
    discovery->answers = open_answers(config);
    if (discovery->answers < 0)
        snprintf(error, error_size, "port: UDP port %u is not available for discovery: %s",
                 config->port, strerrordesc_np(errno));
    else if (!discovery->prober || discovery->probes < 0 || discovery->errors < 0)
        snprintf(error, error_size, "device: cannot send probes by %s", config->device);
    else {
        for (unsigned i = 0; i < config->peers_count; i++)
            if (config->peers[i].discover.paths > 0)
                recall(discovery, i);
        return true;
    }
    discovery_stop(discovery);
    return false;
}

void discovery_stop(struct discovery *discovery) {
    const int opened[] = {discovery->probes, discovery->errors, discovery->answers};
    for (unsigned i = 0; i < sizeof opened / sizeof *opened; i++)
        if (opened[i] >= 0)
            close(opened[i]);
    prober_free(discovery->prober);
    *discovery = (struct discovery){.probes = -1, .errors = -1, .answers = -1};
}

void discovery_start_rounds(struct discovery *discovery) {
    if (discovery->prober)
        prober_start_rounds(discovery->prober, now_ns());
}

bool discovery_is_pending(const struct discovery *discovery) {
    return discovery->prober && prober_is_pending(discovery->prober);
}

/* Stores the results of a round for `show` and for the next process. chosen: false if no path was
 * chosen. */
static void note(const struct discovery *discovery, unsigned peer, bool chosen) {
    static struct edge_routes routes; /* too large for the stack */
    const struct peer_config *config = &discovery->config->peers[peer];
    const struct candidate *candidates = prober_candidates(discovery->prober, peer);
    const int map = discovery->edge->maps[KERNEL_WAYS];
    struct edge_paths paths;
    if (!tables_get_paths(discovery->edge, &config->address, &paths))
        return;
    if (bpf_map_lookup_elem(map, &config->address, &routes))
        memset(&routes, 0, sizeof routes);
    routes.tried = config->paths_count;
    routes.arrived = 0;
    for (unsigned i = 0; i < config->paths_count; i++)
        routes.arrived += candidates[i].arrives;
    if (chosen) {
        memset(routes.port, 0, sizeof routes.port);
        routes.found_ns = now_ns();
    }
    for (uint32_t i = 0; chosen && i < paths.count; i++) {
        const struct candidate *candidate = find_candidate(discovery, peer, paths.port[i]);
        if (candidate) {
            routes.port[i] = candidate->port;
            routes.route[i] = candidate->route;
        }
    }
    (void)bpf_map_update_elem(map, &config->address, &routes, BPF_ANY); /* informative only */
}

/* Ends a round: chooses paths and applies them. */
static void settle(const struct discovery *discovery, unsigned peer) {
    const struct peer_config *config = &discovery->config->peers[peer];
    struct candidate *candidates = prober_candidates(discovery->prober, peer);
    struct edge_found found[EDGE_MAX_PATHS];
    const struct edge_route *routes[EDGE_MAX_PATHS];
    unsigned chosen[EDGE_MAX_PATHS];
    const unsigned count =
        choose_ways(candidates, config->paths_count, config->discover.paths, chosen);
    for (unsigned i = 0; i < count; i++) {
        const struct candidate *candidate = &candidates[chosen[i]];
        found[i] = (struct edge_found){.key = candidate->key, .port = candidate->port};
        routes[i] = &candidate->route;
    }
    weights_fill(weights_of(discovery->weights, &config->address), routes, found, count);
    const bool used =
        count > 0 && tables_set_paths(discovery->edge, &config->address, found, count);
    for (unsigned i = 0; used && i < config->paths_count; i++)
        candidates[i].in_use = false;
    for (unsigned i = 0; used && i < count; i++)
        candidates[chosen[i]].in_use = true;
    note(discovery, peer, used);
}

static void read_errors(const struct discovery *discovery) {
    uint8_t packet[DATAGRAM_BYTES];
    struct edge_address from;
    struct probe_answer answer;
    for (unsigned i = 0; i < BATCH; i++) {
        const ssize_t size = icmp_error_receive(discovery->errors, packet, sizeof packet, &from);
        if (size < 0)
            return;
        if (probe_read_error(packet, (size_t)size, &from, discovery->config, &answer))
            (void)prober_take(discovery->prober, now_ns(), &answer);
    }
}

static void read_answers(const struct discovery *discovery) {
    uint8_t payload[DATAGRAM_BYTES];
    struct probe_answer answer;
    for (unsigned i = 0; i < BATCH; i++) {
        struct sockaddr_storage sender = {0};
        socklen_t sender_size = sizeof sender;
        const ssize_t size = recvfrom(discovery->answers, payload, sizeof payload, MSG_DONTWAIT,
                                      (struct sockaddr *)&sender, &sender_size);
        if (size < 0)
            return;
        const struct edge_address from = address_of_socket(&sender);
        if (probe_read_answer(payload, (size_t)size, &from, discovery->config, &answer))
            (void)prober_take(discovery->prober, now_ns(), &answer);
    }
}

static uint32_t scheme_to(const struct config *config, const struct edge_address *peer) {
    for (unsigned i = 0; i < config->peers_count; i++)
        if (address_same(&config->peers[i].address, peer))
            return config->peers[i].params.scheme;
    return EDGE_ECMP;
}

void discovery_serve(struct discovery *discovery) {
    if (!discovery->prober)
        return;
    read_errors(discovery);
    read_answers(discovery);
    struct probe probe;
    while (prober_send(discovery->prober, now_ns(), &probe)) {
        uint8_t packet[PROBE_BYTES];
        struct sockaddr_storage to;
        const socklen_t to_size = address_to_socket(&probe.peer, 0, &to);
        const size_t size = probe_write(&probe, discovery->config,
                                        scheme_to(discovery->config, &probe.peer), packet);
        /* A probe that is not sent counts as one without an answer. */
        (void)sendto(discovery->probes, packet, size, MSG_DONTWAIT, (const struct sockaddr *)&to,
                     to_size);
    }
    for (unsigned peer; (peer = prober_finish(discovery->prober, now_ns())) != PROBER_NONE;)
        settle(discovery, peer);
}

int discovery_wait_ms(const struct discovery *discovery) {
    const uint64_t next_ns = discovery->prober ? prober_next_ns(discovery->prober) : PROBER_NEVER;
    const uint64_t now = now_ns();
    if (next_ns == PROBER_NEVER)
        return -1;
    if (next_ns <= now)
        return 0;
    const uint64_t wait_ms = (next_ns - now + 999999) / 1000000;
    return wait_ms < 60000 ? (int)wait_ms : 60000;
}
