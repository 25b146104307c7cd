/*
 * SIGHUP: the process restarts itself, with its configuration file as it is now and its program
 * as it is now, and under the same process id. TAP devices stay, so that applications keep their
 * connections; packets that were queued are lost, as on a network.
 *
 * A failed start must not disconnect the host. So configuration and program are checked before
 * anything ends (reload_config). If the start fails anyway, the process returns to the previous
 * program and configuration, which it passes to itself as descriptors.
 */
#ifndef SDD_HOST_RELOAD_H
#define SDD_HOST_RELOAD_H

#include "config.h"

/* Before DPDK starts, which takes cores away from this thread: remembers what a new start needs,
   and takes what the process handed over to itself. */
void reload_prepare(char **argv);

/* The configuration to run: the file's, or that which the process went back to. Null: error. */
struct config *reload_first(const char *path, char *error, size_t error_size);

/* The configuration to go on with, in place of the running one; null: it cannot be, which is
   logged, and the running one stays. */
struct config *reload_config(const char *path, const struct config *running);

/* Whether the TAP device of a host stays when the new configuration starts. All do, for it may
   fail, but not one that another host wants. */
bool reload_keeps(const struct config *config, const struct host_config *host);

/* Restarts, or, if that cannot be, what ran. Returns only if neither could be, which is logged.
 */
void reload_now(void);

/* This start succeeded, and there is no going back from it: TAP devices go that only the
   configuration before had. */
void reload_succeeded(const struct config *config);

/* This start failed: if it was a reload, what ran before it starts again. Else returns. */
void reload_failed(const char *path);

#endif
