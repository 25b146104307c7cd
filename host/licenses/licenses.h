/* The licences of a program and of the code that is compiled into it. */
#ifndef LICENSES_LICENSES_H
#define LICENSES_LICENSES_H

#include <stdbool.h>

/* Whether the option --licenses is the only one. */
bool licenses_wanted(int argc, char **argv);

/* Prints all licences on standard output. Returns the exit status: 0, or 1 if writing failed. */
int licenses_print(void);

#endif
