/* Messages to and from sdd-host: JSON objects, one per line, over a UNIX socket. */
#ifndef SDD_CLIENT_LINES_H
#define SDD_CLIENT_LINES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { LINES_BYTES = 65536 }; /* longer than any line of sdd-host */

struct lines {
    int socket;
    size_t used;
    char received[LINES_BYTES];
};

/* Connects to a socket. Returns false with errno. */
bool lines_connect(struct lines *lines, const char *path);
void lines_close(struct lines *lines);

/* Sends a message. Returns false with errno. */
bool lines_put(struct lines *lines, const json_t *message);

/* Returns the next message, which the caller releases. Returns null with errno: ETIMEDOUT (none
 * within timeout_ms; -1: no limit), EPIPE (the peer closed the connection), EPROTO (not a message).
 */
json_t *lines_next(struct lines *lines, int timeout_ms);

#endif
