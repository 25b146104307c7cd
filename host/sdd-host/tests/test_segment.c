/*
 * Compares the division of TCP segments with a slow model: with any headers, the frames carry
 * exactly the segment's bytes, each with headers that a receiver accepts, and invalid input is
 * refused.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "segment.h"
#include "segment_sample.h"
#include "testing.h"

enum { ROUNDS = 400 };

static bool begins(const struct sample *sample, struct segment *segment) {
    return segment_begin(segment, &sample->virtio, sample->bytes, sample->size, ROOM);
}

/* Checks that the frame's headers equal the segment's, except for the fields that must differ. */
static void check_headers(const struct sample *sample, const uint8_t *frame, size_t size,
                          size_t number, size_t before, bool last) {
    const uint8_t *network = frame + sample->network, *tcp = frame + sample->transport,
                  *tcp_before = sample->bytes + sample->transport;
    uint8_t expected[ROOM];
    memcpy(expected, sample->bytes, sample->payload);
    uint8_t *ip = expected + sample->network, *expected_tcp = expected + sample->transport;
    if (sample->ipv4) {
        assert_int_equal(get(network + 2, 2), size - sample->network);
        assert_int_equal(get(network + 4, 2),
                         (get(sample->bytes + sample->network + 4, 2) + number) % 65536);
        assert_int_equal(sum_up(0, network, sample->transport - sample->network), UINT16_MAX);
        memcpy(ip + 2, network + 2, 4);
        memcpy(ip + 10, network + 10, 2);
    } else {
        assert_int_equal(get(network + 4, 2), size - sample->network - 40);
        memcpy(ip + 4, network + 4, 2);
    }
    assert_int_equal(get(tcp + 4, 4), (uint32_t)(get(tcp_before + 4, 4) + before));
    assert_int_equal(tcp[13], sample->flags & ~((number > 0 ? CWR : 0) | (last ? 0 : FIN | PSH)));
    assert_int_equal(transport_sum(frame, size, sample, TCP), UINT16_MAX);
    memcpy(expected_tcp + 4, tcp + 4, 4);
    memcpy(expected_tcp + 13, tcp + 13, 1);
    memcpy(expected_tcp + 16, tcp + 16, 2);
    assert_memory_equal(frame, expected, sample->payload);
}

static void check_frames(const struct sample *sample) {
    struct segment segment;
    const size_t payload = sample->size - sample->payload, each = sample->virtio.gso_size;
    size_t before = 0, number = 0;
    assert_true(begins(sample, &segment));
    while (before < payload) {
        uint8_t frame[ROOM];
        assert_int_equal(segment_frames_left(&segment), (payload - before + each - 1) / each);
        const size_t size = segment_cut(&segment, frame);
        assert_in_range(size, sample->payload + 1, sample->payload + each);
        const size_t data = size - sample->payload;
        const bool last = before + data == payload;
        assert_true(last || data == each);
        check_headers(sample, frame, size, number, before, last);
        assert_memory_equal(frame + sample->payload, sample->bytes + sample->payload + before,
                            data);
        before += data;
        number++;
    }
    assert_int_equal(before, payload);
    assert_int_equal(segment_frames_left(&segment), 0);
}

static void frames_carry_exactly_the_segment(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned i = 0; i < ROUNDS; i++) {
        const struct sample sample = sample_make(&random, i % 2, i % 4 > 1 ? ALL_OPTIONS : 0);
        check_frames(&sample);
        free(sample.bytes);
    }
}

static void identification_and_sequence_numbers_wrap(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned i = 0; i < 20; i++) {
        const struct sample sample = sample_make(&random, true, 0);
        put16(sample.bytes + sample.network + 4, UINT16_MAX);
        memset(sample.bytes + sample.transport + 4, UINT8_MAX, 4);
        check_frames(&sample);
        free(sample.bytes);
    }
}

static void what_is_dropped_is_not_cut(void **state) {
    (void)state;
    struct random random = {seed()};
    const struct sample sample = sample_make(&random, true, 0);
    struct segment segment;
    assert_true(begins(&sample, &segment));
    segment_drop(&segment);
    assert_int_equal(segment_frames_left(&segment), 0);
    free(sample.bytes);
}

/* Number of defects that make a valid segment invalid; see the switch below. */
enum { DEFECTS = 17 };

static void spoil(struct sample *sample, unsigned defect) {
    struct virtio_net_hdr *virtio = &sample->virtio;
    uint8_t *ip = sample->bytes + sample->network, *tcp = sample->bytes + sample->transport;
    switch (defect) {
    case 0:
        virtio->gso_type = VIRTIO_NET_HDR_GSO_UDP;
        break;
    case 1:
        virtio->gso_type = VIRTIO_NET_HDR_GSO_NONE;
        break;
    case 2:
        virtio->gso_type ^=
            VIRTIO_NET_HDR_GSO_TCPV4 ^ VIRTIO_NET_HDR_GSO_TCPV6; /* the other type */
        break;
    case 3:
        virtio->gso_size = 0;
        break;
    case 4:
        virtio->gso_size = (uint16_t)(ROOM - sample->payload + 1);
        break;
    case 5:
        virtio->flags = 0;
        break;
    case 6:
        virtio->csum_offset = 6; /* of UDP */
        break;
    case 7:
        virtio->csum_start -= 2;
        break;
    case 8:
        virtio->csum_start += 4;
        break;
    case 9:
        virtio->csum_start = UINT16_MAX;
        break;
    case 10:
        tcp[12] = 0x40; /* a header of 16 bytes */
        break;
    case 11:
        sample->size = sample->payload; /* no data */
        put16(ip + (sample->ipv4 ? 2 : 4),
              sample->payload - sample->network - (sample->ipv4 ? 0 : 40));
        break;
    case 12:
        ip[-1] ^= 1; /* neither IPv4 nor IPv6 */
        break;
    case 13:
        ip[0] ^= 0x10; /* another version */
        break;
    case 14:
        ip[sample->ipv4 ? 9 : 6] = UDP;
        break;
    case 15:
        if (sample->ipv4)
            ip[6] |= 0x20; /* more fragments */
        else
            ip[6] = FRAGMENT;
        break;
    default:
        if (sample->ipv4)
            ip[7] = 1; /* a later fragment */
        else
            put16(ip + 4, 0); /* a jumbogram */
    }
}

static void what_is_not_understood_is_refused(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned i = 0; i < 2 * DEFECTS; i++) {
        struct sample sample = sample_make(&random, i % 2, 0);
        struct segment segment;
        assert_true(begins(&sample, &segment));
        spoil(&sample, i / 2);
        assert_false(begins(&sample, &segment));
        assert_int_equal(segment_frames_left(&segment), 0);
        free(sample.bytes);
    }
}

static void what_is_cut_off_is_refused(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned i = 0; i < 40; i++) {
        struct sample sample = sample_make(&random, i % 2, i % 4 > 1 ? ALL_OPTIONS : 0);
        const size_t size = sample.size;
        struct segment segment;
        for (sample.size = 0; sample.size < size; sample.size++)
            assert_false(begins(&sample, &segment));
        free(sample.bytes);
    }
}

static void a_checksum_that_was_left_out_is_filled_in(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct sample sample = sample_make(&random, i % 2, i % 4 > 1 ? ALL_OPTIONS : 0);
        const uint8_t protocol = i % 8 > 3 ? TCP : UDP;
        sample.size = sample.size < ROOM ? sample.size : ROOM;
        sample.virtio.gso_type = VIRTIO_NET_HDR_GSO_NONE;
        sample.virtio.csum_offset = protocol == TCP ? 16 : 6;
        uint8_t *checksum = sample.bytes + sample.transport + sample.virtio.csum_offset;
        /* the kernel writes the pseudo-header's sum there */
        const size_t size = sample.size;
        put16(checksum, pseudo_sum(sample.bytes, size, &sample, protocol));
        uint8_t *exact = malloc(size);
        assert_non_null(exact);
        memcpy(exact, sample.bytes, size);
        assert_true(segment_finish_frame(&sample.virtio, exact, size));
        assert_int_equal(transport_sum(exact, size, &sample, protocol), UINT16_MAX);
        memcpy(exact + (checksum - sample.bytes), checksum, 2);
        assert_memory_equal(exact, sample.bytes, size); /* nothing else changed */
        free(exact);
        free(sample.bytes);
    }
}

static void a_checksum_of_zero_is_written_as_all_ones(void **state) {
    (void)state;
    uint8_t frame[] = {0xff, 0xff, 0, 0};
    const struct virtio_net_hdr virtio = {.flags = VIRTIO_NET_HDR_F_NEEDS_CSUM, .csum_offset = 2};
    assert_true(segment_finish_frame(&virtio, frame, sizeof frame));
    assert_int_equal(get(frame + 2, 2), UINT16_MAX);
}

static void a_frame_is_left_alone_or_refused_with_its_header(void **state) {
    (void)state;
    uint8_t frame[60] = {1}, before[60] = {1};
    struct virtio_net_hdr virtio = {.csum_start = UINT16_MAX, .csum_offset = UINT16_MAX};
    assert_true(segment_finish_frame(&virtio, frame, sizeof frame)); /* these fields are ignored */
    virtio.flags = VIRTIO_NET_HDR_F_NEEDS_CSUM;
    assert_false(segment_finish_frame(&virtio, frame, sizeof frame));
    virtio.csum_start = 34;
    virtio.csum_offset = 25; /* only one of two bytes is within the frame */
    assert_false(segment_finish_frame(&virtio, frame, sizeof frame));
    virtio.csum_offset = 6;
    virtio.gso_type = VIRTIO_NET_HDR_GSO_TCPV4;
    assert_false(segment_finish_frame(&virtio, frame, sizeof frame));
    assert_memory_equal(frame, before, sizeof frame);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_carry_exactly_the_segment),
        cmocka_unit_test(identification_and_sequence_numbers_wrap),
        cmocka_unit_test(what_is_dropped_is_not_cut),
        cmocka_unit_test(what_is_not_understood_is_refused),
        cmocka_unit_test(what_is_cut_off_is_refused),
        cmocka_unit_test(a_checksum_that_was_left_out_is_filled_in),
        cmocka_unit_test(a_checksum_of_zero_is_written_as_all_ones),
        cmocka_unit_test(a_frame_is_left_alone_or_refused_with_its_header),
    };
    return cmocka_run_group_tests_name("segment", tests, NULL, NULL);
}
