/*
 * The TAP device that a host's kernel stack uses: applications' frames are read from it, and
 * received frames are written to it.
 *
 * The device outlives a killed process, because without it applications would lose their addresses,
 * routes and connections. The next process recognises it by its alias, "sdd-host NAME", and takes
 * it over with its addresses. A clean exit removes it. A process that fails to start keeps an
 * existing device.
 */
#ifndef SDD_HOST_TAP_H
#define SDD_HOST_TAP_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Opens a TAP device. Data read begins with a struct virtio_net_hdr, and data written must, too.
 * segment_bytes: the largest TCP segment that the kernel may deliver whole; it may then omit
 * checksums of all frames. 0: the kernel divides segments and computes checksums.
 *
 * Returns a non-blocking descriptor of the device `name` of host `host` with this Ethernet address,
 * in the network namespace at a path (empty: the calling thread's). *found: whether an existing
 * device was taken over. Returns -1 with errno; EEXIST: another device has this name.
 */
int tap_open(const char *name, const char *namespace, const char *host, const uint8_t address[6],
             uint32_t segment_bytes, bool *found);

/* Closes the descriptor. The device stays, with segments disabled, because a version of this
 * program without support for them may take it over. */
void tap_leave(int tap);

/* Closes the descriptor and removes the device. */
void tap_remove(int tap);

/* Removes a device that an earlier process left, if it exists, belongs to this host and is not in
 * use. */
void tap_discard(const char *name, const char *namespace, const char *host);

#endif
