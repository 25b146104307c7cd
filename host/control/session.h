/*
 * A session with the controller: frames over TLS 1.3 with certificates on both sides. For one
 * thread, which may block. The descriptor `stop` ends every wait when it becomes readable.
 */
#ifndef SDD_CONTROL_SESSION_H
#define SDD_CONTROL_SESSION_H

#include <openssl/ssl.h>

#include "wire.h"

struct session_config {
    const char *address; /* IPv4 or IPv6, numeric */
    uint16_t port;
    const char *server_name; /* the name in the controller's certificate */
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
    uint8_t *frame; /* the frame that is being read: its length, then its bytes */
    size_t filled;
    char error[512]; /* why the last call failed */
};

enum session_read { SESSION_FRAME, SESSION_NOTHING, SESSION_ENDED };

/* Whether the files can be loaded. If not, error names the file and the reason. */
bool session_check(const struct session_config *config, char *error, size_t error_size);

/* Opens a session. Reads the certificates again each time, so that they can be renewed. Returns
 * false with session->error. */
bool session_open(struct session *session, const struct session_config *config);
void session_close(struct session *session);

/*
 * Reads the next frame, which is valid until the next call. Returns SESSION_NOTHING after
 * timeout_ns without a frame or if `stop` is readable, and SESSION_ENDED with session->error.
 */
enum session_read session_read(struct session *session, int64_t timeout_ns, const uint8_t **frame,
                               size_t *size);

/* Like session_read, but a time-out is an error: returns false with session->error. */
bool session_await(struct session *session, int64_t timeout_ns, const uint8_t **frame,
                   size_t *size);

/* Sets session->error to "no message within" this time and returns false. */
bool session_silent(struct session *session, int64_t for_ns);

/* Writes a frame. Returns false with session->error. */
bool session_write(struct session *session, const uint8_t *bytes, size_t size);

#endif
