/*
 * Authentication of what edges report: a code under a key that the sender shares with the receiver.
 *
 * Packets to a peer with keys have 8 bytes more at the end of the edge's option:
 *
 *     +---------------------------------------------------------------+
 *     | time: of the sender, in units of 2^20 ns                      |
 *     +---------------------------------------------------------------+
 *     | code: lower 32 bits of SipHash-2-4                            |
 *     +---------------------------------------------------------------+
 *
 * The time begins with TAI when the edge is put on its device, and then goes on by
 * CLOCK_MONOTONIC: it never goes back, but may after a start of the machine with a wrong clock.
 *
 * The code is of the VNI, Geneve's flags, the scheme, the time, and the option's flags,
 * instruction, paths, t1 and metric. Not included is what switches write: the packet and flowlet
 * numbers, where leaves put their tag, and t1 of clove-int, which ports raise. Outer addresses are
 * in the key: a pair of hosts has one for each direction (src/keys.h). The inner packet is not
 * included, since the programs handle large segments, whose pieces share one header.
 *
 * The code is 32 bits long: a forged one is right once in 2^32 packets, or 2^31 while two keys are
 * accepted, and then it is one report.
 */
#ifndef EDGE_PROOF_H
#define EDGE_PROOF_H

#include "overlay.h"

#define EDGE_PROOF_TICK_SHIFT 20u
/* A packet may be so many ticks, about a second, behind the newest one; an older one is a replay.
 */
#define EDGE_PROOF_WINDOW 1000
/* After so long without a newer packet any time is accepted, as the peer's clock may have been set
 * back. */
#define EDGE_PROOF_SILENCE_NS UINT64_C(10000000000)

struct edge_proof {
    uint32_t time; /* both in network byte order */
    uint32_t code;
};

_Static_assert(sizeof(struct edge_proof) == EDGE_PROOF_BYTES, "it has no padding");

/* What the code is of. */
struct edge_proved {
    uint64_t words[3];
};

/* time: in the host's byte order. */
EDGE_INLINE void edge_proved_of(const struct edge_geneve *geneve, uint32_t time,
                                struct edge_proved *proved) {
    const uint8_t *option = geneve->option;
    const uint32_t t1 = geneve->option_type == EDGE_CLOVE_INT ? 0 : edge_get32(option + 8);
    proved->words[0] = (uint64_t)edge_geneve_vni(geneve) << 40 | (uint64_t)geneve->flags << 32 |
                       edge_get32(option);
    proved->words[1] = (uint64_t)t1 << 32 | edge_get32(option + 12);
    proved->words[2] = (uint64_t)time << 32 | geneve->option_type;
}

EDGE_INLINE uint64_t edge_rotated(uint64_t value, unsigned bits) {
    return value << bits | value >> (64 - bits);
}

EDGE_INLINE void edge_siphash_round(uint64_t v[4]) {
    v[0] += v[1];
    v[1] = edge_rotated(v[1], 13) ^ v[0];
    v[0] = edge_rotated(v[0], 32);
    v[2] += v[3];
    v[3] = edge_rotated(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = edge_rotated(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = edge_rotated(v[1], 17) ^ v[2];
    v[2] = edge_rotated(v[2], 32);
}

EDGE_INLINE void edge_siphash_word(uint64_t v[4], uint64_t word) {
    v[3] ^= word;
    edge_siphash_round(v);
    edge_siphash_round(v);
    v[0] ^= word;
}

/* SipHash-2-4 (Aumasson and Bernstein, 2012) of the words as little-endian bytes. */
EDGE_INLINE uint64_t edge_siphash(const struct edge_key *key, const struct edge_proved *proved) {
    uint64_t v[4] = {
        key->words[0] ^ UINT64_C(0x736f6d6570736575), key->words[1] ^ UINT64_C(0x646f72616e646f6d),
        key->words[0] ^ UINT64_C(0x6c7967656e657261), key->words[1] ^ UINT64_C(0x7465646279746573)};
    edge_siphash_word(v, proved->words[0]);
    edge_siphash_word(v, proved->words[1]);
    edge_siphash_word(v, proved->words[2]);
    edge_siphash_word(v, (uint64_t)sizeof *proved << 56);
    v[2] ^= 0xff;
    for (unsigned i = 0; i < 4; i++)
        edge_siphash_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* Whether a packet's time is none of a replay; now_ns: any clock of the receiver. */
EDGE_INLINE bool edge_is_fresh(const struct edge_keys *keys, uint32_t time, uint64_t now_ns) {
    return (int32_t)(time - keys->newest) >= -EDGE_PROOF_WINDOW || !keys->newest_ns ||
           now_ns - keys->newest_ns > EDGE_PROOF_SILENCE_NS;
}

/* Notes the time of a packet that was accepted. */
EDGE_INLINE void edge_note_proof(struct edge_keys *keys, uint32_t time, uint64_t now_ns) {
    const int32_t ahead = (int32_t)(time - keys->newest);
    if (ahead <= 0 && ahead >= -EDGE_PROOF_WINDOW && keys->newest_ns)
        return;
    keys->newest = time;
    keys->newest_ns = now_ns;
}

#endif
