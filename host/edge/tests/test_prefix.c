/* Compares prefixes of inner addresses with a model that tests single bits. */
#include <stdio.h>
#include <string.h>

#include "prefix.h"
#include "random.h"
#include "testing.h"

enum { ROUNDS = 20000 };

static bool bit_of(const struct edge_address *address, unsigned bit) {
    const uint8_t *bytes = (const void *)address->words;
    return bytes[bit / 8] >> (7 - bit % 8) & 1;
}

static struct edge_address random_address(struct random *random, uint32_t family) {
    struct edge_address address = {.family = family};
    for (unsigned i = 0; i < (family == 6 ? 4u : 1u); i++)
        address.words[i] = (uint32_t)random_next(random);
    return address;
}

static void a_prefix_covers_what_has_its_bits(void **state) {
    (void)state;
    struct random random = {seed()};
    unsigned covered = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint32_t family = random_one_in(&random, 2) ? 4 : 6;
        struct prefix_config prefix = {.address = random_address(&random, family)};
        prefix.bits = (uint8_t)random_between(&random, 0, address_bits(&prefix.address));
        struct edge_address address = prefix.address;
        uint8_t *bytes = (void *)prefix.address.words, *others = (void *)address.words;
        for (unsigned bit = prefix.bits; bit < address_bits(&prefix.address); bit++)
            bytes[bit / 8] &= (uint8_t) ~(0x80 >> bit % 8);
        /* Flips a random bit. */
        const unsigned flipped =
            (unsigned)random_between(&random, 0, address_bits(&prefix.address) - 1);
        others[flipped / 8] ^= (uint8_t)(0x80 >> flipped % 8);
        bool expected = true;
        for (unsigned bit = 0; bit < prefix.bits; bit++)
            expected &= bit_of(&prefix.address, bit) == bit_of(&address, bit);
        assert_int_equal(prefix_covers(&prefix, &address), expected);
        covered += expected;
        char text[PREFIX_TEXT_BYTES];
        struct prefix_config again;
        assert_true(prefix_read(prefix_write(&prefix, text), &again));
        assert_true(prefix_same(&prefix, &again));
        const struct edge_prefix key = prefix_key(&prefix);
        again = prefix_of_key(&key);
        assert_true(prefix_same(&prefix, &again));
    }
    assert_true(covered > ROUNDS / 10);
}

static void families_have_nothing_in_common(void **state) {
    (void)state;
    struct prefix_config all4, all6;
    assert_true(prefix_read("0.0.0.0/0", &all4));
    assert_true(prefix_read("::/0", &all6));
    const struct edge_address zero4 = address_ipv4(0), zero6 = {.family = 6};
    assert_true(prefix_covers(&all4, &zero4) && prefix_covers(&all6, &zero6));
    assert_false(prefix_covers(&all4, &zero6) || prefix_covers(&all6, &zero4));
    assert_false(prefix_same(&all4, &all6));
}

static void what_is_no_prefix_is_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"",
                                        "10.0.0.0",
                                        "10.0.0.0/",
                                        "10.0.0.0/33",
                                        "10.0.0.0/024",
                                        "10.0.0.1/24",
                                        "10.0.0/24",
                                        "/24",
                                        "2001:db8::/129",
                                        "2001:db8::1/64",
                                        "2001:db8::",
                                        "2001::db8::/64",
                                        "::ffff/-1",
                                        "fe80::%eth0/64",
                                        "10.0.0.0/24 ",
                                        "::/0000",
                                        "::ffff:10.0.0.1/64",
                                        "1111:1111:1111:1111:1111:1111:111.111.111.1111/128"};
    struct prefix_config prefix;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (prefix_read(wrong[i], &prefix))
            fail_msg("%s is taken for a prefix", wrong[i]);
}

static void only_a_hosts_address_is_unicast(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool unicast;
    } cases[] = {{"192.0.2.1", true},   {"223.255.255.255", true},
                 {"1.0.0.0", true},     {"0.0.0.0", false},
                 {"0.1.2.3", false},    {"127.0.0.1", false},
                 {"224.0.0.1", false},  {"255.255.255.255", false},
                 {"2001:db8::1", true}, {"fe80::1", true},
                 {"::2", true},         {"::", false},
                 {"::1", false},        {"ff02::1", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct edge_address address;
        assert_true(address_read(cases[i].text, &address));
        if (address_is_unicast(&address) != cases[i].unicast)
            fail_msg("%s is %sone", cases[i].text, cases[i].unicast ? "" : "not ");
    }
}

static void hosts_in_another_place_have_unicast_prefixes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool unicast;
    } cases[] = {{"10.0.0.0/8", true},
                 {"0.0.0.0/0", true},
                 {"::/0", true},
                 {"192.0.0.0/2", true},
                 {"223.255.255.0/24", true},
                 {"fc00::/7", true},
                 {"::/8", true},
                 {"0.0.0.0/8", false},
                 {"127.0.0.0/8", false},
                 {"127.0.0.1/32", false},
                 {"224.0.0.0/4", false},
                 {"255.255.255.255/32", false},
                 {"fe80::/10", false},
                 {"fe80::/64", false},
                 {"::1/128", false},
                 {"ff00::/8", false},
                 {"ff02::/16", false},
                 {"169.254.0.0/16", false},
                 {"169.254.9.0/24", false},
                 {"169.255.0.0/16", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct prefix_config prefix;
        assert_true(prefix_read(cases[i].text, &prefix));
        if (prefix_is_unicast(&prefix) != cases[i].unicast)
            fail_msg("%s is %sone", cases[i].text, cases[i].unicast ? "" : "not ");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prefix_covers_what_has_its_bits),
        cmocka_unit_test(families_have_nothing_in_common),
        cmocka_unit_test(what_is_no_prefix_is_refused),
        cmocka_unit_test(only_a_hosts_address_is_unicast),
        cmocka_unit_test(hosts_in_another_place_have_unicast_prefixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
