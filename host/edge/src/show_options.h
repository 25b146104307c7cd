/* The command-line options of `show`. */
#ifndef EDGE_SHOW_OPTIONS_H
#define EDGE_SHOW_OPTIONS_H

#include "show.h"

/*
 * Reads --json, --prometheus, --peer ADDRESS (into *peer, to which `which` then points), --first N
 * and --limit N from argv[2] on. Returns the index after them, or 0 for an unknown option or an
 * invalid value.
 */
int show_options_read(int argc, char **argv, enum show_form *form, struct show_peers *which,
                      struct edge_address *peer);

#endif
