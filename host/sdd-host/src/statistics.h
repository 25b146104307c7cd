/* Statistics on demand: each connection to a UNIX socket gets one JSON object. */
#ifndef SDD_HOST_STATISTICS_H
#define SDD_HOST_STATISTICS_H

#include <stdbool.h>

#include "workers.h"

/* The object, as text to be freed; null: no memory. Not for the workers' threads. */
char *statistics_text(struct workers *workers);

/* A socket that listens; only its owner may connect. -1: failed and logged. */
int statistics_listen(const char *path);

/* Serves one pending connection. */
void statistics_answer(int listening, struct workers *workers);

#endif
