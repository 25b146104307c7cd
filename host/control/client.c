#include "client.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system_clock.h"

#define WELCOME_TIMEOUT_NS INT64_C(5000000000)
/* The maximum delay before a standby controller learns that no controller is followed any more. */
#define WATCH_NS INT64_C(5000000)

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

static bool is_heard(struct client *client) {
    const struct client_role *role = client->role;
    bool any;
    followed_generation(client->config.followed, &any);
    return any && (!role->is_heard || role->is_heard(client->context));
}

/* Tells a standby controller which controller is followed. */
static bool report_followed(struct client *client, struct session *session, bool heard) {
    bool any;
    WIRE_ENCODE(following, codec, client->buffer, WIRE_MAX_FRAME_BYTES);
    sdd_wire_following_set_generation(&codec, followed_generation(client->config.followed, &any));
    sdd_wire_following_set_hears(&codec,
                                 heard ? sdd_wire_booleanType_YES : sdd_wire_booleanType_NO);
    return session_write(session, client->buffer, WIRE_ENCODED(following, codec));
}

/* Waits for the next message, up to its time-out. Meanwhile it tells a standby controller at once
 * when the followed controller becomes silent. Returns false with session->error. */
static bool await_message(struct client *client, struct session *session, const uint8_t **frame,
                          size_t *size) {
    const int64_t until_ns = base_system_clock_ns(CLOCK_MONOTONIC) + WELCOME_TIMEOUT_NS;
    bool told = client->waits && is_heard(client);
    while (client->waits) {
        const enum session_read read = session_read(session, WATCH_NS, frame, size);
        if (read != SESSION_NOTHING)
            return read == SESSION_FRAME;
        if (stopping(client, 0) || base_system_clock_ns(CLOCK_MONOTONIC) > until_ns)
            break;
        if (told == is_heard(client))
            continue;
        told = !told;
        if (!report_followed(client, session, told))
            return false;
    }
    return client->waits ? session_silent(session, WELCOME_TIMEOUT_NS)
                         : session_await(session, WELCOME_TIMEOUT_NS, frame, size);
}

/* Processes Leadership. Returns whether this controller leads, so that its Welcome follows. */
static bool process_leadership(struct client *client, struct session *session,
                               const struct wire_message *message) {
    WIRE_DECODE(leadership, codec, message);
    const uint64_t generation = sdd_wire_leadership_generation(&codec);
    client->generation = generation;
    if (generation > 0 && followed_accepts(client->config.followed, generation))
        return true;
    if (!client->waits)
        client_log(&client->config, "stands by", "");
    client->waits = true;
    report_followed(client, session, is_heard(client)); /* await_message reports an error */
    return false;
}

static bool welcome(struct client *client, const struct wire_message *message, const char **why) {
    struct followed *followed = client->config.followed;
    *why = "a later controller is followed";
    if (followed && !followed_accepts(followed, client->generation))
        return false;
    /* before its generation counts; otherwise a controller with an invalid Welcome would block
     * others */
    if (!client->role->accepts(client->context, message, why))
        return false;
    *why = "a later controller is followed";
    if (followed && !followed_begin(followed, client, client->generation))
        return false;
    client->role->welcome(client->context, message);
    return true;
}

/* Sends Hello and waits for Welcome. The controller may stand by in between for any time. */
static bool begin(struct client *client, struct session *session) {
    struct wire_message message;
    const uint8_t *frame;
    size_t size;
    const char *why = "the first message is not Welcome";
    bool led = true;
    client->generation = 0;
    client->waits = false;
    if (!session_write(session, client->buffer,
                       client->role->hello(client->context, client->buffer))) {
        client_log(&client->config, "no Welcome", session->error);
        return false;
    }
    for (;;) {
        if (!await_message(client, session, &frame, &size)) {
            if (!stopping(client, 0))
                client_log(&client->config, "no Welcome", session->error);
            return false;
        }
        const enum wire_verdict verdict = wire_check(frame, size, &message, &why);
        if (verdict == WIRE_GOOD && message.template_id == WIRE_LEADERSHIP &&
            client->config.followed) {
            led = process_leadership(client, session, &message);
            continue;
        }
        if (verdict == WIRE_GOOD && message.template_id == WIRE_REFUSED) {
            log_refusal(client, &message);
            return false;
        }
        if (verdict == WIRE_GOOD && !led)
            continue; /* from a controller that does not know yet that another has taken over */
        if (verdict != WIRE_GOOD || message.template_id != WIRE_WELCOME ||
            !welcome(client, &message, &why)) {
            client_log(&client->config, "session closed", why);
            return false;
        }
        client->waits = false;
        client_log(&client->config, "connected", "");
        return true;
    }
}

/* Whether the session is still the followed one; if not, sets session->error. */
static bool is_followed(struct client *client, struct session *session) {
    if (!client->config.followed || followed_is(client->config.followed, client))
        return true;
    snprintf(session->error, sizeof session->error, "another controller has taken over");
    return false;
}

/* Executes a request and replies to it. Returns false if the session is over. */
static bool execute(struct client *client, struct session *session, const uint8_t *frame,
                    size_t size) {
    struct wire_message message;
    const char *why = "unexpected message: not a request to this role";
    size_t reply = 0;
    const enum wire_verdict verdict = wire_check(frame, size, &message, &why);
    if (verdict == WIRE_SKIP)
        return true;
    if (!is_followed(client, session))
        return false;
    if (verdict == WIRE_GOOD)
        reply = client->role->execute(client->context, &message, client->buffer);
    if (reply > 0)
        return session_write(session, client->buffer, reply);
    snprintf(session->error, sizeof session->error, "%s", why);
    return false;
}

/* Handles requests and sends reports until the session is over, with the reason in
 * session->error. */
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
            !is_followed(client, session) || !role->report(client->context, session))
            return;
    }
}

/* Logs why there is no connection, once for each reason, since the client retries as long as the
 * controller is unreachable. */
static void log_failure(struct client *client, const char *why) {
    if (strcmp(client->failure, why) == 0)
        return;
    snprintf(client->failure, sizeof client->failure, "%s", why);
    client_log(&client->config, "no session", why);
}

/* Runs one session from connecting to its end. Returns whether it received a Welcome or stood by
 * for one. */
static bool run_session(struct client *client) {
    struct session session;
    if (!session_open(&session, &client->config.session)) {
        if (!stopping(client, 0))
            log_failure(client, session.error);
        return false;
    }
    client->failure[0] = '\0';
    const bool begun = begin(client, &session);
    if (begun) {
        serve(client, &session);
        if (client->config.followed)
            followed_end(client->config.followed, client);
        if (!stopping(client, 0))
            client_log(&client->config, "session ended", session.error);
    }
    session_close(&session);
    return begun || client->waits;
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
