/*
 * A filter for START and STOP datagrams (docs/reference/sdd-protocol.md): accepts authentic
 * datagrams of this session that are not replays.
 *
 * The replay window is IPsec's (RFC 4303, section 3.4.3): a bit for each of the 64 sequence numbers
 * up to the highest accepted one. O(1).
 */
#ifndef SDD_CONTROL_DATAGRAM_H
#define SDD_CONTROL_DATAGRAM_H

#include <openssl/evp.h>

#include "wire.h"

struct datagram_filter {
    EVP_MAC_CTX *mac;
    uint8_t key[WIRE_KEY_BYTES];
    uint64_t session_id;
    uint64_t highest;  /* highest accepted sequence number; 0: none yet */
    uint64_t window;   /* bit i: highest - i was accepted */
    uint64_t accepted; /* datagrams */
    uint64_t refused;
};

/* Returns false if there is no memory or OpenSSL lacks HMAC-SHA-256. */
bool datagram_open(struct datagram_filter *filter);
void datagram_close(struct datagram_filter *filter);

/* Begins a new session. */
void datagram_begin(struct datagram_filter *filter, uint64_t session_id,
                    const uint8_t key[WIRE_KEY_BYTES]);

/*
 * Checks a datagram (any bytes). Returns true with its message if it is authentic and not a replay;
 * otherwise counts it as refused and returns false.
 */
bool datagram_accept(struct datagram_filter *filter, const uint8_t *bytes, size_t size,
                     struct wire_message *message);

/* Returns the number of skipped sequence numbers: datagrams that are lost or in flight. */
uint64_t datagram_lost(const struct datagram_filter *filter);

#endif
