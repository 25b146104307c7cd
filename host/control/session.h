/*
 * A session with the controller: TLS 1.3 with certificates on both sides, and frames in it. For one
 * thread, which may block. A descriptor that becomes readable (`stop`) ends every wait.
 */
#ifndef SDD_CONTROL_SESSION_H
#define SDD_CONTROL_SESSION_H

#include <openssl/ssl.h>

#include "wire.h"

struct session_config {
    const char *address; /* IPv4 or IPv6, numeric */
    uint16_t port;
    const char *server_name; /* what the controller's certificate must name */
    const char *certificate; /* files in PEM */
    const char *key;
    const char *authority;
    int stop;
};

struct session {
    SSL_CTX *context;
    SSL *tls;
    int connection;
    int stop;
    uint8_t *frame; /* the one being read: its length, then its bytes */
    size_t filled;
    char error[512]; /* why the last call failed */
};

enum session_read { SESSION_FRAME, SESSION_NOTHING, SESSION_ENDED };

/* Whether the files can be loaded. False: the error says which not, and why. */
bool session_check(const struct session_config *config, char *error, size_t error_size);

/* False: session->error. Certificates are read again each time, so that they can be renewed. */
bool session_open(struct session *session, const struct session_config *config);
void session_close(struct session *session);

/*
 * The next frame, good until the next call; SESSION_NOTHING after timeout_ns without one, or when
 * `stop` is readable. SESSION_ENDED: session->error.
 */
enum session_read session_read(struct session *session, int64_t timeout_ns, const uint8_t **frame,
                               size_t *size);

/* Like session_read, but a time-out is an error: false, with session->error. */
bool session_await(struct session *session, int64_t timeout_ns, const uint8_t **frame,
                   size_t *size);

/* No message came for so long: false, with session->error. */
bool session_silent(struct session *session, int64_t for_ns);

/* Writes a frame. False: session->error. */
bool session_write(struct session *session, const uint8_t *bytes, size_t size);

#endif
