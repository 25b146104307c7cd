/*
 * The followed controller among those to which a host is connected: the one with the highest
 * generation (docs/reference/sdd-protocol.md). Thread-safe; each controller has a thread.
 */
#ifndef SDD_CONTROL_FOLLOWED_H
#define SDD_CONTROL_FOLLOWED_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct followed {
    pthread_mutex_t lock;
    uint64_t generation; /* the highest followed so far; 0: none */
    const void *leader;  /* the client whose session is followed; null: none */
};

void followed_init(struct followed *followed);
void followed_free(struct followed *followed);

/* Whether a session of this generation may begin, because no controller of a later generation was
 * followed. Generation 0, from a controller without generations, is accepted if no controller is
 * followed. */
bool followed_accepts(struct followed *followed, uint64_t generation);

/* Follows a client's session instead of any other. Returns false if followed_accepts is false. */
bool followed_begin(struct followed *followed, const void *client, uint64_t generation);

/* Records that the client's session has ended. */
void followed_end(struct followed *followed, const void *client);

bool followed_is(struct followed *followed, const void *client);

/* Returns the highest generation followed so far. *any: whether a session is followed now. */
uint64_t followed_generation(struct followed *followed, bool *any);

#endif
