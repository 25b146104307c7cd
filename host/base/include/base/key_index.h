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
    uint32_t *heads; /* for each bucket, the first record's number */
    uint32_t *next;  /* for each record, the next one in its bucket */
};

/* seed: must be secret if untrusted parties choose the keys. Returns false if there is no
 * memory. */
bool base_key_index_init(struct base_key_index *index, const void *records, size_t record_bytes,
                         uint32_t capacity, uint64_t seed);
void base_key_index_free(struct base_key_index *index);

/* Returns the record's number, or BASE_NO_RECORD if no record has the key. */
uint32_t base_key_index_find(const struct base_key_index *index, const struct base_flow_key *key);

/* Adds the record, whose key must not be in the index, or removes it, which must be in the
 * index. */
void base_key_index_add(struct base_key_index *index, uint32_t record);
void base_key_index_remove(struct base_key_index *index, uint32_t record);

#endif
