/*
 * The edge in the kernel: its programs on a device, and through them its maps. Nothing is pinned:
 * the filters hold the programs and these the maps, so that all of it is there without a process,
 * and goes with the device or its network namespace.
 */
#ifndef EDGE_KERNEL_H
#define EDGE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "config.h"

enum kernel_map {
    KERNEL_SETTINGS,
    KERNEL_PREFIXES,
    KERNEL_PEERS,
    KERNEL_ACCOUNTS,
    KERNEL_FLOWS,
    KERNEL_DROPS,
    KERNEL_WAYS,
    KERNEL_SENDERS,
    KERNEL_CONNECTIONS,
    KERNEL_MAPS
};

/* The maps of an edge that is there. */
struct kernel_edge {
    unsigned device;
    int maps[KERNEL_MAPS]; /* descriptors */
};

/* Finds the edge of a device. Returns false if it has none. */
bool kernel_find(unsigned device, struct kernel_edge *edge);
void kernel_forget(struct kernel_edge *edge);

/* Whether its maps are laid out as this version's. */
bool kernel_is_compatible(const struct kernel_edge *edge);

/*
 * Puts the edge on its device, or takes over the one that is there with its maps: flows keep their
 * paths and paths their weights as far as the configuration leaves them.
 *
 * Returns false, with an error, and with nothing attached that was not before; true, perhaps with a
 * remark in its place.
 */
bool kernel_install(const struct config *config, struct kernel_edge *edge, char *error,
                    size_t error_size);

/*
 * Whether all of it is still as it was put there: somebody else may have removed filters or their
 * qdisc, created the device again, or changed its MTU.
 */
bool kernel_stands(const struct config *config, const struct kernel_edge *edge);

/* Whether all filters are on the device, as far as its settings tell. */
bool kernel_is_attached(const struct kernel_edge *edge);

/*
 * Puts all of it but the routes back, on the maps that this process has, which keep their flows and
 * weights; on the device that has the name now. The MTU is the device's, if that is less than the
 * configured one. Returns false, with an error, if it cannot be.
 */
bool kernel_restore(const struct config *config, struct kernel_edge *edge, char *error,
                    size_t error_size);

/* The longest packet of the overlay; 0 if the kernel does not say. */
uint32_t kernel_mtu(const struct kernel_edge *edge);

/* Whether a device has anything of an edge, which may lack the rest. */
bool kernel_has_rests(unsigned device);

/* Takes routes, programs, and with them the maps, off the device. */
bool kernel_remove(struct kernel_edge *edge);

#endif
