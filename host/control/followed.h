/*
 * The controller that a client follows, of those to which it is connected: the one with the highest
 * generation (docs/reference/sdd-protocol.md). For several threads, one per controller.
 */
#ifndef SDD_CONTROL_FOLLOWED_H
#define SDD_CONTROL_FOLLOWED_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct followed {
    pthread_mutex_t lock;
    uint64_t generation; /* the highest that has been followed; 0: none has said one */
    const void *leader;  /* whose session is followed; null: nobody's */
};

void followed_init(struct followed *followed);
void followed_free(struct followed *followed);

/* Whether a session of this generation may begin: it is none of an overtaken controller's. 0 is one
   that does not know of generations, which is followed while nobody else is. */
bool followed_accepts(struct followed *followed, uint64_t generation);

/* Follows a client's session in place of any other; false as above. */
bool followed_begin(struct followed *followed, const void *client, uint64_t generation);

/* The client's session has ended. */
void followed_end(struct followed *followed, const void *client);

bool followed_is(struct followed *followed, const void *client);

/* The highest generation, and whether there is a session that is followed. */
uint64_t followed_generation(struct followed *followed, bool *any);

#endif
