/* Which sockets prove that a user owns flows. */
#include <netinet/in.h>

#include "flow_owner.h"
#include "testing.h"

enum { ALICE = 1000, BOB = 1001, HERE = 0x0a000001, THERE = 0x0a000002 };

static struct flow_socket socket_of(uint32_t user, uint32_t local, uint16_t port, uint32_t remote,
                                    uint16_t remote_port) {
    return (struct flow_socket){.key = {.source = base_ipv4(local),
                                        .destination = base_ipv4(remote),
                                        .source_port = port,
                                        .destination_port = remote_port,
                                        .protocol = IPPROTO_TCP},
                                .user = user};
}

/* Whether ALICE may map the flows if these two sockets exist. */
static bool good(const struct sdd_match *match, struct flow_socket a, struct flow_socket b) {
    struct flow_claim claim = {.match = match, .user = ALICE};
    flow_claim_consider(&claim, &a);
    flow_claim_consider(&claim, &b);
    flow_claim_decide(&claim);
    return claim.good;
}

static void one_flow_is_that_of_its_connected_socket(void **state) {
    (void)state;
    const struct flow_socket alices = socket_of(ALICE, HERE, 80, THERE, 9);
    const struct flow_socket bobs = socket_of(BOB, HERE, 80, THERE, 9);
    const struct flow_socket bob_listens = socket_of(BOB, 0, 80, 0, 0);
    const struct flow_socket alice_listens = socket_of(ALICE, 0, 80, 0, 0);
    const struct flow_socket elsewhere = socket_of(ALICE, HERE, 81, THERE, 9);
    const struct sdd_match match = sdd_match_flow(&alices.key);
    assert_true(good(&match, alices, elsewhere));
    assert_true(good(&match, alices, bob_listens)); /* a server that dropped its privileges */
    assert_false(good(&match, bobs, alice_listens));
    assert_false(good(&match, alices, bobs));
    assert_false(good(&match, elsewhere, elsewhere));
    assert_true(good(&match, alice_listens, elsewhere)); /* the socket may still connect */
}

static void a_port_is_the_users_if_all_its_sockets_are(void **state) {
    (void)state;
    struct sdd_match match = sdd_match_all();
    match.protocol = IPPROTO_TCP;
    match.source_port = 80;
    assert_false(flow_can_be_claimed(&match));
    match.wildcards = SDD_ANY_DESTINATION_PORT;
    assert_true(flow_can_be_claimed(&match));
    assert_true(good(&match, socket_of(ALICE, 0, 80, 0, 0), socket_of(ALICE, HERE, 80, THERE, 9)));
    assert_true(good(&match, socket_of(ALICE, HERE, 80, 0, 0), socket_of(BOB, HERE, 81, 0, 0)));
    assert_false(good(&match, socket_of(ALICE, HERE, 80, 0, 0), socket_of(BOB, THERE, 80, 0, 0)));
    match.source = base_ipv4(HERE);
    match.source_prefix_bits = 128;
    assert_true(good(&match, socket_of(ALICE, HERE, 80, 0, 0), socket_of(BOB, THERE, 80, 0, 0)));
    match.protocol = IPPROTO_ICMP;
    assert_false(flow_can_be_claimed(&match));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_flow_is_that_of_its_connected_socket),
        cmocka_unit_test(a_port_is_the_users_if_all_its_sockets_are),
    };
    return cmocka_run_group_tests_name("flow_owner", tests, NULL, NULL);
}
