/*
 * A client of a controller: a thread that keeps a session with it.
 *
 * There may be a client for each of several controllers. One whose controller stands by waits for
 * Welcome, and tells the controller whether another one is followed; a session ends when another
 * client's of a later generation begins.
 *
 * The client connects, does the TLS handshake, sends Hello and waits for Welcome. Then it executes
 * the controller's requests and sends reports, until the session ends. It reconnects with back-off:
 * the delay doubles with each attempt, and starts again after a session that had a Welcome.
 *
 * A host and a circuit switch differ in their struct client_role. Its functions run in the client's
 * thread.
 */
#ifndef SDD_CONTROL_CLIENT_H
#define SDD_CONTROL_CLIENT_H

#include <pthread.h>

#include "followed.h"
#include "session.h"

struct client_role {
    /* Writes Hello into a buffer of WIRE_MAX_FRAME_BYTES and returns its size. */
    size_t (*hello)(void *context, uint8_t *buffer);

    /* Whether a session may begin with the fields of Welcome; false: *why says which of them is
       wrong. */
    bool (*accepts)(void *context, const struct wire_message *message, const char **why);

    /* Begins a session with a Welcome that was accepted. */
    void (*welcome)(void *context, const struct wire_message *message);

    /* Sends what comes first in a session; false: session->error. Null: nothing. */
    bool (*start)(void *context, struct session *session);

    /* Executes a request and writes the reply into a buffer of WIRE_MAX_FRAME_BYTES. Returns the
       reply's size; 0 if the message is not a request to this role, which ends the session. */
    size_t (*execute)(void *context, const struct wire_message *message, uint8_t *buffer);

    /* When the next report is due: nanoseconds from now. */
    int64_t (*report_due)(void *context);

    /* Sends the reports that are due, if any; false: session->error. */
    bool (*report)(void *context, struct session *session);

    /* Whether the controller that is followed is heard, besides that its session is up. Called by
       other clients' threads. Null: that it is up is enough. */
    bool (*hears)(void *context);
};

struct client_config {
    const char *log_prefix; /* of all lines on standard error */
    struct session_config session;
    struct followed *followed; /* common to the clients of all controllers; null: there is one */
    int first_retry_ms;        /* the delay before the second attempt, */
    int last_retry_ms;         /* and the largest */
};

struct client {
    struct client_config config;
    const struct client_role *role;
    void *context;
    uint8_t *buffer;     /* of the frame to be sent */
    uint64_t generation; /* the controller's, from before Welcome; 0: it has said none */
    bool waits;          /* the controller stands by */
    char failure[512];   /* of the last attempt to connect, as logged; empty after one that did */
    pthread_t thread;
};

/* False: errno. What config and role point to must stay until client_join. */
bool client_start(struct client *client, const struct client_config *config,
                  const struct client_role *role, void *context);

/* Waits for the thread's end, after config.session.stop became readable. */
void client_join(struct client *client);

/* A line of the log, on standard error; why may be empty. */
void client_log(const struct client_config *config, const char *what, const char *why);

#endif
