/* A TLS server for tests. It accepts one session at a time and ends it as planned by the test. */
#ifndef SDD_CONTROL_TLS_PEER_H
#define SDD_CONTROL_TLS_PEER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/ssl.h>

enum peer_ending {
    PEER_CLOSE_NOTIFY, /* close_notify, then FIN */
    PEER_FIN,          /* like a killed process that had read all data */
    PEER_RESET,        /* like a killed process with unread data */
    PEER_SILENT        /* does nothing until the client closes */
};

struct peer_plan {
    enum peer_ending ending;
    bool before_handshake;
    size_t bytes;            /* bytes that the server reads before it ends the session */
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
    char certificate[96]; /* PEM; of the server, the client and the authority at once */
    char key[96];
};

#define TLS_PEER_NAME "peer.test"

void tls_peer_open(struct tls_peer *peer);
void tls_peer_close(struct tls_peer *peer);

/* Accepts one connection in a separate thread. */
void tls_peer_start(struct tls_peer *peer, struct peer_plan plan);
void tls_peer_join(struct tls_peer *peer);

#endif
