/* The flow of a frame, and marking. */
#include <string.h>

#include "headers.h"
#include "testing.h"

static const uint8_t udp[] = {2,  0, 0,  0, 0,    2,    2,    0,  0,  0, 0, 1,  0x08, 0, 0x45,
                              0,  0, 29, 0, 1,    0x40, 0,    64, 17, 0, 0, 10, 0,    0, 1,
                              10, 0, 0,  2, 0x1b, 0x58, 0x00, 53, 0,  9, 0, 0,  'x'};

static uint16_t checksum(const uint8_t *header) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < 20; i += 2)
        sum += (uint32_t)header[i] << 8 | header[i + 1];
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

static void a_udp_packet_has_addresses_ports_and_protocol(void **state) {
    (void)state;
    struct base_flow_key key;
    const struct base_ip_address source = base_ipv4(0x0a000001),
                                 destination = base_ipv4(0x0a000002);
    assert_true(headers_flow(udp, sizeof udp, &key));
    assert_memory_equal(&key.source, &source, sizeof source);
    assert_memory_equal(&key.destination, &destination, sizeof destination);
    assert_int_equal(key.source_port, 7000);
    assert_int_equal(key.destination_port, 53);
    assert_int_equal(key.protocol, 17);
}

static void tags_are_passed_over(void **state) {
    (void)state;
    uint8_t tagged[sizeof udp + 4] = {0};
    struct base_flow_key plain, through;
    memcpy(tagged, udp, 12);
    memcpy(tagged + 12, "\x81\x00\x00\x05", 4);
    memcpy(tagged + 16, udp + 12, sizeof udp - 12);
    headers_flow(udp, sizeof udp, &plain);
    assert_true(headers_flow(tagged, sizeof tagged, &through));
    assert_memory_equal(&plain, &through, sizeof plain);
}

static void later_fragments_have_no_ports(void **state) {
    (void)state;
    uint8_t fragment[sizeof udp];
    struct base_flow_key key;
    memcpy(fragment, udp, sizeof udp);
    fragment[21] = 185; /* in units of 8 bytes */
    assert_true(headers_flow(fragment, sizeof fragment, &key));
    assert_int_equal(key.protocol, 17);
    assert_int_equal(key.source_port, 0);
    assert_int_equal(key.destination_port, 0);
}

static void ipv6_extension_headers_are_passed_over(void **state) {
    (void)state;
    uint8_t frame[14 + 40 + 8 + 8] = {[12] = 0x86, [13] = 0xdd};
    struct base_flow_key key;
    frame[14] = 0x60;
    frame[20] = 0;           /* next header: hop-by-hop options */
    frame[22 + 15] = 1;      /* source ::1 */
    frame[14 + 40] = 6;      /* next header: TCP */
    frame[14 + 48 + 1] = 80; /* source port */
    assert_true(headers_flow(frame, sizeof frame, &key));
    assert_int_equal(key.protocol, 6);
    assert_int_equal(key.source_port, 80);
    assert_int_equal(key.source.octets[15], 1);
}

/* An IPv6 frame with room for two extension headers and ports. */
enum { IPV6_AT = 14, EXTENSION_AT = IPV6_AT + 40, IPV6_FRAME = EXTENSION_AT + 16 + 8 };

static void begin_ipv6(uint8_t frame[IPV6_FRAME], uint8_t next) {
    memset(frame, 0, IPV6_FRAME);
    frame[12] = 0x86;
    frame[13] = 0xdd;
    frame[IPV6_AT] = 0x60;
    frame[IPV6_AT + 6] = next;
}

static void a_first_ipv6_fragment_has_ports_and_a_later_one_ends_at_its_header(void **state) {
    (void)state;
    enum { FRAGMENT = 44, OPTIONS = 60, TCP = 6, ICMP = 58 };
    uint8_t frame[IPV6_FRAME];
    struct base_flow_key key;
    begin_ipv6(frame, FRAGMENT);
    frame[EXTENSION_AT] = OPTIONS;
    frame[EXTENSION_AT + 8] = TCP;
    frame[EXTENSION_AT + 16 + 1] = 80;
    assert_true(headers_flow(frame, sizeof frame, &key));
    assert_int_equal(key.protocol, TCP);
    assert_int_equal(key.source_port, 80);
    frame[EXTENSION_AT + 3] = 8;    /* the offset, in bytes */
    frame[EXTENSION_AT + 8] = ICMP; /* data, which must not choose the flow */
    assert_true(headers_flow(frame, sizeof frame, &key));
    assert_int_equal(key.protocol, OPTIONS);
    assert_int_equal(key.source_port, 0);
}

static void an_ipv6_extension_header_that_is_cut_off_is_the_protocol(void **state) {
    (void)state;
    enum { ROUTING = 43 };
    uint8_t frame[IPV6_FRAME];
    struct base_flow_key key;
    begin_ipv6(frame, ROUTING);
    frame[EXTENSION_AT] = 6;
    frame[EXTENSION_AT + 1] = 3; /* 32 bytes, of which 24 are there */
    assert_true(headers_flow(frame, sizeof frame, &key));
    assert_int_equal(key.protocol, ROUTING);
    assert_int_equal(key.source_port, 0);
    assert_true(headers_flow(frame, EXTENSION_AT, &key));
    assert_false(headers_flow(frame, EXTENSION_AT - 1, &key));
}

static void an_ipv6_packet_is_marked_beside_its_ecn_and_flow_label(void **state) {
    (void)state;
    uint8_t frame[IPV6_FRAME];
    begin_ipv6(frame, 17);
    frame[IPV6_AT + 1] = 0x2f; /* ECN, and the first bits of the flow label */
    for (uint8_t dscp = 0; dscp < 64; dscp++) {
        headers_mark(frame, sizeof frame, dscp);
        assert_int_equal(headers_dscp(frame, sizeof frame), dscp);
        assert_int_equal(frame[IPV6_AT] >> 4, 6);
        assert_int_equal(frame[IPV6_AT + 1] & 0x3f, 0x2f);
    }
}

static void what_is_not_ip_is_not_marked(void **state) {
    (void)state;
    uint8_t arp[sizeof udp];
    memcpy(arp, udp, sizeof udp);
    arp[13] = 6;
    headers_mark(arp, sizeof arp, 63);
    assert_int_equal(headers_dscp(arp, sizeof arp), -1);
    arp[13] = 0;
    assert_memory_equal(arp, udp, sizeof udp);
    headers_mark(arp, 14 + 19, 63); /* no room for a header */
    assert_int_equal(headers_dscp(arp, 14 + 19), -1);
    assert_memory_equal(arp, udp, sizeof udp);
}

static void what_is_cut_off_or_not_ip_is_the_flow_of_zero_bytes(void **state) {
    (void)state;
    const struct base_flow_key zero = {0};
    struct base_flow_key key;
    uint8_t arp[sizeof udp];
    memcpy(arp, udp, sizeof udp);
    arp[13] = 6;
    assert_false(headers_flow(arp, sizeof arp, &key));
    assert_memory_equal(&key, &zero, sizeof zero);
    for (size_t size = 0; size < 14 + 20; size++) {
        assert_false(headers_flow(udp, size, &key));
        assert_memory_equal(&key, &zero, sizeof zero);
    }
}

static void a_marked_packet_has_the_dscp_and_a_right_checksum(void **state) {
    (void)state;
    uint8_t frame[sizeof udp];
    struct base_flow_key before, after;
    memcpy(frame, udp, sizeof udp);
    frame[15] = 2; /* ECN */
    uint16_t sum = checksum(frame + 14);
    frame[24] = (uint8_t)(sum >> 8);
    frame[25] = (uint8_t)sum;
    headers_flow(frame, sizeof frame, &before);
    for (uint8_t dscp = 0; dscp < 64; dscp++) {
        headers_mark(frame, sizeof frame, dscp);
        assert_int_equal(headers_dscp(frame, sizeof frame), dscp);
        assert_int_equal(frame[15], dscp << 2 | 2);
        assert_int_equal(checksum(frame + 14), 0);
    }
    headers_flow(frame, sizeof frame, &after);
    assert_memory_equal(&before, &after, sizeof before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_udp_packet_has_addresses_ports_and_protocol),
        cmocka_unit_test(tags_are_passed_over),
        cmocka_unit_test(later_fragments_have_no_ports),
        cmocka_unit_test(ipv6_extension_headers_are_passed_over),
        cmocka_unit_test(a_first_ipv6_fragment_has_ports_and_a_later_one_ends_at_its_header),
        cmocka_unit_test(an_ipv6_extension_header_that_is_cut_off_is_the_protocol),
        cmocka_unit_test(an_ipv6_packet_is_marked_beside_its_ecn_and_flow_label),
        cmocka_unit_test(what_is_not_ip_is_not_marked),
        cmocka_unit_test(what_is_cut_off_or_not_ip_is_the_flow_of_zero_bytes),
        cmocka_unit_test(a_marked_packet_has_the_dscp_and_a_right_checksum),
    };
    return cmocka_run_group_tests_name("headers", tests, NULL, NULL);
}
