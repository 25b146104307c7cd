/*
 * SIGHUP: the process restarts itself under the same process id, with its current configuration
 * file and program. TAP devices stay, so that applications keep their connections. Queued packets
 * are lost, as in a network.
 *
 * A failed start must not disconnect the host. Configuration and program are therefore checked
 * before anything ends (reload_config). If the start fails anyway, the process returns to the
 * previous program and configuration, which it passes to itself as descriptors.
 */
#ifndef SDD_HOST_RELOAD_H
#define SDD_HOST_RELOAD_H

#include "config.h"

/* Stores what a restart needs, and reads what the previous process passed on. Must be called before
 * DPDK starts, which restricts this thread's cores. */
void reload_prepare(char **argv);

/* Returns the configuration to run: the file's, or the one to which the process returned. Returns
 * null with an error. */
struct config *reload_first(const char *path, char *error, size_t error_size);

/* Returns the configuration that replaces the running one, or null after logging an error; the
 * running one then stays. */
struct config *reload_config(const char *path, const struct config *running);

/* Whether the TAP device of a host stays when the new configuration starts. All stay, because the
 * start may fail, except one that another host needs. */
bool reload_keeps(const struct config *config, const struct host_config *host);

/* Restarts with the new version or, if that fails, with the running one. Returns only if both
 * failed, after logging errors. */
void reload_now(void);

/* Confirms this start: the process no longer returns to the previous version, and TAP devices that
 * only the previous configuration had are removed. */
void reload_succeeded(const struct config *config);

/* Handles a failed start: after a reload, starts the previous version again; otherwise returns. */
void reload_failed(const char *path);

#endif
