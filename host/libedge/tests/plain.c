#include "plain.h"

#include <string.h>

static const int64_t flowlet_gap_ns = 250000; /* ALB III.B, IntFlow IV */
static const int64_t flowcell_bytes = 65536;  /* Presto 2.2 */
static const int64_t oldest_ns = 10000000;    /* CONGA 3.3 */

/* Draws a number by MurmurHash3's finaliser. */
static uint32_t draw(uint32_t from, uint32_t number) {
    uint64_t h = from ^ number;
    h = h * 2246822507u % (UINT64_C(1) << 32);
    h = h ^ h / 8192;
    h = h * 3266489909u % (UINT64_C(1) << 32);
    return (uint32_t)(h ^ h / 65536);
}

/* Returns value * part / whole, rounded down. */
static int64_t share(int64_t value, int64_t part, int64_t whole) {
    return value * part / whole;
}

void plain_begin(struct plain_sender *sender, enum plain_scheme scheme, int64_t rtt_ns) {
    memset(sender, 0, sizeof *sender);
    sender->scheme = scheme;
    sender->rtt_ns = rtt_ns;
}

void plain_set_weights(struct plain_sender *sender, const uint32_t *weights, int count) {
    int64_t sum = 0, given = 0, slot = 0;
    sender->count = count;
    sender->priors_differ = false;
    for (int i = 0; i < count; i++) {
        sum += weights[i];
        if (weights[i] != weights[0])
            sender->priors_differ = true;
    }
    /* Each path has one slot and a share of the others by weight; path 0 has the rest. */
    for (int i = 0; i < count; i++) {
        sender->paths[i].prior = 1 + share(weights[i], PLAIN_ONE - count, sum);
        given += sender->paths[i].prior;
    }
    sender->paths[0].prior += PLAIN_ONE - given;
    for (int i = 0; i < count; i++) {
        struct plain_path *path = &sender->paths[i];
        path->weight = path->prior;
        path->due = path->turns = 0;
        for (int64_t n = 0; n < path->prior; n++)
            sender->slots[slot++] = (uint8_t)i;
    }
}

/* Whether a mark or metric of the path is younger than a span. */
static bool noted_within(const struct plain_path *path, int64_t span_ns, int64_t now_ns) {
    return path->noted && now_ns - path->noted_ns < span_ns;
}

static bool is_congested(const struct plain_sender *sender, int path, int64_t now_ns) {
    return noted_within(&sender->paths[path], 2 * sender->rtt_ns, now_ns);
}

/* A path with an outdated metric counts as idle (CONGA 3.3). */
static int64_t known_metric(const struct plain_sender *sender, int path, int64_t now_ns) {
    const struct plain_path *of = &sender->paths[path];
    return noted_within(of, oldest_ns, now_ns) ? of->metric : 0;
}

/* The flowlet gap, plus, if it adapts, a share of the spread of the known delays (Clove 7). */
static int64_t gap_ns(const struct plain_sender *sender, int64_t now_ns) {
    int64_t least = INT64_MAX, most = 0;
    for (int i = 0; i < sender->count && sender->scheme == PLAIN_LEAST_DELAY; i++)
        if (noted_within(&sender->paths[i], oldest_ns, now_ns)) {
            if (sender->paths[i].metric < least)
                least = sender->paths[i].metric;
            if (sender->paths[i].metric > most)
                most = sender->paths[i].metric;
        }
    return flowlet_gap_ns + (most > least ? share(most - least, sender->gap_share, 256) : 0);
}

/* Returns the path that is furthest behind its share; the first of equal ones. */
static int next_in_turn(struct plain_sender *sender) {
    int next = 0;
    for (int i = 0; i < sender->count; i++)
        sender->paths[i].due += sender->paths[i].weight;
    for (int i = 1; i < sender->count; i++) {
        const struct plain_path *a = &sender->paths[i], *b = &sender->paths[next];
        if (a->due - a->turns * PLAIN_ONE > b->due - b->turns * PLAIN_ONE)
            next = i;
    }
    sender->paths[next].turns++;
    return next;
}

/* If priors differ, delays count as equal within the largest power of two up to RTT/16. */
static int64_t delays_alike(const struct plain_sender *sender) {
    int64_t step = 1;
    if (sender->scheme == PLAIN_LEAST_DELAY && sender->priors_differ)
        while (step * 2 * 16 <= sender->rtt_ns)
            step *= 2;
    return step;
}

/* Draws one of the paths with the least known metric, evenly or by their priors. */
static int least_metric(const struct plain_sender *sender, uint32_t random, int64_t now_ns) {
    const int64_t step = delays_alike(sender);
    int64_t least = INT64_MAX, sum = 0;
    int best[PLAIN_PATHS] = {0}, many = 0;
    for (int i = 0; i < sender->count; i++) {
        const int64_t metric = known_metric(sender, i, now_ns) / step;
        if (metric < least)
            many = 0;
        if (metric <= least) {
            least = metric;
            best[many++] = i;
        }
    }
    int found = best[0];
    if (!sender->priors_differ) {
        for (int b = 1; b < many; b++)
            if (draw(random, (uint32_t)best[b]) / 256 < draw(random, (uint32_t)found) / 256)
                found = best[b];
        return found;
    }
    for (int b = 0; b < many; b++)
        sum += sender->paths[best[b]].prior;
    int64_t left = share(random, sum, INT64_C(1) << 32);
    for (int b = 0; left >= 0; b++) {
        found = best[b];
        left -= sender->paths[found].prior;
    }
    return found;
}

/* Every 4 RTTs weights of uncongested paths move an eighth of the way back to their priors. */
static void recover(struct plain_sender *sender, int64_t now_ns) {
    int64_t held = 0, prior = 0, given = 0;
    int heaviest = -1;
    if (now_ns - sender->recovered_ns < 4 * sender->rtt_ns)
        return;
    sender->recovered_ns = now_ns;
    for (int i = 0; i < sender->count; i++)
        if (!is_congested(sender, i, now_ns)) {
            held += sender->paths[i].weight;
            prior += sender->paths[i].prior;
        }
    for (int i = 0; i < sender->count; i++) {
        struct plain_path *path = &sender->paths[i];
        if (is_congested(sender, i, now_ns))
            continue;
        const int64_t aim = share(path->prior, share(held, PLAIN_ONE, prior), PLAIN_ONE);
        if (aim > path->weight)
            path->weight += (aim - path->weight + 7) / 8;
        else
            path->weight -= (path->weight - aim + 7) / 8;
        given += path->weight;
        if (heaviest < 0 || path->weight > sender->paths[heaviest].weight)
            heaviest = i;
    }
    if (heaviest >= 0)
        sender->paths[heaviest].weight += held - given;
}

/* Clove 3.2, Figure 2. No weight falls below a 16th of its prior. */
bool plain_mark(struct plain_sender *sender, int path, int64_t now_ns) {
    struct plain_path *marked = &sender->paths[path];
    int64_t uncongested = 0, prior = 0, given = 0;
    int first = -1;
    if (sender->scheme != PLAIN_CLOVE_ECN)
        return true;
    marked->noted = true;
    marked->noted_ns = now_ns;
    for (int i = 0; i < sender->count; i++)
        if (!is_congested(sender, i, now_ns)) {
            if (first < 0)
                first = i;
            uncongested++;
            prior += sender->paths[i].prior;
        }
    if (uncongested == 0)
        return true;
    const int64_t least = marked->prior < 16 ? 1 : marked->prior / 16;
    int64_t cut = marked->weight / 3;
    if (cut > marked->weight - least)
        cut = marked->weight > least ? marked->weight - least : 0;
    for (int i = 0; i < sender->count; i++) {
        if (is_congested(sender, i, now_ns))
            continue;
        struct plain_path *other = &sender->paths[i];
        const int64_t due = sender->priors_differ
                                ? share(other->prior, share(cut, PLAIN_ONE, prior), PLAIN_ONE)
                                : cut / uncongested;
        other->weight += due;
        given += due;
    }
    marked->weight -= cut;
    sender->paths[first].weight += cut - given;
    return false;
}

void plain_note(struct plain_sender *sender, int path, int64_t metric, int64_t now_ns) {
    if (sender->scheme != PLAIN_LEAST_UTILISED && sender->scheme != PLAIN_LEAST_DELAY)
        return;
    sender->paths[path].noted = true;
    sender->paths[path].noted_ns = now_ns;
    sender->paths[path].metric = metric;
}

/* Returns the path whose slots contain the hash: replicated entries, as in a switch's table
 * (3.3.1). */
static int by_hash(const struct plain_sender *sender, uint32_t hash) {
    return sender->slots[(uint64_t)hash * PLAIN_ONE >> 32];
}

static int choose(struct plain_sender *sender, const struct plain_packet *packet,
                  uint32_t flowlets) {
    uint32_t lot;
    switch (sender->scheme) {
    case PLAIN_EDGE_FLOWLET:
        /* Hashes the six-tuple that includes the flowlet's number (Clove 5). */
        lot = draw(packet->hash, flowlets);
        return sender->priors_differ ? by_hash(sender, lot)
                                     : (int)((uint64_t)lot * (uint64_t)sender->count >> 32);
    case PLAIN_CLOVE_ECN:
        recover(sender, packet->now_ns);
        return next_in_turn(sender);
    case PLAIN_LEAST_UTILISED:
    case PLAIN_LEAST_DELAY:
        return least_metric(sender, packet->random, packet->now_ns);
    default:
        return next_in_turn(sender);
    }
}

int plain_send(struct plain_sender *sender, const struct plain_packet *packet) {
    struct plain_entry *entry = &sender->entries[packet->hash % PLAIN_ENTRIES];
    if (sender->scheme == PLAIN_STATIC_WEIGHTS)
        return by_hash(sender, packet->hash);
    const bool same = entry->used && entry->hash == packet->hash;
    const int64_t idle_ns = packet->now_ns - entry->last_ns;
    bool ends = !same;
    if (sender->scheme == PLAIN_PRESTO)
        ends = ends || entry->cell_bytes + packet->bytes > flowcell_bytes;
    else
        ends = ends || idle_ns >= gap_ns(sender, packet->now_ns);
    if (ends) {
        /* A flow that replaces another flow's entry continues that flow's count of flowlets. */
        entry->path = choose(sender, packet, entry->flowlets + 1);
        entry->flowlets = same ? entry->flowlets + 1 : 1;
        entry->cell_bytes = 0;
    }
    entry->used = true;
    entry->hash = packet->hash;
    entry->last_ns = packet->now_ns;
    entry->cell_bytes += packet->bytes;
    return entry->path;
}

int plain_letflow(struct plain_letflow *leaf, const struct plain_packet *packet) {
    struct plain_entry *entry = &leaf->entries[packet->hash % PLAIN_ENTRIES];
    const bool same = entry->used && entry->hash == packet->hash;
    if (!same || packet->now_ns - entry->last_ns >= leaf->gap_ns || leaf->down[entry->path]) {
        entry->path = -1;
        for (int i = 0; i < leaf->uplinks; i++) {
            if (leaf->down[i])
                continue;
            if (entry->path < 0 || draw(packet->random, (uint32_t)i) / 256 <
                                       draw(packet->random, (uint32_t)entry->path) / 256)
                entry->path = i;
        }
    }
    entry->used = true;
    entry->hash = packet->hash;
    entry->last_ns = packet->now_ns;
    return entry->path;
}

/* ALB II.B b: "every few RTTs" is 16 here, and "enough samples" is two windows. */
int64_t plain_delay(struct plain_delays *delays, int64_t rtt_ns, bool remeasure,
                    int64_t measured_ns, int64_t now_ns) {
    const int64_t passed_ns = now_ns - delays->window_began_ns;
    int64_t least = measured_ns;
    if (delays->count == 0 || remeasure || passed_ns >= 32 * rtt_ns) {
        delays->count = 0;
        delays->window_began_ns = now_ns;
    } else if (passed_ns >= 16 * rtt_ns) {
        delays->window++;
        delays->window_began_ns = now_ns;
    }
    delays->samples[delays->count].window = delays->window;
    delays->samples[delays->count++].ns = measured_ns;
    for (int i = 0; i < delays->count; i++)
        if (delays->samples[i].window >= delays->window - 1 && delays->samples[i].ns < least)
            least = delays->samples[i].ns;
    return measured_ns - least;
}
