#include "choice.h"

/* A candidate's rank before it is chosen. */
struct standing {
    bool eligible;
    unsigned shared;  /* links shared with chosen candidates */
    unsigned unknown; /* unknown hops */
};

static bool is_better(const struct candidate *candidates, const struct standing *standings,
                      unsigned a, unsigned b) {
    if (standings[a].shared != standings[b].shared)
        return standings[a].shared < standings[b].shared;
    if (standings[a].unknown != standings[b].unknown)
        return standings[a].unknown < standings[b].unknown;
    if (candidates[a].in_use != candidates[b].in_use)
        return candidates[a].in_use;
    return a < b;
}

/* Returns the best candidate; `count` if there is none. */
static unsigned best(const struct candidate *candidates, const struct standing *standings,
                     unsigned count) {
    unsigned found = count;
    for (unsigned i = 0; i < count; i++)
        if (standings[i].eligible && (found == count || is_better(candidates, standings, i, found)))
            found = i;
    return found;
}

unsigned choose_ways(const struct candidate *candidates, unsigned count, unsigned wanted,
                     unsigned chosen[EDGE_MAX_PATHS]) {
    struct standing standings[EDGE_MAX_PATHS];
    unsigned used = 0;
    bool dark = true;
    for (unsigned i = 0; i < count; i++) {
        standings[i] = (struct standing){.eligible = candidates[i].arrives,
                                         .unknown = route_unknown(&candidates[i].route)};
        dark &= !candidates[i].arrives || route_is_dark(&candidates[i].route);
    }
    while (used < (dark ? count : wanted)) {
        const unsigned next = best(candidates, standings, count);
        if (next == count)
            break;
        const struct edge_route *route = &candidates[next].route;
        chosen[used++] = next;
        standings[next].eligible = false;
        for (unsigned i = 0; i < count; i++) {
            standings[i].shared += route_shared(&candidates[i].route, route);
            if (route_equals(&candidates[i].route, route))
                standings[i].eligible = false;
        }
    }
    return used;
}
