/* ICMP errors that lower the path MTU to a peer, and those that must not. */
#include <arpa/inet.h>
#include <string.h>

#include "path_mtu.h"
#include "random.h"
#include "testing.h"

enum { MTU = 1500, ERROR_BYTES = 20 + 8 + 20 + 8, SAID = 26, PORT = 48, DESTINATION = 44 };
enum { ERROR6_BYTES = 8 + 40 + 8, DESTINATION6 = 8 + 24, PORT6 = 8 + 40 };

#define NOW_NS UINT64_C(5000000000)

static struct peer_config peer;
static struct config config;
static struct edge_address router;

static int set_up_as(const char *own, const char *its, const char *between) {
    peer = (struct peer_config){.paths_count = 1, .paths = {{.port = 50000}}};
    config = (struct config){.port = 6081, .peers = &peer, .peers_count = 1};
    assert_true(address_read(own, &config.address));
    assert_true(address_read(its, &peer.address));
    assert_true(address_read(between, &router));
    return 0;
}

/* Configures the peer 192.0.2.2 with one path. */
static int set_up(void **state) {
    (void)state;
    return set_up_as("192.0.2.1", "192.0.2.2", "198.51.100.7");
}

static int set_up_ipv6(void **state) {
    (void)state;
    return set_up_as("2001:db8::1", "2001:db8::2", "2001:db8:1::7");
}

/* Writes "fragmentation needed" about a packet of ours to the peer. */
static void make_error(uint8_t *error, uint16_t mtu) {
    static const uint8_t outer[] = {0x45, 0, 0, ERROR_BYTES, 0, 0, 0, 0, 64, IPPROTO_ICMP};
    static const uint8_t ours[] = {0x45, 0, 5, 0xdc, 0, 0, 0x40, 0, 63, IPPROTO_UDP};
    memset(error, 0, ERROR_BYTES);
    memcpy(error, outer, sizeof outer);
    error[20] = 3;
    error[21] = 4;
    error[SAID] = (uint8_t)(mtu >> 8);
    error[SAID + 1] = (uint8_t)mtu;
    memcpy(error + 28, ours, sizeof ours);
    memcpy(error + 40, config.address.words, 4);
    memcpy(error + DESTINATION, peer.address.words, 4);
    const uint16_t ports[] = {htons(50000), htons(6081)};
    memcpy(error + PORT, ports, sizeof ports);
}

/* Writes "packet too big" as a raw socket returns it: without an IP header. */
static void make_error6(uint8_t *error, uint32_t mtu) {
    static const uint8_t start[] = {2,    0, 0, 0, 0, 0,    0,           0,
                                    0x60, 0, 0, 0, 5, 0xb4, IPPROTO_UDP, 63};
    const uint32_t said = htonl(mtu);
    const uint16_t ports[] = {htons(50000), htons(6081)};
    memset(error, 0, ERROR6_BYTES);
    memcpy(error, start, sizeof start);
    memcpy(error + 4, &said, sizeof said);
    memcpy(error + 16, config.address.words, 16);
    memcpy(error + DESTINATION6, peer.address.words, 16);
    memcpy(error + PORT6, ports, sizeof ports);
}

static bool take(uint16_t mtu) {
    uint8_t error[ERROR_BYTES];
    make_error(error, mtu);
    return path_mtu_take(error, sizeof error, &router, MTU, NOW_NS, &config);
}

static void packet_too_big_lowers_it_down_to_what_ipv6_needs(void **state) {
    (void)state;
    uint8_t error[ERROR6_BYTES];
    static const struct {
        uint32_t said, expected;
    } steps[] = {{1500, 0}, {1400, 1400}, {1450, 1400}, {68, 1280}, {UINT32_MAX, 1280}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        make_error6(error, steps[i].said);
        (void)path_mtu_take(error, sizeof error, &router, MTU, NOW_NS, &config);
        assert_int_equal(peer.path_mtu, steps[i].expected);
    }
    static const unsigned fields[] = {0, 8, 14, 23, DESTINATION6 + 15, PORT6 + 1, PORT6 + 3};
    peer.path_mtu = 0;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        make_error6(error, 1400);
        error[fields[i]] ^= 0x80;
        assert_false(path_mtu_take(error, sizeof error, &router, MTU, NOW_NS, &config));
    }
    make_error6(error, 1400);
    for (size_t size = 0; size < ERROR6_BYTES; size++)
        assert_false(path_mtu_take(error, size, &router, MTU, NOW_NS, &config));
    assert_int_equal(peer.path_mtu, 0);
}

static void it_is_lowered_and_never_raised(void **state) {
    (void)state;
    assert_true(take(1400));
    assert_int_equal(peer.path_mtu, 1400);
    assert_false(take(1450));
    assert_false(take(1400));
    assert_true(take(1300));
    assert_int_equal(peer.path_mtu, 1300);
}

static void it_is_lowered_for_what_looks_like_tcp_too(void **state) {
    (void)state;
    uint8_t error[ERROR_BYTES];
    make_error(error, 1400);
    error[37] = IPPROTO_TCP;
    assert_true(path_mtu_take(error, sizeof error, &router, MTU, NOW_NS, &config));
    assert_int_equal(peer.path_mtu, 1400);
}

static void what_the_fabric_carries_anyway_says_nothing(void **state) {
    (void)state;
    assert_false(take(MTU));
    assert_int_equal(peer.path_mtu, 0);
}

static void less_than_every_host_takes_is_not_believed(void **state) {
    (void)state;
    assert_true(take(0));
    assert_int_equal(peer.path_mtu, LEAST_PATH_MTU);
}

static void errors_about_other_packets_change_nothing(void **state) {
    (void)state;
    static const unsigned fields[] = {20, 21, 28, 37, 43, DESTINATION + 3, PORT + 1, PORT + 3};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        uint8_t error[ERROR_BYTES];
        make_error(error, 1400);
        error[fields[i]] ^= 0x80;
        assert_false(path_mtu_take(error, sizeof error, &router, MTU, NOW_NS, &config));
    }
    for (size_t size = 0; size < ERROR_BYTES; size++) {
        uint8_t error[ERROR_BYTES];
        make_error(error, 1400);
        assert_false(path_mtu_take(error, size, &router, MTU, NOW_NS, &config));
    }
    assert_int_equal(peer.path_mtu, 0);
}

/* Errors about packets that cannot have been too long for a router. */
static void what_fits_or_is_longer_than_we_send_was_never_too_long(void **state) {
    (void)state;
    uint8_t error[ERROR_BYTES];
    static const uint16_t lengths[] = {MTU + 1, 9000, 1400, 1399, 28};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        make_error(error, 1400);
        error[30] = (uint8_t)(lengths[i] >> 8);
        error[31] = (uint8_t)lengths[i];
        assert_false(path_mtu_take(error, sizeof error, &router, MTU, NOW_NS, &config));
    }
    assert_int_equal(peer.path_mtu, 0);
}

static void it_is_forgotten_after_ten_minutes_without_another_error(void **state) {
    (void)state;
    uint8_t error[ERROR_BYTES];
    const uint64_t again_ns = NOW_NS + PATH_MTU_AGE_NS / 2;
    assert_int_equal(path_mtu_wait_ms(NOW_NS, &config), -1);
    assert_true(take(1400));
    assert_int_equal(path_mtu_wait_ms(NOW_NS, &config), 600001);
    make_error(error, 1400);
    assert_false(path_mtu_take(error, sizeof error, &router, MTU, again_ns, &config));
    assert_false(path_mtu_forget(NOW_NS + PATH_MTU_AGE_NS, &config));
    assert_int_equal(peer.path_mtu, 1400);
    assert_int_equal(path_mtu_wait_ms(NOW_NS + PATH_MTU_AGE_NS, &config), 300001);
    assert_true(path_mtu_forget(again_ns + PATH_MTU_AGE_NS, &config));
    assert_int_equal(peer.path_mtu, 0);
    assert_false(path_mtu_forget(again_ns + PATH_MTU_AGE_NS, &config));
}

static void random_errors_stay_within_bounds(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned i = 0; i < 100000; i++) {
        uint8_t error[ERROR_BYTES];
        make_error(error, (uint16_t)random_next(&random));
        for (unsigned changes = 0; changes < 3; changes++)
            if (random_one_in(&random, 3))
                error[random_between(&random, 0, ERROR_BYTES - 1)] = (uint8_t)random_next(&random);
        path_mtu_take(error, (size_t)random_between(&random, 0, ERROR_BYTES), &router, MTU, NOW_NS,
                      &config);
        assert_true(peer.path_mtu == 0 || peer.path_mtu >= LEAST_PATH_MTU);
        assert_true(peer.path_mtu < MTU);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(it_is_lowered_and_never_raised, set_up),
        cmocka_unit_test_setup(it_is_lowered_for_what_looks_like_tcp_too, set_up),
        cmocka_unit_test_setup(what_the_fabric_carries_anyway_says_nothing, set_up),
        cmocka_unit_test_setup(less_than_every_host_takes_is_not_believed, set_up),
        cmocka_unit_test_setup(what_fits_or_is_longer_than_we_send_was_never_too_long, set_up),
        cmocka_unit_test_setup(it_is_forgotten_after_ten_minutes_without_another_error, set_up),
        cmocka_unit_test_setup(errors_about_other_packets_change_nothing, set_up),
        cmocka_unit_test_setup(packet_too_big_lowers_it_down_to_what_ipv6_needs, set_up_ipv6),
        cmocka_unit_test_setup(random_errors_stay_within_bounds, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
