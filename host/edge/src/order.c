#include "order.h"

#include <stdio.h>
#include <string.h>

static bool holds(const struct prefix_config *outer, const struct prefix_config *inner) {
    return outer->bits <= inner->bits && prefix_covers(outer, &inner->address);
}

/* Whether a longer prefix of a peer covers the ordered prefix. */
static bool is_covered_by_longer(const struct config *config, const struct prefix_config *ordered,
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
        else if (holds(behind, ordered) && !is_covered_by_longer(config, ordered, behind))
            return true;
    }
    return held > 0 && held < all;
}

/* In a valid order a prefix covers all of a peer's prefixes of its family or none. */
static bool holds_peer(const struct prefix_config *ordered, const struct peer_config *peer) {
    for (unsigned p = 0; p < peer->prefixes_count; p++)
        if (holds(ordered, &peer->prefixes[p]))
            return true;
    return false;
}

static bool is_for_all(const struct prefix_config *prefix) {
    return prefix->address.family == 4 && prefix->bits == 0;
}

/* Returns the longest prefix of a family that covers the peer, except the default; null: none. */
static const struct ordered_prefix *longest_of(const struct order *order, uint32_t family,
                                               const struct peer_config *peer) {
    const struct ordered_prefix *longest = NULL;
    for (unsigned i = 0; i < order->count; i++) {
        const struct ordered_prefix *ordered = &order->prefixes[i];
        if (ordered->prefix.address.family == family && !is_for_all(&ordered->prefix) &&
            holds_peer(&ordered->prefix, peer) &&
            (!longest || ordered->prefix.bits > longest->prefix.bits))
            longest = ordered;
    }
    return longest;
}

/* Whether the orders for the peer's two families are equal. */
static bool agree(const struct order *order, const struct peer_config *peer, char *error,
                  size_t error_size) {
    const struct ordered_prefix *ipv4 = longest_of(order, 4, peer);
    const struct ordered_prefix *ipv6 = longest_of(order, 6, peer);
    char text[ADDRESS_TEXT_BYTES];
    if (!ipv4 || !ipv6 || memcmp(&ipv4->what, &ipv6->what, sizeof ipv4->what) == 0)
        return true;
    snprintf(error, error_size,
             "prefixes[%td].address: the order for peer %s differs from prefixes[%td]",
             ipv6 - order->prefixes, address_write(&peer->address, text), ipv4 - order->prefixes);
    return false;
}

bool order_fits(const struct order *order, const struct config *config, char *error,
                size_t error_size) {
    for (unsigned i = 0; i < order->count; i++)
        for (unsigned p = 0; p < config->peers_count; p++) {
            const struct peer_config *peer = &config->peers[p];
            char text[ADDRESS_TEXT_BYTES];
            if (!divides(&order->prefixes[i].prefix, config, peer))
                continue;
            snprintf(error, error_size, "prefixes[%u].address: divides the prefixes of peer %s", i,
                     address_write(&peer->address, text));
            return false;
        }
    for (unsigned p = 0; p < config->peers_count; p++)
        if (!agree(order, &config->peers[p], error, error_size))
            return false;
    return true;
}

static const struct ordered_prefix *ordered_of(const struct order *order,
                                               const struct peer_config *peer) {
    const struct ordered_prefix *found = longest_of(order, 4, peer);
    if (!found)
        found = longest_of(order, 6, peer);
    for (unsigned i = 0; !found && i < order->count; i++)
        if (is_for_all(&order->prefixes[i].prefix))
            found = &order->prefixes[i];
    return found;
}

static void take(uint32_t *parameter, uint32_t ordered) {
    if (ordered != NOT_ORDERED)
        *parameter = ordered;
}

void order_apply(const struct order *order, struct config *config) {
    for (unsigned p = 0; p < config->peers_count; p++) {
        struct peer_config *peer = &config->peers[p];
        const struct ordered_prefix *found = ordered_of(order, peer);
        struct tuning tuning = config->tuning;
        if (found) {
            const struct ordered *what = &found->what;
            take(&tuning.gap_ns, what->gap_ns);
            take(&tuning.gap_percent, what->gap_percent);
            take(&tuning.rtt_ns, what->rtt_ns);
            take(&tuning.relay_ns, what->relay_ns);
            take(&tuning.metric_age_ns, what->metric_age_ns);
            take(&tuning.intflow.delay_ns, what->delay_ns);
            take(&tuning.intflow.window_ns, what->window_ns);
            take(&tuning.intflow.timeout_ns, what->timeout_ns);
            take(&tuning.intflow.settle_ns, what->settle_ns);
            take(&tuning.intflow.size_bytes, what->size_bytes);
        }
        peer->params = peer_params(peer, found ? found->what.scheme : peer->own_scheme, &tuning);
    }
}
