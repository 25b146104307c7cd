/* An application: its connection, and by which rule it may be here. */
#ifndef SDD_HOST_APPLICATION_H
#define SDD_HOST_APPLICATION_H

#include "application_request.h"
#include "config.h"

enum {
    MAX_APPLICATIONS = 64,            /* of a host */
    APPLICATION_LINE_BYTES = 8192,    /* the longest request */
    APPLICATION_OUTPUT_BYTES = 65536, /* what waits for an application that does not read */
    APPLICATION_ANSWER_BYTES = 16384  /* the longest answer */
};

/* Its rate of requests, which all its connections share. */
struct application_user {
    uint32_t id;
    unsigned connections;
    int64_t due_ns; /* before this no request is taken */
};

struct application {
    int connection; /* -1: none */
    uint32_t user;
    int32_t process;
    char name[APPLICATION_NAME_SIZE]; /* what it calls itself; empty: nothing */
    const struct access_rule *rule;
    struct application_user *account;
    uint64_t listens;     /* a bit per entry of rule->observes */
    uint64_t dropped;     /* events, for lack of room */
    uint64_t lost_before; /* events of all applications that were lost before it came */
    bool input_over;      /* it sends no more */
    bool broken;          /* the connection, or the protocol: ends as soon as the output has left */
    size_t input_used, output_used;
    char input[APPLICATION_LINE_BYTES];
    char output[APPLICATION_OUTPUT_BYTES];
};

/* Takes in what has arrived. */
void application_receive(struct application *application);

/* The next complete line, without its end; false: there is none. A line that is longer than
   APPLICATION_LINE_BYTES breaks the connection. It stays in the input until application_drop_line.
 */
bool application_line(const struct application *application, size_t *length);
void application_drop_line(struct application *application, size_t length);

/* Puts a line into the output; false: no room. */
bool application_put(struct application *application, const char *text, size_t length);

/* Sends what it can. */
void application_send(struct application *application);

/* Ends a connection so that the peer gets what was sent to it: unread input would reset it. */
void application_hang_up(int connection);

/* Whether there is room for an answer: requests of an application that does not read its answers
   are left where they are. */
static inline bool application_has_room(const struct application *application) {
    return APPLICATION_OUTPUT_BYTES - application->output_used >= APPLICATION_ANSWER_BYTES;
}

/* The first rule that holds for the peer of a connected socket; null: none does. Fills user and
   process. */
const struct access_rule *application_access(int connection,
                                             const struct applications_config *config,
                                             uint32_t *user, int32_t *process);

#endif
