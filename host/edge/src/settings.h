/* The settings of an edge in the kernel, which may be of another version of this program. */
#ifndef EDGE_SETTINGS_H
#define EDGE_SETTINGS_H

#include <stdbool.h>

#include "state.h"

/* Reads those of the map (a descriptor). Returns false if it cannot be, or they and all other maps
 * are laid out as another version's. */
bool settings_read(int map, struct edge_settings *settings);

/* Whether the clsact qdisc is there for the edge only, whatever its version. */
bool settings_own_qdisc(int map);

/* Notes whether it is, and leaves the rest, which may be none yet. Returns 0 or a negative errno.
 */
int settings_note_qdisc(int map, bool ours);

#endif
