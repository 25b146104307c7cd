#include "matchings.h"

enum { CAPACITY = MAX_WAITING + MAX_PAST + 1 };

static struct matching *at(const struct matchings *matchings, uint64_t index) {
    return (struct matching *)&matchings->ring[index % CAPACITY];
}

enum matchings_status matchings_add(struct matchings *matchings, const struct matching *matching,
                                    int64_t now_ns) {
    struct matching added = *matching;
    uint64_t end = matchings->end;
    if (added.at_ns < now_ns) {
        added.at_ns = now_ns;
        added.night_end_ns += now_ns - matching->at_ns;
    }
    while (end > matchings->first && at(matchings, end - 1)->at_ns >= added.at_ns)
        end--;
    uint64_t waiting = 0;
    while (waiting < end - matchings->first && at(matchings, end - 1 - waiting)->at_ns > now_ns)
        waiting++;
    if (waiting == MAX_WAITING)
        return MATCHINGS_FULL;
    if (added.at_ns > matching->at_ns) {
        const uint64_t late_ns = (uint64_t)(added.at_ns - matching->at_ns);
        matchings->late++;
        matchings->latest_ns = late_ns > matchings->latest_ns ? late_ns : matchings->latest_ns;
    }
    matchings->end = end;
    if (matchings->end - matchings->first == CAPACITY) {
        matchings->first++; /* removes a past one, since fewer are pending than the ring holds */
        matchings->carried_out++;
    }
    *at(matchings, matchings->end++) = added;
    return MATCHINGS_OK;
}

/* The current configuration is near the end of the past ones: O(1 + pending ones). */
enum forwarding matchings_forward(const struct matchings *matchings, uint16_t input,
                                  int64_t time_ns, uint16_t *output) {
    for (uint64_t i = matchings->end; i > matchings->first; i--) {
        const struct matching *matching = at(matchings, i - 1);
        if (matching->at_ns > time_ns)
            continue;
        if (time_ns < matching->night_end_ns)
            return IN_NIGHT;
        *output = matching->output_of[input];
        return *output == NO_CIRCUIT ? OUT_OF_SLOT : TO_CIRCUIT;
    }
    return IN_NIGHT; /* dark until the first configuration */
}

uint64_t matchings_begun(const struct matchings *matchings, int64_t now_ns) {
    uint64_t begun = matchings->carried_out;
    for (uint64_t i = matchings->first; i < matchings->end; i++)
        begun += at(matchings, i)->at_ns <= now_ns;
    return begun;
}

void matchings_restart_counts(struct matchings *matchings, int64_t now_ns) {
    matchings->carried_out -= matchings_begun(matchings, now_ns); /* modulo 2^64 */
    matchings->late = matchings->latest_ns = 0;
}
