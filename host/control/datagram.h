/*
 * The filter of START and STOP datagrams (docs/reference/sdd-protocol.md): accepts those that are
 * authentic, of this session, and not replayed.
 *
 * The replay window is IPsec's (RFC 4303, section 3.4.3): a bit for each of the 64 sequences up to
 * the highest that was accepted. O(1).
 */
#ifndef SDD_CONTROL_DATAGRAM_H
#define SDD_CONTROL_DATAGRAM_H

#include <openssl/evp.h>

#include "wire.h"

struct datagram_filter {
    EVP_MAC_CTX *mac;
    uint8_t key[WIRE_KEY_BYTES];
    uint64_t session_id;
    uint64_t highest;  /* sequence accepted; 0: none yet */
    uint64_t window;   /* bit i: highest - i was accepted */
    uint64_t accepted; /* datagrams */
    uint64_t refused;
};

/* False: no memory, or OpenSSL has no HMAC-SHA-256. */
bool datagram_open(struct datagram_filter *filter);
void datagram_close(struct datagram_filter *filter);

/* A new session. */
void datagram_begin(struct datagram_filter *filter, uint64_t session_id,
                    const uint8_t key[WIRE_KEY_BYTES]);

/*
 * Accepts a datagram (any bytes): true, with its message, if it is authentic and not a replay.
 * False counts as refused.
 */
bool datagram_accept(struct datagram_filter *filter, const uint8_t *bytes, size_t size,
                     struct wire_message *message);

/* Sequence numbers skipped so far: lost, or still in flight. */
uint64_t datagram_lost(const struct datagram_filter *filter);

#endif
