/*
 * Finds a flow key's record: a hash table with chains over an array of records that the caller
 * owns, each beginning with its struct base_flow_key. No allocation after init.
 */
#ifndef BASE_KEY_INDEX_H
#define BASE_KEY_INDEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/flow_key.h"

#define BASE_NO_RECORD UINT32_MAX

struct base_key_index {
    const char *records;
    size_t record_bytes;
    uint64_t seed;
    uint32_t mask;
    uint32_t *heads; /* per bucket the first record's number */
    uint32_t *next;  /* per record the next one of its bucket */
};

/* seed: secret where others choose the keys. False if there is no memory. */
bool base_key_index_init(struct base_key_index *index, const void *records, size_t record_bytes,
                         uint32_t capacity, uint64_t seed);
void base_key_index_free(struct base_key_index *index);

/* BASE_NO_RECORD if there is none. */
uint32_t base_key_index_find(const struct base_key_index *index, const struct base_flow_key *key);

/* Adds the record, whose key must not be in yet, or removes it, which must be in. */
void base_key_index_add(struct base_key_index *index, uint32_t record);
void base_key_index_remove(struct base_key_index *index, uint32_t record);

#endif
