/* Which release a program is of. */
#ifndef DAEMON_VERSION_H
#define DAEMON_VERSION_H

#include <stdbool.h>

/* Whether the option --version is the only one. */
bool version_wanted(int argc, char **argv);

/* Prints the program's name and version, as in "sdd-host 1.0.0". Returns the process' exit status:
   1 if that failed. */
int version_print(const char *program);

#endif
