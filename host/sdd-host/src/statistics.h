/* Statistics on demand: whoever connects to a UNIX socket gets one JSON object. */
#ifndef SDD_HOST_STATISTICS_H
#define SDD_HOST_STATISTICS_H

#include <stdbool.h>

#include "workers.h"

/* The object, as text to be freed; null: no memory. Not for the workers' threads. */
char *statistics_text(struct workers *workers);

/* A socket that listens; only its owner may connect. -1: said why. */
int statistics_listen(const char *path);

/* Answers one connection that waits. */
void statistics_answer(int listening, struct workers *workers);

#endif
