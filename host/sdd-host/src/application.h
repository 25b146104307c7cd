/* An application: its connection, and the rule that admits it. */
#ifndef SDD_HOST_APPLICATION_H
#define SDD_HOST_APPLICATION_H

#include "application_request.h"
#include "config.h"

enum {
    MAX_APPLICATIONS = 64,            /* of a host */
    APPLICATION_LINE_BYTES = 8192,    /* maximum length of a request */
    APPLICATION_OUTPUT_BYTES = 65536, /* output buffer for an application that does not read */
    APPLICATION_ANSWER_BYTES = 16384  /* maximum length of an answer */
};

/* A user's rate limit of requests, which all its connections share. */
struct application_user {
    uint32_t id;
    unsigned connections;
    int64_t due_ns; /* no request is accepted before this time */
};

struct application {
    int connection; /* -1: none */
    uint32_t user;
    int32_t process;
    char name[APPLICATION_NAME_SIZE]; /* the name that the application gives; empty: none */
    const struct access_rule *rule;
    struct application_user *account;
    uint64_t listens;     /* a bit per entry of rule->observes */
    uint64_t dropped;     /* events dropped for lack of room */
    uint64_t lost_before; /* events of all applications lost before it connected */
    bool input_over;      /* the peer sends no more */
    bool broken;          /* connection or protocol error: ends as soon as the output is sent */
    size_t input_used, output_used;
    char input[APPLICATION_LINE_BYTES];
    char output[APPLICATION_OUTPUT_BYTES];
};

/* Reads arrived data. */
void application_receive(struct application *application);

/* Finds the next complete line and its length without the line end; returns false if there is none.
 * The line stays in the input until application_drop_line. */
bool application_line(const struct application *application, size_t *length);
void application_drop_line(struct application *application, size_t length);

/* Appends a line to the output; returns false if there is no room. */
bool application_put(struct application *application, const char *text, size_t length);

/* Sends as much output as possible. */
void application_send(struct application *application);

/* Closes a connection so that the peer receives all output; unread input would cause a reset. */
void application_hang_up(int connection);

/* Whether there is room for an answer. Requests of an application that does not read its answers
 * stay in the input. */
static inline bool application_has_room(const struct application *application) {
    return APPLICATION_OUTPUT_BYTES - application->output_used >= APPLICATION_ANSWER_BYTES;
}

/* Returns the first rule that applies to the peer of a connected socket; null: none. Sets user and
 * process. */
const struct access_rule *application_access(int connection,
                                             const struct applications_config *config,
                                             uint32_t *user, int32_t *process);

#endif
