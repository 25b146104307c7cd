#include "followed.h"

#include <stddef.h>

void followed_init(struct followed *followed) {
    *followed = (struct followed){0};
    pthread_mutex_init(&followed->lock, NULL);
}

void followed_free(struct followed *followed) {
    pthread_mutex_destroy(&followed->lock);
}

static bool accepts(const struct followed *followed, uint64_t generation) {
    return generation >= followed->generation || (generation == 0 && !followed->leader);
}

bool followed_accepts(struct followed *followed, uint64_t generation) {
    pthread_mutex_lock(&followed->lock);
    const bool accepted = accepts(followed, generation);
    pthread_mutex_unlock(&followed->lock);
    return accepted;
}

bool followed_begin(struct followed *followed, const void *client, uint64_t generation) {
    pthread_mutex_lock(&followed->lock);
    const bool accepted = accepts(followed, generation);
    if (accepted) {
        if (generation > followed->generation)
            followed->generation = generation;
        followed->leader = client;
    }
    pthread_mutex_unlock(&followed->lock);
    return accepted;
}

void followed_end(struct followed *followed, const void *client) {
    pthread_mutex_lock(&followed->lock);
    if (followed->leader == client)
        followed->leader = NULL;
    pthread_mutex_unlock(&followed->lock);
}

bool followed_is(struct followed *followed, const void *client) {
    pthread_mutex_lock(&followed->lock);
    const bool is = followed->leader == client;
    pthread_mutex_unlock(&followed->lock);
    return is;
}

uint64_t followed_generation(struct followed *followed, bool *any) {
    pthread_mutex_lock(&followed->lock);
    const uint64_t generation = followed->generation;
    *any = followed->leader != NULL;
    pthread_mutex_unlock(&followed->lock);
    return generation;
}
