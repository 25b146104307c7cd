/*
 * The TAP device that a host's kernel stack sits on: frames that applications send are read from
 * it, and received frames are written to it. It may be moved into another network namespace while
 * it is open; closing it deletes it.
 */
#ifndef SDD_HOST_TAP_H
#define SDD_HOST_TAP_H

#include <stdint.h>

/* A descriptor that does not block, of the device `name` with this Ethernet address; -1: errno. */
int tap_open(const char *name, const uint8_t address[6]);

#endif
