/*
 * Uses any bytes as input from a TAP device: a virtio header and a frame or a segment. Invariants:
 * the input is refused, or divided into frames that fit, belong to the same flow and together carry
 * all data. As a received frame, it is either not merged, or begins a segment that the same frame
 * does not continue.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact_copy.h"
#include "headers.h"
#include "merge.h"
#include "segment.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROOM = 600 };

static void must(bool good, const char *what) {
    if (!good) {
        fprintf(stderr, "fuzz_segment: %s\n", what);
        abort();
    }
}

static void cut_all(struct segment *segment, const uint8_t *bytes, size_t size) {
    struct base_flow_key whole, part;
    const size_t payload = segment->payload;
    size_t carried = 0;
    const bool ip = headers_flow(bytes, size, &whole);
    must(ip, "it is IP");
    while (segment_frames_left(segment) > 0) {
        uint8_t *frame = malloc(ROOM);
        must(frame != NULL, "memory");
        const size_t frame_size = segment_cut(segment, frame);
        must(frame_size > payload && frame_size <= ROOM, "it has room");
        must(headers_flow(frame, frame_size, &part), "a frame is IP");
        must(memcmp(&whole, &part, sizeof whole) == 0, "it is of the same flow");
        must(memcmp(frame + payload, bytes + payload + carried, frame_size - payload) == 0,
             "it carries the next data");
        carried += frame_size - payload;
        free(frame);
    }
    must(carried == size - payload, "all is carried");
}

static void try_merge(const uint8_t *data, size_t size) {
    struct merge merge;
    const struct exact_copy one = exact_copy_make(data, size), again = exact_copy_make(data, size);
    if (merge_begin(&merge, one.bytes, size)) {
        must(merge.payload + merge.data == size, "all of its data");
        must(!merge_add(&merge, again.bytes, size, SIZE_MAX), "a sequence number");
    }
    exact_copy_free(one);
    exact_copy_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct virtio_net_hdr virtio;
    struct segment segment;
    if (size < sizeof virtio)
        return 0;
    memcpy(&virtio, data, sizeof virtio);
    const struct exact_copy copy = exact_copy_make(data + sizeof virtio, size - sizeof virtio);
    const size_t bytes = size - sizeof virtio;
    if (segment_begin(&segment, &virtio, copy.bytes, bytes, ROOM))
        cut_all(&segment, copy.bytes, bytes);
    else
        must(segment_frames_left(&segment) == 0, "nothing to cut");
    segment_finish_frame(&virtio, copy.bytes, bytes);
    exact_copy_free(copy);
    try_merge(data + sizeof virtio, bytes);
    return 0;
}
