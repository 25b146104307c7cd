#include "session.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <openssl/err.h>

#include "base/system_clock.h"
#include "socket_bio.h"

enum { LENGTH_BYTES = 4 };
/* The time-out of connecting, of the TLS handshake, and of writing a frame. */
#define IO_TIMEOUT_NS INT64_C(5000000000)

static bool fail(struct session *session, const char *what) {
    char reason[160] = "";
    const unsigned long code = ERR_peek_last_error();
    const long verified = session->tls ? SSL_get_verify_result(session->tls) : X509_V_OK;
    if (verified != X509_V_OK)
        snprintf(reason, sizeof reason, "%s", X509_verify_cert_error_string(verified));
    else if (code)
        ERR_error_string_n(code, reason, sizeof reason);
    else if (errno)
        snprintf(reason, sizeof reason, "%s", strerrordesc_np(errno));
    snprintf(session->error, sizeof session->error, "%s%s%s", what, reason[0] ? ": " : "", reason);
    return false;
}

/* Waits for the connection. Returns false after a time-out (ETIMEDOUT) or if `stop` is readable. */
static bool wait_for(struct session *session, short events, int64_t until_ns) {
    struct pollfd ready[] = {{.fd = session->connection, .events = events},
                             {.fd = session->stop, .events = POLLIN}};
    const int64_t left_ns = until_ns - base_system_clock_ns(CLOCK_MONOTONIC);
    errno = ETIMEDOUT;
    if (left_ns < 0)
        return false;
    const struct timespec timeout = base_timespec(left_ns);
    return ppoll(ready, 2, &timeout, NULL) > 0 && !ready[1].revents && ready[0].revents;
}

/* Waits if an OpenSSL operation that returned `result` would block. Returns true if it must be
 * retried. */
static bool wait_to_retry(struct session *session, int result, int64_t until_ns) {
    const int error = SSL_get_error(session->tls, result);
    if (error == SSL_ERROR_WANT_READ)
        return wait_for(session, POLLIN, until_ns);
    return error == SSL_ERROR_WANT_WRITE && wait_for(session, POLLOUT, until_ns);
}

static bool connect_to(struct session *session, const struct session_config *config) {
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(config->port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(config->port)};
    const bool is_v4 = inet_pton(AF_INET, config->address, &v4.sin_addr) == 1;
    if (!is_v4 && inet_pton(AF_INET6, config->address, &v6.sin6_addr) != 1)
        return fail(session, "the controller's address is not an IP address");
    const int yes = 1;
    int error = 0;
    socklen_t size = sizeof error;
    session->connection =
        socket(is_v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (session->connection < 0)
        return fail(session, "cannot open a socket");
    /* commands are small and urgent */
    setsockopt(session->connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    const struct sockaddr *to = is_v4 ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6;
    if (connect(session->connection, to, is_v4 ? sizeof v4 : sizeof v6) == 0)
        return true;
    if (errno != EINPROGRESS)
        return fail(session, "cannot connect");
    if (!wait_for(session, POLLOUT, base_system_clock_ns(CLOCK_MONOTONIC) + IO_TIMEOUT_NS))
        return fail(session, "cannot connect");
    getsockopt(session->connection, SOL_SOCKET, SO_ERROR, &error, &size);
    errno = error;
    return error == 0 || fail(session, "cannot connect");
}

static bool fail_to_load(struct session *session, const char *what, const char *path) {
    char error[320];
    const unsigned long first = ERR_peek_error();
    snprintf(error, sizeof error, "cannot load the %s %s", what, path);
    if (ERR_SYSTEM_ERROR(first)) { /* the last error only repeats that there was one */
        ERR_clear_error();
        errno = ERR_GET_REASON(first);
    }
    return fail(session, error);
}

static bool load(struct session *session, const struct session_config *config) {
    session->context = SSL_CTX_new(TLS_client_method());
    if (!session->context || SSL_CTX_set_min_proto_version(session->context, TLS1_3_VERSION) != 1)
        return fail(session, "TLS 1.3");
    SSL_CTX_set_verify(session->context, SSL_VERIFY_PEER, NULL);
    if (SSL_CTX_load_verify_locations(session->context, config->authority, NULL) != 1)
        return fail_to_load(session, "authority", config->authority);
    if (SSL_CTX_use_certificate_chain_file(session->context, config->certificate) != 1)
        return fail_to_load(session, "certificate", config->certificate);
    if (SSL_CTX_use_PrivateKey_file(session->context, config->key, SSL_FILETYPE_PEM) != 1 ||
        SSL_CTX_check_private_key(session->context) != 1)
        return fail_to_load(session, "key", config->key);
    return true;
}

static bool handshake(struct session *session, const struct session_config *config) {
    session->tls = SSL_new(session->context);
    BIO *bio = session->tls ? socket_bio_new(session->connection) : NULL;
    if (!bio)
        return fail(session, "TLS");
    SSL_set_bio(session->tls, bio, bio);
    if (SSL_set1_host(session->tls, config->server_name) != 1)
        return fail(session, "TLS");
    const int64_t until_ns = base_system_clock_ns(CLOCK_MONOTONIC) + IO_TIMEOUT_NS;
    for (;;) {
        ERR_clear_error();
        errno = 0;
        const int result = SSL_connect(session->tls);
        if (result == 1)
            return true;
        if (!wait_to_retry(session, result, until_ns))
            return fail(session, "the TLS handshake failed");
    }
}

bool session_check(const struct session_config *config, char *error, size_t error_size) {
    struct session session = {.connection = -1};
    ERR_clear_error();
    errno = 0;
    const bool good = load(&session, config);
    snprintf(error, error_size, "%s", session.error);
    SSL_CTX_free(session.context);
    return good;
}

bool session_open(struct session *session, const struct session_config *config) {
    *session = (struct session){.connection = -1, .stop = config->stop};
    ERR_clear_error();
    errno = 0;
    session->frame = malloc(LENGTH_BYTES + WIRE_MAX_FRAME_BYTES);
    /* The files first, so that their errors are reported even if no controller is reachable. */
    if (session->frame && load(session, config) && connect_to(session, config) &&
        handshake(session, config))
        return true;
    char error[sizeof session->error];
    memcpy(error, session->error, sizeof error);
    session_close(session);
    memcpy(session->error, error, sizeof error);
    return false;
}

void session_close(struct session *session) {
    if (session->tls && SSL_is_init_finished(session->tls))
        SSL_shutdown(session->tls);
    SSL_free(session->tls);
    SSL_CTX_free(session->context);
    if (session->connection >= 0)
        close(session->connection);
    free(session->frame);
    *session = (struct session){.connection = -1};
}

/* Returns the number of bytes needed to continue parsing the frame: its length field, then all of
 * it. */
static size_t bytes_needed(const struct session *session) {
    const uint8_t *b = session->frame;
    if (session->filled < LENGTH_BYTES)
        return LENGTH_BYTES;
    return LENGTH_BYTES +
           ((size_t)b[0] | (size_t)b[1] << 8 | (size_t)b[2] << 16 | (size_t)b[3] << 24);
}

enum session_read session_read(struct session *session, int64_t timeout_ns, const uint8_t **frame,
                               size_t *size) {
    const int64_t until_ns = base_system_clock_ns(CLOCK_MONOTONIC) + timeout_ns;
    if (session->filled > LENGTH_BYTES && session->filled == bytes_needed(session))
        session->filled = 0; /* discards the previous frame */
    for (;;) {
        const size_t want = bytes_needed(session);
        if (want < LENGTH_BYTES + WIRE_HEADER_BYTES && session->filled >= LENGTH_BYTES) {
            fail(session, "a frame is shorter than a header");
            return SESSION_ENDED;
        }
        if (want > LENGTH_BYTES + WIRE_MAX_FRAME_BYTES) {
            fail(session, "a frame is longer than 262144 bytes");
            return SESSION_ENDED;
        }
        if (session->filled == want) {
            *frame = session->frame + LENGTH_BYTES;
            *size = want - LENGTH_BYTES;
            return SESSION_FRAME;
        }
        ERR_clear_error();
        errno = 0;
        const int result =
            SSL_read(session->tls, session->frame + session->filled, (int)(want - session->filled));
        if (result > 0) {
            session->filled += (size_t)result;
            continue;
        }
        const int error = SSL_get_error(session->tls, result);
        if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) {
            fail(session, error == SSL_ERROR_ZERO_RETURN ? "the controller closed the session"
                                                         : "connection lost");
            return SESSION_ENDED;
        }
        if (!wait_to_retry(session, result, until_ns))
            return SESSION_NOTHING;
    }
}

bool session_await(struct session *session, int64_t timeout_ns, const uint8_t **frame,
                   size_t *size) {
    const enum session_read read = session_read(session, timeout_ns, frame, size);
    if (read == SESSION_NOTHING)
        return session_silent(session, timeout_ns);
    return read == SESSION_FRAME;
}

bool session_silent(struct session *session, int64_t for_ns) {
    snprintf(session->error, sizeof session->error, "no message within %g s", (double)for_ns / 1e9);
    return false;
}

static bool write_all(struct session *session, const uint8_t *bytes, size_t size) {
    const int64_t until_ns = base_system_clock_ns(CLOCK_MONOTONIC) + IO_TIMEOUT_NS;
    for (;;) {
        ERR_clear_error();
        errno = 0;
        const int result = SSL_write(session->tls, bytes, (int)size);
        if (result > 0)
            return true; /* partial writes are disabled: all or nothing */
        if (!wait_to_retry(session, result, until_ns))
            return fail(session, "cannot send");
    }
}

bool session_write(struct session *session, const uint8_t *bytes, size_t size) {
    const uint8_t length[LENGTH_BYTES] = {(uint8_t)size, (uint8_t)(size >> 8),
                                          (uint8_t)(size >> 16), (uint8_t)(size >> 24)};
    return write_all(session, length, sizeof length) && write_all(session, bytes, size);
}
