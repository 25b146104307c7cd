#include "way.h"

#include "addresses.h"

/* Whether the hop has answered. */
static bool is_known(const struct edge_address *hop) {
    return hop->family != 0;
}

unsigned way_unknown(const struct edge_way *way) {
    unsigned unknown = 0;
    for (uint32_t i = 0; i < way->length; i++)
        unknown += !is_known(&way->hops[i]);
    return unknown;
}

bool way_is_dark(const struct edge_way *way) {
    return way->length > 1 && way_unknown(way) == way->length - 1;
}

static bool may_be(const struct edge_address *a, const struct edge_address *b) {
    return !is_known(a) || !is_known(b) || address_same(a, b);
}

bool way_agrees(const struct edge_way *a, const struct edge_way *b) {
    if (a->length != b->length)
        return false;
    for (uint32_t i = 0; i < a->length; i++)
        if (!may_be(&a->hops[i], &b->hops[i]))
            return false;
    return true;
}

bool way_equals(const struct edge_way *a, const struct edge_way *b) {
    return way_unknown(a) == 0 && way_unknown(b) == 0 && way_agrees(a, b);
}

void way_complete(struct edge_way *way, const struct edge_way *before) {
    for (uint32_t i = 0; i < way->length; i++)
        if (!is_known(&way->hops[i]))
            way->hops[i] = before->hops[i];
}

/* A link, identified by its hops; all ways begin at this host. */
struct link {
    struct edge_address from, to; /* from with family 0: this host, or an unknown hop */
    bool known;
};

static struct link link_to(const struct edge_way *way, uint32_t hop) {
    struct link link = {.to = way->hops[hop]};
    if (hop)
        link.from = way->hops[hop - 1];
    link.known = is_known(&link.to) && (hop == 0 || is_known(&link.from));
    return link;
}

static bool shares(const struct edge_way *way, uint32_t hop, const struct edge_way *other) {
    const struct link link = link_to(way, hop);
    for (uint32_t i = 0; i < other->length; i++) {
        const struct link found = link_to(other, i);
        if (link.known && found.known
                ? address_same(&link.from, &found.from) && address_same(&link.to, &found.to)
                : i == hop && may_be(&link.from, &found.from) && may_be(&link.to, &found.to))
            return true;
    }
    return false;
}

unsigned way_shared(const struct edge_way *way, const struct edge_way *other) {
    unsigned shared = 0;
    for (uint32_t i = 0; i < way->length; i++)
        shared += shares(way, i, other);
    return shared;
}

uint32_t way_key(const struct edge_way *way, uint16_t source_port) {
    uint32_t key = edge_mix(way->length, way_unknown(way) ? source_port : 0);
    for (uint32_t i = 0; i < way->length; i++)
        for (uint32_t word = 0; word < 4; word++)
            key = edge_mix(key, way->hops[i].words[word]);
    return key;
}
