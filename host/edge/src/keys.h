/*
 * The secrets of an overlay, from which a host derives the keys that it shares with each peer. The
 * controller derives the same, so that it can hand out the keys instead of the secrets.
 */
#ifndef EDGE_KEYS_H
#define EDGE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "address.h"
#include "config.h"

enum { SECRET_BYTES = 32 };

struct secrets {
    unsigned count; /* 1, or 2 while one replaces the other; the first is used to send */
    uint8_t bytes[EDGE_ACCEPTED_KEYS][SECRET_BYTES];
};

/*
 * Reads a file with a line of 64 hexadecimal digits for each secret. It must be a file that only
 * its owner can read or write. False: the error names what is wrong, and nothing of the content.
 */
bool secrets_read(const char *path, struct secrets *secrets, char *error, size_t error_size);

/*
 * The keys of a host for a peer: for each direction and secret the first 16 bytes of HMAC-SHA-256,
 * under the secret, of "evenweave edge " and the addresses of the sender and of the receiver, as 16
 * bytes each (IPv4 mapped, RFC 4291), as two little-endian words. False: OpenSSL failed.
 */
bool secrets_derive(const struct secrets *secrets, const struct edge_address *own,
                    const struct edge_address *peer, struct edge_keys *keys);

/*
 * Gives all peers of a configuration their keys by its key file, if it names one. False: the error
 * begins with the field.
 */
bool keys_load(struct config *config, char *error, size_t error_size);

/* Gives the peers of a configuration whose keys come from the controller those they have now. */
void keys_carry_over(const struct config *now, struct config *config);

#endif
