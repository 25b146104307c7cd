#include "ready.h"

#include <stdlib.h>

enum { WORD_BITS = 64, WORD_SHIFT = 6 };

bool sdd_ready_init(struct sdd_ready *ready, uint32_t members) {
    uint32_t bits = members, words = 0;
    for (unsigned level = 0; level < SDD_READY_DEPTH; level++) {
        ready->level_start[level] = words;
        bits = (bits + WORD_BITS - 1) / WORD_BITS;
        words += bits;
    }
    ready->priorities = 0;
    ready->words_per_priority = words;
    ready->words = calloc((size_t)words * SDD_READY_PRIORITIES, sizeof *ready->words);
    return ready->words != NULL;
}

void sdd_ready_free(struct sdd_ready *ready) {
    free(ready->words);
}

static uint64_t *level_words(const struct sdd_ready *ready, unsigned priority, unsigned level) {
    return ready->words + (size_t)priority * ready->words_per_priority + ready->level_start[level];
}

void sdd_ready_add(struct sdd_ready *ready, unsigned priority, uint32_t member) {
    for (unsigned level = 0; level < SDD_READY_DEPTH; level++) {
        level_words(ready, priority, level)[member >> WORD_SHIFT] |= UINT64_C(1)
                                                                     << (member % WORD_BITS);
        member >>= WORD_SHIFT;
    }
    ready->priorities |= UINT64_C(1) << priority;
}

void sdd_ready_remove(struct sdd_ready *ready, unsigned priority, uint32_t member) {
    for (unsigned level = 0; level < SDD_READY_DEPTH; level++) {
        uint64_t *word = &level_words(ready, priority, level)[member >> WORD_SHIFT];
        *word &= ~(UINT64_C(1) << (member % WORD_BITS));
        if (*word != 0)
            return;
        member >>= WORD_SHIFT;
    }
    ready->priorities &= ~(UINT64_C(1) << priority);
}

/* Goes up a level while the word has no bit at or after `from`, then down along the first bits. */
uint32_t sdd_ready_next(const struct sdd_ready *ready, unsigned priority, uint32_t from) {
    for (unsigned level = 0; level < SDD_READY_DEPTH; level++) {
        uint32_t end =
            level + 1 < SDD_READY_DEPTH ? ready->level_start[level + 1] : ready->words_per_priority;
        uint32_t index = from >> WORD_SHIFT;
        if (index >= end - ready->level_start[level])
            return SDD_READY_NONE;
        uint64_t word = level_words(ready, priority, level)[index] >> (from % WORD_BITS);
        if (word == 0) {
            from = index + 1;
            continue;
        }
        from += (uint32_t)__builtin_ctzll(word);
        while (level-- > 0) {
            word = level_words(ready, priority, level)[from];
            from = from << WORD_SHIFT | (uint32_t)__builtin_ctzll(word);
        }
        return from;
    }
    return SDD_READY_NONE;
}
