#include "order.h"

#include <stdio.h>

static bool holds(const struct prefix_config *outer, const struct prefix_config *inner) {
    return outer->bits <= inner->bits && prefix_covers(outer, &inner->address);
}

/* Whether a prefix of a peer that is longer than this one holds what was ordered. */
static bool is_behind_a_longer_one(const struct config *config, const struct prefix_config *ordered,
                                   const struct prefix_config *behind) {
    for (unsigned i = 0; i < config->peers_count; i++)
        for (unsigned p = 0; p < config->peers[i].prefixes_count; p++) {
            const struct prefix_config *other = &config->peers[i].prefixes[p];
            if (other->bits > behind->bits && holds(other, ordered))
                return true;
        }
    return false;
}

static bool divides(const struct prefix_config *ordered, const struct config *config,
                    const struct peer_config *peer) {
    unsigned held = 0, all = 0;
    for (unsigned p = 0; p < peer->prefixes_count; p++) {
        const struct prefix_config *behind = &peer->prefixes[p];
        all += behind->address.family == ordered->address.family;
        if (holds(ordered, behind))
            held++;
        else if (holds(behind, ordered) && !is_behind_a_longer_one(config, ordered, behind))
            return true;
    }
    return held > 0 && held < all;
}

bool order_fits(const struct order *order, const struct config *config, char *error,
                size_t error_size) {
    for (unsigned i = 0; i < order->count; i++)
        for (unsigned p = 0; p < config->peers_count; p++) {
            const struct peer_config *peer = &config->peers[p];
            char text[ADDRESS_TEXT_BYTES];
            if (!divides(&order->prefixes[i].prefix, config, peer))
                continue;
            snprintf(error, error_size, "prefixes[%u].address: divides what is behind peer %s", i,
                     address_write(&peer->address, text));
            return false;
        }
    return true;
}

/* As the order fits, it holds all of a peer's prefixes of its family or none. */
static bool holds_peer(const struct prefix_config *ordered, const struct peer_config *peer) {
    for (unsigned p = 0; p < peer->prefixes_count; p++)
        if (holds(ordered, &peer->prefixes[p]))
            return true;
    return false;
}

void order_apply(const struct order *order, struct config *config) {
    for (unsigned p = 0; p < config->peers_count; p++) {
        struct peer_config *peer = &config->peers[p];
        const struct edge_params *own = &peer->own_params;
        const struct ordered_prefix *longest = NULL;
        for (unsigned i = 0; i < order->count; i++) {
            const struct ordered_prefix *ordered = &order->prefixes[i];
            if (holds_peer(&ordered->prefix, peer) &&
                (!longest || ordered->prefix.bits > longest->prefix.bits))
                longest = ordered;
        }
        peer->params = *own;
        if (!longest)
            continue;
        const struct gap gap = {.ns = longest->gap_ns ? longest->gap_ns : own->gap_ns,
                                .adapt = own->gap_adapt};
        peer->params = peer_params(peer, longest->scheme, own->rtt_ns, gap);
    }
}
