/* Prints the release of a program. */
#ifndef DAEMON_VERSION_H
#define DAEMON_VERSION_H

#include <stdbool.h>

/* Whether the option --version is the only one. */
bool version_wanted(int argc, char **argv);

/* Prints the program's name and version, for example "sdd-host 1.0.0". Returns the exit status: 0,
 * or 1 if writing failed. */
int version_print(const char *program);

#endif
