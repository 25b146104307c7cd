/*
 * A client of a controller: a thread that maintains a session with it.
 *
 * A host has a client for each of its controllers. While its controller stands by, a client waits
 * for Welcome and tells the controller whether another one is followed. A session ends when another
 * client's session of a later generation begins.
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

    /* Whether a session may begin with the fields of Welcome. If not, *why names the field. */
    bool (*accepts)(void *context, const struct wire_message *message, const char **why);

    /* Begins a session with an accepted Welcome. */
    void (*welcome)(void *context, const struct wire_message *message);

    /* Sends the first messages of a session; returns false with session->error. May be null. */
    bool (*start)(void *context, struct session *session);

    /* Executes a request and writes the reply into a buffer of WIRE_MAX_FRAME_BYTES. Returns the
       reply's size; 0 if the message is not a request to this role, which ends the session. */
    size_t (*execute)(void *context, const struct wire_message *message, uint8_t *buffer);

    /* Returns the time until the next report is due, in nanoseconds. */
    int64_t (*report_due)(void *context);

    /* Sends the reports that are due, if any; returns false with session->error. */
    bool (*report)(void *context, struct session *session);

    /* Whether the followed controller is heard, in addition to its session being up. Other clients'
     * threads call it. If null, an open session suffices. */
    bool (*is_heard)(void *context);
};

struct client_config {
    const char *log_prefix; /* prefix of all lines on standard error */
    struct session_config session;
    struct followed *followed; /* shared by the clients of all controllers; null: only one */
    int first_retry_ms;        /* the delay before the second attempt, */
    int last_retry_ms;         /* and the maximum */
};

struct client {
    struct client_config config;
    const struct client_role *role;
    void *context;
    uint8_t *buffer;     /* holds the frame to be sent */
    uint64_t generation; /* the controller's, received before Welcome; 0: none */
    bool waits;          /* the controller stands by */
    char failure[512];   /* the last logged reason of a failed connection; empty after a success */
    pthread_t thread;
};

/* Starts the thread. Objects to which config and role point must exist until client_join. Returns
 * false with errno. */
bool client_start(struct client *client, const struct client_config *config,
                  const struct client_role *role, void *context);

/* Waits for the thread's end. config.session.stop must be readable. */
void client_join(struct client *client);

/* Logs a line on standard error; why may be empty. */
void client_log(const struct client_config *config, const char *what, const char *why);

#endif
