/* How a command reaches the process that looks after a device's edge. */
#ifndef EDGE_COMMAND_H
#define EDGE_COMMAND_H

#include <stdbool.h>

/*
 * A socket that becomes readable when there is a command; -1 if another process has the device:
 * there is one at a time in a network namespace, as abstract names are.
 */
int command_listen(const char *device);

/* Reads a command. Returns whether it asks for discovery. */
bool command_take(int listening);

/* Whether the device has a process. */
bool command_is_heard(const char *device);

/* Asks the device's process for discovery. Returns false if there is none, or it takes no
 * commands: those that wait are as many as can. */
bool command_discover(const char *device);

#endif
