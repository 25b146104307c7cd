/*
 * SIGHUP: the process starts itself anew, with its configuration file as it is now and its program
 * as it is now, and under the same process id. TAP devices stay, so that applications keep their
 * connections; packets that were queued are lost, as on a network.
 */
#ifndef SDD_HOST_RELOAD_H
#define SDD_HOST_RELOAD_H

#include "config.h"

/* Before DPDK starts, which takes cores away from this thread: remembers what a new start needs. */
void reload_prepare(char **argv);

/* The configuration to go on with; null: it is none, which is logged, and the old one stays. */
struct config *reload_config(const char *path);

/* Whether some host of the new configuration takes over the TAP device of an old one. */
bool reload_keeps(const struct config *config, const struct host_config *host);

/* Starts anew. Returns only if that failed, which is logged. */
void reload_now(void);

#endif
