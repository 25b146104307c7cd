/*
 * The TAP device that a host's kernel stack sits on: frames that applications send are read from
 * it, and received frames are written to it.
 *
 * It outlives the process: with the device, applications would lose their addresses and routes, and
 * so their connections. A clean exit removes it. A killed process leaves it, with its addresses, to
 * the next one, which recognises it by its alias, "sdd-host NAME". A process that fails to start
 * leaves an existing device.
 */
#ifndef SDD_HOST_TAP_H
#define SDD_HOST_TAP_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What is read begins with a struct virtio_net_hdr, and what is written must. segment_bytes: the
 * largest TCP segment that the kernel may hand down whole, with checksums of any frame left out; 0:
 * none, it cuts and sums up itself.
 *
 * A descriptor that does not block, of the device `name` of host `host` with this Ethernet address,
 * made or, *found, taken over, in the network namespace at a path (empty: the calling thread's).
 * -1: errno; EEXIST: there is another device of this name.
 */
int tap_open(const char *name, const char *namespace, const char *host, const uint8_t address[6],
             uint32_t segment_bytes, bool *found);

/* Closes it; the device stays, as one that takes no segments: a version of this program may take it
   over that knows none. */
void tap_leave(int tap);

/* Closes it; the device goes with it. */
void tap_remove(int tap);

/* Removes a device that a process before has left, if it is there, this host's, and not in use. */
void tap_discard(const char *name, const char *namespace, const char *host);

#endif
