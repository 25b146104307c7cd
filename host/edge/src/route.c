#include "route.h"

#include "addresses.h"

/* Whether the hop has answered. */
static bool is_known(const struct edge_address *hop) {
    return hop->family != 0;
}

unsigned route_unknown(const struct edge_route *route) {
    unsigned unknown = 0;
    for (uint32_t i = 0; i < route->length; i++)
        unknown += !is_known(&route->hops[i]);
    return unknown;
}

bool route_is_dark(const struct edge_route *route) {
    return route->length > 1 && route_unknown(route) == route->length - 1;
}

static bool may_be(const struct edge_address *a, const struct edge_address *b) {
    return !is_known(a) || !is_known(b) || address_same(a, b);
}

bool route_agrees(const struct edge_route *a, const struct edge_route *b) {
    if (a->length != b->length)
        return false;
    for (uint32_t i = 0; i < a->length; i++)
        if (!may_be(&a->hops[i], &b->hops[i]))
            return false;
    return true;
}

bool route_equals(const struct edge_route *a, const struct edge_route *b) {
    return route_unknown(a) == 0 && route_unknown(b) == 0 && route_agrees(a, b);
}

void route_complete(struct edge_route *route, const struct edge_route *before) {
    for (uint32_t i = 0; i < route->length; i++)
        if (!is_known(&route->hops[i]))
            route->hops[i] = before->hops[i];
}

/* A link, identified by its hops; all routes begin at this host. */
struct link {
    struct edge_address from, to; /* from with family 0: this host, or an unknown hop */
    bool known;
};

static struct link link_to(const struct edge_route *route, uint32_t hop) {
    struct link link = {.to = route->hops[hop]};
    if (hop)
        link.from = route->hops[hop - 1];
    link.known = is_known(&link.to) && (hop == 0 || is_known(&link.from));
    return link;
}

static bool shares(const struct edge_route *route, uint32_t hop, const struct edge_route *other) {
    const struct link link = link_to(route, hop);
    for (uint32_t i = 0; i < other->length; i++) {
        const struct link found = link_to(other, i);
        if (link.known && found.known
                ? address_same(&link.from, &found.from) && address_same(&link.to, &found.to)
                : i == hop && may_be(&link.from, &found.from) && may_be(&link.to, &found.to))
            return true;
    }
    return false;
}

unsigned route_shared(const struct edge_route *route, const struct edge_route *other) {
    unsigned shared = 0;
    for (uint32_t i = 0; i < route->length; i++)
        shared += shares(route, i, other);
    return shared;
}

uint32_t route_key(const struct edge_route *route, uint16_t source_port) {
    uint32_t key = edge_mix(route->length, route_unknown(route) ? source_port : 0);
    for (uint32_t i = 0; i < route->length; i++)
        for (uint32_t word = 0; word < 4; word++)
            key = edge_mix(key, route->hops[i].words[word]);
    return key;
}
