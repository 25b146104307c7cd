/* What ICMP errors teach of the way to a peer, and what they cannot. */
#include <arpa/inet.h>
#include <string.h>

#include "path_mtu.h"
#include "random.h"
#include "testing.h"

enum { MTU = 1500, ERROR_BYTES = 20 + 8 + 20 + 8, SAID = 26, PORT = 48, DESTINATION = 44 };

static struct peer_config peer;
static struct config config;

/* The peer is 192.0.2.2, with one path. */
static int set_up(void **state) {
    (void)state;
    peer = (struct peer_config){.paths_count = 1, .paths = {{.port = 50000}}};
    config = (struct config){.port = 6081, .peers = &peer, .peers_count = 1};
    inet_pton(AF_INET, "192.0.2.1", &config.address);
    inet_pton(AF_INET, "192.0.2.2", &peer.address);
    return 0;
}

/* "Fragmentation needed" about a packet of ours to the peer. */
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
    memcpy(error + 40, &config.address, 4);
    memcpy(error + DESTINATION, &peer.address, 4);
    const uint16_t ports[] = {htons(50000), htons(6081)};
    memcpy(error + PORT, ports, sizeof ports);
}

static bool take(uint16_t mtu) {
    uint8_t error[ERROR_BYTES];
    make_error(error, mtu);
    return path_mtu_take(error, sizeof error, MTU, &config);
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
        assert_false(path_mtu_take(error, sizeof error, MTU, &config));
    }
    for (size_t size = 0; size < ERROR_BYTES; size++) {
        uint8_t error[ERROR_BYTES];
        make_error(error, 1400);
        assert_false(path_mtu_take(error, size, MTU, &config));
    }
    assert_int_equal(peer.path_mtu, 0);
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
        path_mtu_take(error, (size_t)random_between(&random, 0, ERROR_BYTES), MTU, &config);
        assert_true(peer.path_mtu == 0 || peer.path_mtu >= LEAST_PATH_MTU);
        assert_true(peer.path_mtu < MTU);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(it_is_lowered_and_never_raised, set_up),
        cmocka_unit_test_setup(what_the_fabric_carries_anyway_says_nothing, set_up),
        cmocka_unit_test_setup(less_than_every_host_takes_is_not_believed, set_up),
        cmocka_unit_test_setup(errors_about_other_packets_change_nothing, set_up),
        cmocka_unit_test_setup(random_errors_stay_within_bounds, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
