#include "base/key_index.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static_assert(sizeof(struct base_flow_key) == 40, "a key is five words without padding");

__extension__ typedef unsigned __int128 wide;

/* One multiplication to 128 bits folded to 64, as in wyhash: every input bit reaches every output.
 */
static uint64_t mix(uint64_t a, uint64_t b) {
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* The odd constants are the first digits of pi and of the golden ratio. */
static uint32_t bucket_of(const struct base_key_index *index, const struct base_flow_key *key) {
    const uint64_t pi = UINT64_C(0x243f6a8885a308d3), golden = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t word[5];
    memcpy(word, key, sizeof word);
    uint64_t hash = mix(word[0] ^ index->seed ^ pi, word[1] ^ golden);
    hash = mix(word[2] ^ hash, word[3] ^ index->seed ^ golden);
    hash = mix(word[4] ^ hash, golden ^ pi ^ index->seed);
    return (uint32_t)hash & index->mask;
}

bool base_key_index_init(struct base_key_index *index, const void *records, size_t record_bytes,
                         uint32_t capacity, uint64_t seed) {
    uint32_t buckets = 1;
    while (buckets < capacity && buckets < UINT32_C(1) << 31)
        buckets <<= 1;
    *index = (struct base_key_index){
        .records = records, .record_bytes = record_bytes, .seed = seed, .mask = buckets - 1};
    index->heads = malloc(buckets * sizeof *index->heads);
    index->next = malloc((capacity ? capacity : 1) * sizeof *index->next);
    if (!index->heads || !index->next)
        return false;
    memset(index->heads, 0xff, buckets * sizeof *index->heads);
    return true;
}

void base_key_index_free(struct base_key_index *index) {
    free(index->heads);
    free(index->next);
}

static const struct base_flow_key *key_of(const struct base_key_index *index, uint32_t record) {
    return (const void *)(index->records + record * index->record_bytes);
}

uint32_t base_key_index_find(const struct base_key_index *index, const struct base_flow_key *key) {
    uint32_t record = index->heads[bucket_of(index, key)];
    while (record != BASE_NO_RECORD && memcmp(key_of(index, record), key, sizeof *key) != 0)
        record = index->next[record];
    return record;
}

void base_key_index_add(struct base_key_index *index, uint32_t record) {
    uint32_t *head = &index->heads[bucket_of(index, key_of(index, record))];
    index->next[record] = *head;
    *head = record;
}

void base_key_index_remove(struct base_key_index *index, uint32_t record) {
    uint32_t *link = &index->heads[bucket_of(index, key_of(index, record))];
    while (*link != record)
        link = &index->next[*link];
    *link = index->next[record];
}
