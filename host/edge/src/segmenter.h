/*
 * The pair of veth devices that segments large packets before the TCP-like encapsulation: packets
 * that enter one end leave the other in segments that fit (bpf/segments.h). Both are in the
 * namespace of the edge's device and named after its index: `ew3in` and `ew3cut` for device 3.
 */
#ifndef EDGE_SEGMENTER_H
#define EDGE_SEGMENTER_H

#include <stdbool.h>

/* Indices of the two devices. */
struct segmenter {
    unsigned in;
    unsigned cut;
};

/*
 * Creates the pair of a device, or reuses the existing one, and attaches the program (a descriptor)
 * to its far end. Returns 0, or a negative errno without any change.
 */
int segmenter_make(unsigned device, int program, struct segmenter *segmenter);

/* Whether the device has a pair. */
bool segmenter_exists(unsigned device);

/* Whether the pair exists, is up and has its program. */
bool segmenter_is_intact(unsigned device, const struct segmenter *segmenter);

/* Removes the pairs of devices that no longer exist; returns whether there was one. */
bool segmenter_remove_orphans(void);

/* Removes the pair; returns true if there is none now. */
bool segmenter_remove(unsigned device);

#endif
