/* Statistics on demand: each connection to a UNIX socket gets one JSON object. */
#ifndef SDD_HOST_STATISTICS_H
#define SDD_HOST_STATISTICS_H

#include <stdbool.h>

#include "workers.h"

/* Returns the object as text, which the caller frees; null: no memory. Not for the workers'
 * threads. */
char *statistics_text(struct workers *workers);

/* Opens a listening socket to which only its owner may connect. Returns -1 after logging an
 * error. */
int statistics_listen(const char *path);

/* Serves one pending connection. */
void statistics_answer(int listening, struct workers *workers);

#endif
