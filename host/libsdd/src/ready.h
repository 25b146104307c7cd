/*
 * The set of queues that may transmit, by priority.
 *
 * Each priority has a bitmap of three levels: a bit of a higher level is set if the word below is
 * not zero (as in Eiffel, NSDI 2019). Finding the next member after a given one reads at most five
 * words, for any number of queues.
 */
#ifndef SDD_READY_H
#define SDD_READY_H

#include <stdbool.h>
#include <stdint.h>

enum { SDD_READY_PRIORITIES = 64, SDD_READY_DEPTH = 3 };

#define SDD_READY_NONE UINT32_MAX

struct sdd_ready {
    uint64_t priorities; /* bit per priority that has a member */
    uint64_t *words;     /* all bitmaps, grouped by priority */
    uint32_t words_per_priority;
    uint32_t level_start[SDD_READY_DEPTH]; /* level 0 has a bit per queue */
};

/* Initialises an empty set for members 0 to members - 1; members: at most 64^3. Returns false if
 * there is no memory. */
bool sdd_ready_init(struct sdd_ready *ready, uint32_t members);
void sdd_ready_free(struct sdd_ready *ready);

void sdd_ready_add(struct sdd_ready *ready, unsigned priority, uint32_t member);
void sdd_ready_remove(struct sdd_ready *ready, unsigned priority, uint32_t member);

/* Returns the smallest member at or after `from`, or SDD_READY_NONE. */
uint32_t sdd_ready_next(const struct sdd_ready *ready, unsigned priority, uint32_t from);

#endif
