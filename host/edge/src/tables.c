#include "tables.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

_Static_assert(MAX_ALL_PREFIXES == EDGE_PREFIXES, "the prefixes of a configuration fit the map");

/* Whether these are the peer's paths, with the same priors. */
static bool has_paths(const struct edge_paths *paths, const struct peer_config *peer) {
    struct edge_paths wanted = {0};
    if (paths->count != peer->paths_count)
        return false;
    edge_set_priors(&wanted, peer->paths, peer->paths_count);
    for (uint32_t i = 0; i < paths->count; i++)
        if (paths->port[i] != peer->paths[i].port || paths->prior[i] != wanted.prior[i])
            return false;
    return true;
}

/* Whether all paths are candidates of discovery: its earlier results remain until it ends. */
static bool are_candidates(const struct edge_paths *paths, const struct peer_config *peer) {
    bool all = paths->count > 0;
    for (uint32_t i = 0; i < paths->count; i++) {
        bool found = false;
        for (unsigned c = 0; c < peer->paths_count; c++)
            found |= peer->paths[c].port == paths->port[i];
        all &= found;
    }
    return all;
}

/* Whether the configurable parameters are equal; the others follow from them. */
static bool same_params(const struct edge_params *a, const struct edge_params *b) {
    return a->scheme == b->scheme && a->rtt_ns == b->rtt_ns && a->gap_ns == b->gap_ns &&
           a->gap_adapt == b->gap_adapt && a->relay_ns == b->relay_ns &&
           a->metric_age_ns == b->metric_age_ns && a->ack_correction == b->ack_correction &&
           a->delay_high_ns == b->delay_high_ns && a->window_ns == b->window_ns &&
           a->timeout_ns == b->timeout_ns && a->settle_ns == b->settle_ns &&
           a->size_bytes == b->size_bytes && a->rate_bps == b->rate_bps;
}

/* Those that a peer is to have. Keys of the controller stay from one process to the next. */
static struct edge_keys wanted_keys(const struct edge_keys *there, const struct edge_keys *wanted) {
    return wanted->required && !wanted->count && there->required ? *there : *wanted;
}

static bool same_keys(const struct edge_keys *a, const struct edge_keys *b) {
    return a->count == b->count && a->required == b->required &&
           memcmp(&a->out, &b->out, sizeof a->out) == 0 && memcmp(a->in, b->in, sizeof a->in) == 0;
}

/* The keys alone: what is known of the peer's clock stays, so that nothing can be replayed. */
static void put_keys(struct edge_keys *keys, const struct edge_keys *wanted) {
    const struct edge_keys before = *keys;
    *keys = *wanted;
    keys->newest = before.newest;
    keys->newest_ns = before.newest_ns;
}

static bool fill_peer(const struct peer_config *config, const struct kernel_edge *edge) {
    static const struct edge_account nothing;
    static struct edge_peer peer; /* large */
    const struct edge_address key = config->address;
    const int peers = edge->maps[KERNEL_PEERS];
    memset(&peer, 0, sizeof peer);
    const bool there = bpf_map_lookup_elem_flags(peers, &key, &peer, BPF_F_LOCK) == 0;
    const struct edge_params *before = &peer.params, *wanted = &config->params;
    if (!config->discover.paths)
        bpf_map_delete_elem(edge->maps[KERNEL_WAYS], &key);
    const bool same_paths = there && (config->discover.paths ? are_candidates(&peer.paths, config)
                                                             : has_paths(&peer.paths, config));
    const struct edge_keys keys = wanted_keys(&peer.keys, &config->keys);
    if (there && same_params(before, wanted) && same_paths && same_keys(&peer.keys, &keys))
        return true;
    if (before->scheme != wanted->scheme) /* its metrics have another meaning */
        edge_forget_metrics(&peer.paths);
    peer.params = config->params;
    put_keys(&peer.keys, &keys);
    if (!same_paths)
        edge_set_paths(&peer.paths, config->paths, config->paths_count);
    if (!there && bpf_map_update_elem(edge->maps[KERNEL_ACCOUNTS], &key, &nothing, BPF_ANY))
        return false;
    return bpf_map_update_elem(peers, &key, &peer, there ? BPF_F_LOCK : BPF_ANY) == 0;
}

static bool in_config(const struct config *config, const struct edge_address *peer,
                      const struct prefix_config *prefix) {
    for (unsigned i = 0; i < config->peers_count; i++) {
        const struct peer_config *found = &config->peers[i];
        if (!prefix && !address_same(&found->address, peer))
            continue;
        if (!prefix)
            return true;
        for (unsigned p = 0; p < found->prefixes_count; p++)
            if (prefix_same(&found->prefixes[p], prefix))
                return true;
    }
    return false;
}

/* Deletes keys during the iteration: the next key is read first. */
static void prune_prefixes(const struct config *config, int map) {
    struct edge_prefix key, next;
    int more = bpf_map_get_next_key(map, NULL, &next);
    while (more == 0) {
        key = next;
        more = bpf_map_get_next_key(map, &key, &next);
        const struct prefix_config prefix = prefix_of_key(&key);
        if (!in_config(config, NULL, &prefix))
            bpf_map_delete_elem(map, &key);
    }
}

static void prune_peers(const struct config *config, const struct kernel_edge *edge) {
    struct edge_address key, next;
    int more = bpf_map_get_next_key(edge->maps[KERNEL_PEERS], NULL, &next);
    while (more == 0) {
        key = next;
        more = bpf_map_get_next_key(edge->maps[KERNEL_PEERS], &key, &next);
        if (!in_config(config, &key, NULL)) {
            bpf_map_delete_elem(edge->maps[KERNEL_PEERS], &key);
            bpf_map_delete_elem(edge->maps[KERNEL_ACCOUNTS], &key);
            bpf_map_delete_elem(edge->maps[KERNEL_WAYS], &key);
        }
    }
}

bool tables_fill(const struct config *config, const struct kernel_edge *edge) {
    /* Removed prefixes first, new ones last, so that each prefix has a peer at all times. */
    prune_prefixes(config, edge->maps[KERNEL_PREFIXES]);
    prune_peers(config, edge);
    for (unsigned i = 0; i < config->peers_count; i++)
        if (!fill_peer(&config->peers[i], edge))
            return false;
    for (unsigned i = 0; i < config->peers_count; i++) {
        const struct peer_config *peer = &config->peers[i];
        for (unsigned p = 0; p < peer->prefixes_count; p++) {
            const struct edge_prefix key = prefix_key(&peer->prefixes[p]);
            if (bpf_map_update_elem(edge->maps[KERNEL_PREFIXES], &key, &peer->address, BPF_ANY))
                return false;
        }
    }
    return true;
}

bool tables_get_paths(const struct kernel_edge *edge, const struct edge_address *peer,
                      struct edge_paths *paths) {
    static struct edge_peer value; /* large */
    if (bpf_map_lookup_elem_flags(edge->maps[KERNEL_PEERS], peer, &value, BPF_F_LOCK))
        return false;
    *paths = value.paths;
    return true;
}

bool tables_set_paths(const struct kernel_edge *edge, const struct edge_address *peer,
                      const struct edge_found *found, unsigned count) {
    static struct edge_peer value; /* large */
    const int peers = edge->maps[KERNEL_PEERS];
    if (bpf_map_lookup_elem_flags(peers, peer, &value, BPF_F_LOCK))
        return false;
    const struct edge_paths before = value.paths;
    const uint64_t changed = edge_update_paths(&value.paths, found, count);
    if (memcmp(&value.paths, &before, sizeof before) == 0)
        return true;
    value.rebase |= changed;
    for (uint32_t i = 0; i < count; i++)
        if (changed >> i & 1)
            value.mark_limits[i] = (struct edge_mark_limit){0};
    return bpf_map_update_elem(peers, peer, &value, BPF_F_LOCK) == 0;
}

bool tables_weigh(const struct kernel_edge *edge, const struct edge_address *peer,
                  const struct weighted_prefix *of) {
    static struct edge_routes known; /* large */
    const struct edge_route *routes[EDGE_MAX_PATHS] = {NULL};
    struct edge_found found[EDGE_MAX_PATHS];
    struct edge_paths paths;
    if (!tables_get_paths(edge, peer, &paths))
        return false;
    if (bpf_map_lookup_elem(edge->maps[KERNEL_WAYS], peer, &known))
        return true; /* discovery has not found its paths yet and will weigh them */
    for (uint32_t i = 0; i < paths.count; i++) {
        found[i] = (struct edge_found){.key = paths.key[i], .port = paths.port[i]};
        if (known.port[i] == paths.port[i])
            routes[i] = &known.route[i];
    }
    weights_fill(of, routes, found, paths.count);
    return tables_set_paths(edge, peer, found, paths.count);
}
