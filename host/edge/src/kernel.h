/*
 * The edge in the kernel: its programs on a device, and through them its maps. Nothing is pinned:
 * the filters hold the programs, and the programs hold the maps. The edge thus works without a
 * process, and is removed with the device or its network namespace.
 */
#ifndef EDGE_KERNEL_H
#define EDGE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "config.h"
#include "kernel_edge.h"

/* Finds the edge of a device. Returns false if the device has none. */
bool kernel_find(unsigned device, struct kernel_edge *edge);
void kernel_forget(struct kernel_edge *edge);

/* Whether its maps have this version's layout. */
bool kernel_is_compatible(const struct kernel_edge *edge);

/*
 * Attaches the edge to its device, or takes over an existing one with its maps: flows keep their
 * paths, and paths their weights, as far as the configuration allows.
 *
 * Returns false with an error, and then attaches nothing new; otherwise true, possibly with a
 * warning in error.
 */
bool kernel_install(const struct config *config, struct kernel_edge *edge, char *error,
                    size_t error_size);

/*
 * Whether the edge is still complete: other programs may have removed filters or their qdisc,
 * created the device again, or changed its MTU.
 */
bool kernel_is_intact(const struct config *config, const struct kernel_edge *edge);

/* Whether all filters that its settings require are attached to the device. */
bool kernel_is_attached(const struct kernel_edge *edge);

/*
 * Attaches the edge again, except its routes, to the device that now has the name, with this
 * process's maps and thus their flows and weights. The MTU is the device's if that is less than the
 * configured one. Returns false with an error.
 */
bool kernel_restore(const struct config *config, struct kernel_edge *edge, char *error,
                    size_t error_size);

/* Returns the maximum length of an overlay packet; 0 if unknown. */
uint32_t kernel_mtu(const struct kernel_edge *edge);

/* Whether a device has any part of an edge. */
bool kernel_has_remains(unsigned device);

/* Removes routes and programs, and with them the maps, from the device. */
bool kernel_remove(struct kernel_edge *edge);

#endif
