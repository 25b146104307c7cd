/*
 * The pair of veth devices that segments large packets before the TCP-like encapsulation: packets
 * that enter one end leave the other in pieces that fit (bpf/segments.h). Both are in the namespace
 * of the edge's device, and named after its number: `ew3in` and `ew3cut` of device 3.
 */
#ifndef EDGE_SEGMENTER_H
#define EDGE_SEGMENTER_H

#include <stdbool.h>

/* Numbers of the two devices. */
struct segmenter {
    unsigned in;
    unsigned cut;
};

/*
 * Makes the pair of a device, or takes the one that is there, and puts the program (a descriptor)
 * on its far end. Returns 0 or a negative errno, and then leaves what was there before.
 */
int segmenter_make(unsigned device, int program, struct segmenter *segmenter);

/* Whether the device has a pair. */
bool segmenter_exists(unsigned device);

/* Whether the pair is there, up and with its program. */
bool segmenter_stands(unsigned device, const struct segmenter *segmenter);

/* Removes the pairs of devices that are gone; whether there was one. */
bool segmenter_remove_orphans(void);

/* Removes the pair; true if there is none now. */
bool segmenter_remove(unsigned device);

#endif
