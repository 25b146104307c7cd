/* The settings of an edge in the kernel, which may be of another version of this program. */
#ifndef EDGE_SETTINGS_H
#define EDGE_SETTINGS_H

#include <stdbool.h>

#include "state.h"

/* Reads the settings of the map (a descriptor). Returns false if that fails or the maps have
 * another version's layout. */
bool settings_read(int map, struct edge_settings *settings);

/* Whether the clsact qdisc was created for the edge; for settings of any version. */
bool settings_own_qdisc(int map);

/* Records whether the qdisc was created for the edge; other settings remain, or are still empty.
 * Returns 0 or a negative errno. */
int settings_note_qdisc(int map, bool ours);

#endif
