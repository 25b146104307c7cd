/* The edge that a command is about. */
#ifndef EDGE_FIND_H
#define EDGE_FIND_H

#include <stdbool.h>

#include "kernel.h"

/*
 * That of the device, or if it is null of the only one that has one; with rests, what is left of
 * one, or one of another version, too. Says on the standard error why there is none.
 */
bool find_edge(const char *device, bool rests, struct kernel_edge *edge);

#endif
