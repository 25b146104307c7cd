/* The options of `show` on its command line. */
#ifndef EDGE_SHOW_OPTIONS_H
#define EDGE_SHOW_OPTIONS_H

#include "show.h"

/*
 * Reads --json, --prometheus, --peer ADDRESS (into *peer, which `which` then points to), --first N
 * and --limit N from argv[2] on. Returns where they end, or 0 if there is another option, or a
 * value that cannot be meant.
 */
int show_options_read(int argc, char **argv, enum show_form *form, struct show_peers *which,
                      struct edge_address *peer);

#endif
