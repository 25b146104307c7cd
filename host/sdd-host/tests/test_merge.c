/*
 * Merging frames to a segment: dividing it again gives the original frames, and a frame that is not
 * the connection's next packet is not merged.
 */
#include <stdlib.h>
#include <string.h>

#include "merge.h"
#include "segment.h"
#include "segment_sample.h"
#include "testing.h"

enum { ROUNDS = 300, MOST_FRAMES = 100, LIMIT = 65536 };

/* A segment and its frames as they arrive. */
struct train {
    struct sample sample;
    uint8_t frames[MOST_FRAMES][ROOM];
    size_t sizes[MOST_FRAMES], count;
};

static struct train *make(struct random *random, bool ipv4, uint8_t flags) {
    struct train *train = calloc(1, sizeof *train);
    struct segment segment;
    assert_non_null(train);
    do { /* at least two frames, and not too many */
        free(train->sample.bytes);
        train->sample = sample_make(random, ipv4, VLAN_TAGS | TCP_OPTIONS);
        train->sample.bytes[train->sample.transport + 13] = flags;
        assert_true(segment_begin(&segment, &train->sample.virtio, train->sample.bytes,
                                  train->sample.size, ROOM));
        train->count = segment_frames_left(&segment);
    } while (train->count < 2 || train->count > MOST_FRAMES);
    for (size_t i = 0; i < train->count; i++)
        train->sizes[i] = segment_cut(&segment, train->frames[i]);
    return train;
}

static void discard(struct train *train) {
    free(train->sample.bytes);
    free(train);
}

/* Merges all frames. Returns the segment of *size bytes, which the caller frees. */
static uint8_t *merged(struct train *train, struct virtio_net_hdr *virtio, size_t *size) {
    const size_t payload = train->sample.payload;
    struct merge merge;
    uint8_t *bytes = malloc(LIMIT);
    assert_non_null(bytes);
    assert_true(merge_begin(&merge, train->frames[0], train->sizes[0]));
    for (size_t i = 1; i < train->count; i++)
        assert_true(merge_add(&merge, train->frames[i], train->sizes[i], LIMIT));
    merge_finish(&merge, virtio);
    *size = 0;
    for (size_t i = 0; i < train->count; i++) {
        const size_t skipped = i > 0 ? payload : 0;
        memcpy(bytes + *size, train->frames[i] + skipped, train->sizes[i] - skipped);
        *size += train->sizes[i] - skipped;
    }
    return bytes;
}

static void a_merged_segment_is_cut_to_the_frames_that_came(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct train *train = make(&random, i % 2, ACK | (i % 4 > 1 ? PSH : 0));
        struct train *before = malloc(sizeof *before);
        struct virtio_net_hdr virtio;
        struct segment segment;
        size_t size;
        assert_non_null(before);
        memcpy(before, train, sizeof *before);
        uint8_t *bytes = merged(train, &virtio, &size);
        assert_int_equal(size, train->sample.size);
        assert_int_equal(virtio.hdr_len, train->sample.payload);
        /* as in segments from the kernel, the checksum is the pseudo-header's sum */
        assert_int_equal(get(bytes + train->sample.transport + 16, 2),
                         pseudo_sum(bytes, size, &train->sample, TCP));
        assert_true(segment_begin(&segment, &virtio, bytes, size, ROOM));
        assert_int_equal(segment_frames_left(&segment), train->count);
        for (size_t f = 0; f < train->count; f++) {
            uint8_t frame[ROOM];
            assert_int_equal(segment_cut(&segment, frame), before->sizes[f]);
            assert_memory_equal(frame, before->frames[f], before->sizes[f]);
        }
        free(bytes);
        free(before);
        discard(train);
    }
}

/* Recomputes all checksums of a frame. */
static void sum_anew(const struct sample *sample, uint8_t *frame, size_t size) {
    uint8_t *network = frame + sample->network, *tcp = frame + sample->transport;
    if (sample->ipv4) {
        put16(network + 10, 0);
        put16(network + 10, (uint16_t)~sum_up(0, network, sample->transport - sample->network));
    }
    put16(tcp + 16, 0);
    put16(tcp + 16, (uint16_t)~transport_sum(frame, size, sample, TCP));
}

/* Flips a bit at an offset of the second frame and corrects its checksums: the frame must not be
 * merged. */
static void must_differ(struct train *train, size_t at, uint8_t bit) {
    struct merge merge, before;
    uint8_t frame[ROOM];
    const size_t size = train->sizes[1];
    assert_true(merge_begin(&merge, train->frames[0], train->sizes[0]));
    before = merge;
    memcpy(frame, train->frames[1], size);
    frame[at] ^= bit;
    sum_anew(&train->sample, frame, size);
    if (merge_add(&merge, frame, size, LIMIT))
        fail_msg("merged, though byte %zu of %zu differs by %u", at, size, bit);
    assert_memory_equal(&merge, &before, sizeof merge);
    assert_true(merge_add(&merge, train->frames[1], size, LIMIT));
}

static void what_differs_in_any_header_is_not_merged(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned i = 0; i < 40; i++) {
        struct train *train = make(&random, i % 2, ACK);
        const struct sample *sample = &train->sample;
        for (size_t at = 0; at < sample->payload; at++)
            for (unsigned bit = 1; bit < 256; bit *= 2) {
                const size_t in_ip = at - sample->network, in_tcp = at - sample->transport;
                const bool is_checksum =
                    (sample->ipv4 && (in_ip == 10 || in_ip == 11)) || in_tcp == 16 || in_tcp == 17;
                /* the last frame may have PSH, and frames that must not be fragmented may all have
                 * the first one's identification */
                const bool may = in_tcp == 13 ? bit == PSH
                                              : sample->ipv4 && in_ip == 5 && bit == 1 &&
                                                    train->frames[0][sample->network + 6] == 0x40;
                if (!is_checksum && !may)
                    must_differ(train, at, (uint8_t)bit);
            }
        discard(train);
    }
}

static void what_has_a_wrong_checksum_is_not_merged(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned i = 0; i < 40; i++) {
        struct train *train = make(&random, i % 2, ACK);
        const struct sample *sample = &train->sample;
        const size_t ip = sample->ipv4 ? sample->network + 10 : sample->transport + 16;
        const size_t places[] = {ip, sample->transport + 17, sample->payload, train->sizes[0] - 1};
        for (unsigned p = 0; p < sizeof places / sizeof *places; p++) {
            struct merge merge;
            train->frames[0][places[p]] ^= 1;
            assert_false(merge_begin(&merge, train->frames[0], train->sizes[0]));
            train->frames[0][places[p]] ^= 1;
        }
        struct merge merge;
        assert_true(merge_begin(&merge, train->frames[0], train->sizes[0]));
        train->frames[1][train->sizes[1] - 1] ^= 1;
        assert_false(merge_add(&merge, train->frames[1], train->sizes[1], LIMIT));
        discard(train);
    }
}

static void what_is_not_data_of_tcp_alone_is_not_merged(void **state) {
    (void)state;
    struct random random = {seed()};
    struct merge merge;
    for (unsigned i = 0; i < 40; i++) {
        struct train *train = make(&random, i % 2, ACK);
        const struct sample *sample = &train->sample;
        uint8_t *frame = train->frames[0];
        for (size_t size = 0; size < train->sizes[0]; size++)
            assert_false(merge_begin(&merge, frame, size));
        for (unsigned flags = 0; flags < 256; flags++) {
            frame[sample->transport + 13] = (uint8_t)flags;
            sum_anew(sample, frame, train->sizes[0]);
            assert_int_equal(merge_begin(&merge, frame, train->sizes[0]),
                             flags == ACK || flags == (ACK | PSH));
        }
        /* an acknowledgement without data */
        frame[sample->transport + 13] = ACK;
        put16(frame + sample->network + (sample->ipv4 ? 2 : 4),
              sample->payload - sample->network - (sample->ipv4 ? 0 : 40));
        sum_anew(sample, frame, sample->payload);
        assert_false(merge_begin(&merge, frame, sample->payload));
        discard(train);
    }
}

static void a_segment_ends_with_a_push_with_a_shorter_frame_and_at_its_limit(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned i = 0; i < 40; i++) {
        struct train *train = make(&random, i % 2, ACK);
        const struct sample *sample = &train->sample;
        struct merge merge;
        const size_t both = train->sizes[0] + train->sizes[1] - sample->payload;
        assert_true(merge_begin(&merge, train->frames[0], train->sizes[0]));
        assert_false(merge_add(&merge, train->frames[1], train->sizes[1], both - 1));
        assert_true(merge_add(&merge, train->frames[1], train->sizes[1], both));
        assert_int_equal(merge.ended, train->sizes[1] < train->sizes[0]);
        /* the next frame by its numbers, but after PSH */
        train->frames[0][sample->transport + 13] |= PSH;
        sum_anew(sample, train->frames[0], train->sizes[0]);
        assert_true(merge_begin(&merge, train->frames[0], train->sizes[0]));
        assert_false(merge_add(&merge, train->frames[1], train->sizes[1], LIMIT));
        discard(train);
    }
}

/* Writes the packet that is `number` packets and `before` bytes after the train's first one. */
static size_t follow(const struct train *train, uint8_t *frame, size_t number, size_t before,
                     size_t data) {
    const struct sample *sample = &train->sample;
    const size_t size = sample->payload + data, ip_bytes = size - sample->network;
    memcpy(frame, train->frames[0], sample->payload);
    memset(frame + sample->payload, 1, data);
    uint8_t *network = frame + sample->network, *sequence = frame + sample->transport + 4;
    put16(network + (sample->ipv4 ? 2 : 4), ip_bytes - (sample->ipv4 ? 0 : 40));
    if (sample->ipv4)
        put16(network + 4, get(network + 4, 2) + number);
    const size_t low = get(sequence + 2, 2) + before;
    put16(sequence, get(sequence, 2) + (low >> 16));
    put16(sequence + 2, low);
    sum_anew(sample, frame, size);
    return size;
}

static void only_the_last_frame_is_shorter_and_none_is_longer(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned i = 0; i < 40; i++) {
        struct train *train = make(&random, i % 2, ACK);
        struct merge merge;
        uint8_t frame[ROOM + 1];
        const size_t full = train->sizes[0] - train->sample.payload;
        assert_true(merge_begin(&merge, train->frames[0], train->sizes[0]));
        assert_false(merge_add(&merge, frame, follow(train, frame, 1, full, full + 1), LIMIT));
        assert_true(merge_add(&merge, frame, follow(train, frame, 1, full, full), LIMIT));
        if (full > 1) {
            const size_t size = follow(train, frame, 2, 2 * full, full - 1);
            assert_true(merge_add(&merge, frame, size, LIMIT));
            assert_false(
                merge_add(&merge, frame, follow(train, frame, 3, 3 * full - 1, full - 1), LIMIT));
        }
        discard(train);
    }
}

static void the_identification_may_stay_where_nothing_is_fragmented(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned i = 0; i < 40; i++) {
        struct train *train = make(&random, true, ACK);
        const struct sample *sample = &train->sample;
        struct merge merge;
        for (unsigned f = 0; f < 2; f++) {
            uint8_t *network = train->frames[f] + sample->network;
            network[6] = i % 2 ? 0x40 : 0;
            put16(network + 4, 7);
            sum_anew(sample, train->frames[f], train->sizes[f]);
        }
        assert_true(merge_begin(&merge, train->frames[0], train->sizes[0]));
        assert_int_equal(merge_add(&merge, train->frames[1], train->sizes[1], LIMIT), i % 2);
        discard(train);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_merged_segment_is_cut_to_the_frames_that_came),
        cmocka_unit_test(what_differs_in_any_header_is_not_merged),
        cmocka_unit_test(what_has_a_wrong_checksum_is_not_merged),
        cmocka_unit_test(what_is_not_data_of_tcp_alone_is_not_merged),
        cmocka_unit_test(a_segment_ends_with_a_push_with_a_shorter_frame_and_at_its_limit),
        cmocka_unit_test(only_the_last_frame_is_shorter_and_none_is_longer),
        cmocka_unit_test(the_identification_may_stay_where_nothing_is_fragmented),
    };
    return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}
