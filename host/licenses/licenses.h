/* The licences of a program: its own, and those of the code that is compiled into it. */
#ifndef LICENSES_LICENSES_H
#define LICENSES_LICENSES_H

#include <stdbool.h>

/* Whether the option --licenses is the only one. */
bool licenses_wanted(int argc, char **argv);

/* Prints all of it on the standard output. Returns the process' exit status: 1 if that failed. */
int licenses_print(void);

#endif
