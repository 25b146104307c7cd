#include "way.h"

unsigned way_unknown(const struct edge_way *way) {
    unsigned unknown = 0;
    for (uint32_t i = 0; i < way->length; i++)
        unknown += way->hops[i] == 0;
    return unknown;
}

bool way_is_dark(const struct edge_way *way) {
    return way->length > 1 && way_unknown(way) == way->length - 1;
}

static bool may_be(uint32_t a, uint32_t b) {
    return a == b || a == 0 || b == 0;
}

bool way_agrees(const struct edge_way *a, const struct edge_way *b) {
    if (a->length != b->length)
        return false;
    for (uint32_t i = 0; i < a->length; i++)
        if (!may_be(a->hops[i], b->hops[i]))
            return false;
    return true;
}

bool way_equals(const struct edge_way *a, const struct edge_way *b) {
    return way_unknown(a) == 0 && way_unknown(b) == 0 && way_agrees(a, b);
}

void way_complete(struct edge_way *way, const struct edge_way *before) {
    for (uint32_t i = 0; i < way->length; i++)
        if (way->hops[i] == 0)
            way->hops[i] = before->hops[i];
}

/* A link by the hop at its end; all ways begin here. */
struct link {
    uint32_t from, to;
    bool known;
};

static struct link link_to(const struct edge_way *way, uint32_t hop) {
    const uint32_t from = hop ? way->hops[hop - 1] : 0, to = way->hops[hop];
    return (struct link){.from = from, .to = to, .known = to && (from || hop == 0)};
}

static bool shares(const struct edge_way *way, uint32_t hop, const struct edge_way *other) {
    const struct link link = link_to(way, hop);
    for (uint32_t i = 0; i < other->length; i++) {
        const struct link found = link_to(other, i);
        if (link.known && found.known
                ? link.from == found.from && link.to == found.to
                : i == hop && may_be(link.from, found.from) && may_be(link.to, found.to))
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
        key = edge_mix(key, way->hops[i]);
    return key;
}
