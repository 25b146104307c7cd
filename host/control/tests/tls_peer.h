/*
 * A TLS server for tests: it accepts one session at a time and ends it the way the test says, at
 * the moment the test says.
 */
#ifndef SDD_CONTROL_TLS_PEER_H
#define SDD_CONTROL_TLS_PEER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/ssl.h>

enum peer_ending {
    PEER_CLOSE_NOTIFY, /* as TLS wants it, then FIN */
    PEER_FIN,          /* what a process that is killed leaves, if it had read everything */
    PEER_RESET,        /* and what it leaves if it had not */
    PEER_SILENT        /* does nothing until the client closes */
};

struct peer_plan {
    enum peer_ending ending;
    bool before_handshake;
    size_t bytes;            /* of the session's, read before it ends */
    const uint8_t *greeting; /* sent after the handshake; null: nothing */
    size_t greeting_bytes;
};

struct tls_peer {
    SSL_CTX *context;
    int listening;
    uint16_t port;
    pthread_t thread;
    struct peer_plan plan;
    char folder[64];
    char certificate[96]; /* PEM; the server's, the client's and the authority at once */
    char key[96];
};

#define TLS_PEER_NAME "peer.test"

void tls_peer_open(struct tls_peer *peer);
void tls_peer_close(struct tls_peer *peer);

/* Accepts one connection in a thread of its own. */
void tls_peer_start(struct tls_peer *peer, struct peer_plan plan);
void tls_peer_join(struct tls_peer *peer);

#endif
