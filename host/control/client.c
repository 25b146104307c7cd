#include "client.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WELCOME_TIMEOUT_NS INT64_C(5000000000)

void client_log(const struct client_config *config, const char *what, const char *why) {
    fprintf(stderr, "%s: controller: %s%s%s\n", config->log_prefix, what, why[0] ? ": " : "", why);
}

/* Waits for `stop` to become readable, for timeout_ms at most. */
static bool stopping(const struct client *client, int timeout_ms) {
    struct pollfd stop = {.fd = client->config.session.stop, .events = POLLIN};
    return poll(&stop, 1, timeout_ms) != 0;
}

static void log_refusal(const struct client *client, const struct wire_message *message) {
    char text[1025];
    WIRE_DECODE(refused, codec, message);
    size_t length = sdd_wire_refused_text_length(&codec);
    length = length < sizeof text ? length : sizeof text - 1;
    memcpy(text, sdd_wire_refused_text(&codec), length);
    text[length] = '\0';
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = '?';
    client_log(&client->config, "refused", text);
}

/* Hello and Welcome. */
static bool begin(struct client *client, struct session *session) {
    const struct client_role *role = client->role;
    struct wire_message message;
    const uint8_t *frame;
    size_t size;
    const char *why = "the first message is not Welcome";
    if (!session_write(session, client->buffer, role->hello(client->context, client->buffer)) ||
        !session_await(session, WELCOME_TIMEOUT_NS, &frame, &size)) {
        if (!stopping(client, 0))
            client_log(&client->config, "no Welcome", session->error);
        return false;
    }
    const enum wire_verdict verdict = wire_check(frame, size, &message, &why);
    if (verdict == WIRE_GOOD && message.template_id == WIRE_REFUSED) {
        log_refusal(client, &message);
        return false;
    }
    if (verdict != WIRE_GOOD || message.template_id != WIRE_WELCOME ||
        !role->welcome(client->context, &message, &why)) {
        client_log(&client->config, "session closed", why);
        return false;
    }
    client_log(&client->config, "connected", "");
    return true;
}

/* Executes a request and replies to it. False: the session is over. */
static bool execute(struct client *client, struct session *session, const uint8_t *frame,
                    size_t size) {
    struct wire_message message;
    const char *why = "unexpected message: not a request to this role";
    size_t reply = 0;
    const enum wire_verdict verdict = wire_check(frame, size, &message, &why);
    if (verdict == WIRE_SKIP)
        return true;
    if (verdict == WIRE_GOOD)
        reply = client->role->execute(client->context, &message, client->buffer);
    if (reply > 0)
        return session_write(session, client->buffer, reply);
    snprintf(session->error, sizeof session->error, "%s", why);
    return false;
}

/* Requests and reports, until the session is over: session->error says why. */
static void serve(struct client *client, struct session *session) {
    const struct client_role *role = client->role;
    if (role->start && !role->start(client->context, session))
        return;
    while (!stopping(client, 0)) {
        const int64_t due_ns = role->report_due(client->context);
        const uint8_t *frame;
        size_t size;
        const enum session_read read =
            session_read(session, due_ns > 0 ? due_ns : 0, &frame, &size);
        if (read == SESSION_ENDED ||
            (read == SESSION_FRAME && !execute(client, session, frame, size)) ||
            !role->report(client->context, session))
            return;
    }
}

/* One session, from connecting to its end. Whether it had a Welcome. */
static bool run_session(struct client *client) {
    struct session session;
    if (!session_open(&session, &client->config.session)) {
        if (!stopping(client, 0))
            client_log(&client->config, "no session", session.error);
        return false;
    }
    const bool begun = begin(client, &session);
    if (begun) {
        serve(client, &session);
        if (!stopping(client, 0))
            client_log(&client->config, "session ended", session.error);
    }
    session_close(&session);
    return begun;
}

static void *run(void *argument) {
    struct client *client = argument;
    const struct client_config *config = &client->config;
    int retry_ms = config->first_retry_ms;
    while (!stopping(client, 0)) {
        if (run_session(client))
            retry_ms = config->first_retry_ms;
        stopping(client, retry_ms);
        retry_ms = 2 * retry_ms < config->last_retry_ms ? 2 * retry_ms : config->last_retry_ms;
    }
    return NULL;
}

bool client_start(struct client *client, const struct client_config *config,
                  const struct client_role *role, void *context) {
    *client = (struct client){.config = *config, .role = role, .context = context};
    client->buffer = malloc(WIRE_MAX_FRAME_BYTES);
    errno = client->buffer ? pthread_create(&client->thread, NULL, run, client) : ENOMEM;
    if (errno == 0)
        return true;
    free(client->buffer);
    return false;
}

void client_join(struct client *client) {
    pthread_join(client->thread, NULL);
    free(client->buffer);
}
