/* The keys that a host shares with a peer, as the programs use them. */
#ifndef EDGE_KEY_H
#define EDGE_KEY_H

#include <stdint.h>

#define EDGE_ACCEPTED_KEYS 2u /* while one replaces the other */

/* Of SipHash. */
struct edge_key {
    uint64_t words[2];
};

struct edge_keys {
    struct edge_key out; /* of packets to the peer */
    struct edge_key in[EDGE_ACCEPTED_KEYS];
    uint32_t count;    /* how many of `in` there are */
    uint32_t required; /* 1: reports without a right code have no effect; also while count is 0 */
    uint32_t newest;   /* time of the newest packet that was accepted */
    uint32_t unused;
    uint64_t newest_ns; /* when it came, CLOCK_MONOTONIC; 0: none has */
};

#endif
