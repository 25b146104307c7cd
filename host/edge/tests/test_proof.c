/* Authenticated reports: what somebody writes who uses a peer's address and has no key, or another.
 */
#include <bpf/libbpf.h>
#include <linux/in.h>
#include <linux/pkt_cls.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <string.h>
#include <time.h>

#include "proof.h" /* before programs.h, whose variables have names of its parameters */

#include "programs.h"
#include "random.h"
#include "testing.h"

enum { LONGEST = FRAME + HEADER6 + REST + EDGE_PROOF_BYTES, OPTION_BYTES = EDGE_OPTION_BYTES };

/* Of `here` to `there`, of two times. */
static const struct edge_key before = {{11, 12}}, after = {{21, 22}};

static uint8_t signed_packet[LONGEST];
static uint32_t signed_length;
static uint32_t option_at; /* where libedge's part of it begins */

/* Gives this host's only peer keys. */
static void share(uint32_t host, const struct edge_keys *keys) {
    static struct edge_peer peer;
    const struct edge_address address = outer_of(host == here ? there : here);
    get("peers", &address, &peer);
    peer.keys = *keys;
    put("peers", &address, &peer);
}

static struct edge_keys accepting(struct edge_key one) {
    return (struct edge_keys){.in = {one}, .count = 1, .required = 1};
}

static struct edge_peer *sender_now(void) {
    static struct edge_peer peer;
    const struct edge_address address = outer_of(here);
    get("peers", &address, &peer);
    return &peer;
}

static uint64_t unproved_now(void) {
    static struct edge_account account;
    const struct edge_address address = outer_of(here);
    get("accounts", &address, &account);
    return account.unproved;
}

/* The edge `here` sends a packet under a key. Then this is the edge `there`, which accepts `in`. */
static void exchange(struct edge_key out, const struct edge_keys *in) {
    uint8_t inner[FRAME];
    be(here);
    share(here, &(struct edge_keys){.out = out, .count = 1, .required = 1});
    make_inner(inner);
    signed_length = sizeof signed_packet;
    assert_int_equal(run("edge_out", inner, FRAME, signed_packet, &signed_length), TC_ACT_UNSPEC);
    assert_int_equal(signed_length, FRAME + header_bytes() + EDGE_PROOF_BYTES);
    option_at = ETHERNET + header_bytes() - OPTION_BYTES;
    be(there);
    share(there, in);
}

/* Signs it as an edge does that has the key, with feedback about a path. */
static void report(const struct edge_key *key, uint8_t path, uint32_t time) {
    struct edge_geneve geneve;
    struct edge_proved proved;
    signed_packet[option_at] |= EDGE_OPTION_FEEDBACK | EDGE_OPTION_MARKED;
    signed_packet[option_at + 3] = path;
    memcpy(&geneve, signed_packet + option_at + OPTION_BYTES - sizeof geneve, sizeof geneve);
    edge_proved_of(&geneve, time, &proved);
    edge_put32(signed_packet + option_at + OPTION_BYTES, time);
    edge_put32(signed_packet + option_at + OPTION_BYTES + 4, (uint32_t)edge_siphash(key, &proved));
}

static uint32_t sent_time(void) {
    return edge_get32(signed_packet + option_at + OPTION_BYTES);
}

/* The guest gets what was sent. Returns whether its report counted. */
static bool arrives(void) {
    uint8_t inner[FRAME], out[LONGEST];
    uint32_t out_length = sizeof out;
    const uint64_t unproved = unproved_now();
    make_inner(inner);
    assert_int_equal(run("edge_in", signed_packet, signed_length, out, &out_length), TC_ACT_UNSPEC);
    assert_int_equal(out_length, FRAME);
    assert_memory_equal(out + ETHERNET, inner + ETHERNET, FRAME - ETHERNET);
    const uint64_t more = unproved_now() - unproved;
    assert_in_range(more, 0, 1);
    return more == 0;
}

static bool moved(uint32_t path) {
    return sender_now()->paths.weight[path] != EDGE_WEIGHT_ONE / PATHS;
}

static void siphash_is_that_of_openssl(void **state) {
    (void)state;
    struct random random = {seed()};
    EVP_MAC *siphash = EVP_MAC_fetch(NULL, "SIPHASH", NULL);
    assert_non_null(siphash);
    for (unsigned i = 0; i < 1000; i++) {
        struct edge_key key;
        struct edge_proved proved;
        uint64_t code = 0;
        size_t size = sizeof code;
        for (unsigned word = 0; word < 2; word++)
            key.words[word] = random_next(&random);
        for (unsigned word = 0; word < 3; word++)
            proved.words[word] = random_next(&random);
        OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t("size", &size), OSSL_PARAM_END};
        EVP_MAC_CTX *context = EVP_MAC_CTX_new(siphash);
        assert_true(EVP_MAC_init(context, (const uint8_t *)&key, sizeof key, params));
        assert_true(EVP_MAC_update(context, (const uint8_t *)&proved, sizeof proved));
        assert_true(EVP_MAC_final(context, (uint8_t *)&code, &size, sizeof code));
        EVP_MAC_CTX_free(context);
        assert_true(code == edge_siphash(&key, &proved));
    }
    EVP_MAC_free(siphash);
}

static void a_peer_with_the_key_is_believed(void **state) {
    (void)state;
    if (!object)
        skip();
    const struct edge_keys keys = accepting(before);
    const uint8_t transports[] = {IPPROTO_UDP, IPPROTO_TCP};
    for (unsigned t = 0; t < 2; t++)
        for (outer_family = 4; outer_family <= 6; outer_family += 2)
            for (scheme = 0; scheme < EDGE_SCHEMES; scheme++) {
                transport = transports[t];
                exchange(before, &keys);
                assert_true(arrives());
                report(&before, 5, sent_time());
                assert_true(arrives());
                assert_int_equal(moved(5), scheme == EDGE_CLOVE_ECN);
            }
    outer_family = 4;
    transport = IPPROTO_UDP;
}

/* Each bit of what is covered, and of the code; without one; and under another key. */
static void a_forged_report_moves_nothing_and_is_counted(void **state) {
    (void)state;
    if (!object)
        skip();
    const struct edge_keys keys = accepting(before);
    scheme = EDGE_CLOVE_ECN;
    exchange(before, &keys);
    report(&before, 5, sent_time());
    for (unsigned byte = 0; byte < OPTION_BYTES + EDGE_PROOF_BYTES; byte++)
        for (unsigned bit = 0; bit < 8; bit++) {
            const bool is_a_switchs = byte >= 4 && byte < 8;
            const bool is_malformed = (byte == 0 && bit >= 4) || (byte == 1 && bit != 7) ||
                                      ((byte == 2 || byte == 3) && bit >= 6);
            if (is_a_switchs || is_malformed)
                continue;
            signed_packet[option_at + byte] ^= (uint8_t)(1 << bit);
            assert_false(arrives());
            signed_packet[option_at + byte] ^= (uint8_t)(1 << bit);
        }
    report(&after, 6, sent_time());
    assert_false(arrives());
    for (uint32_t path = 0; path < PATHS; path++)
        assert_false(moved(path));
    assert_int_equal(sender_now()->reports.changed, 0); /* nothing is measured by them either */
    /* As an edge without keys writes it, or anybody else. */
    signed_length = make_outer(signed_packet);
    share(there, &keys);
    signed_packet[option_at] = 0x13;
    signed_packet[option_at + 3] = 5;
    assert_false(arrives());
    assert_false(moved(5));
    /* The controller has not ordered the keys yet. */
    share(there, &(struct edge_keys){.required = 1});
    assert_false(arrives());
    assert_false(moved(5));
    share(there, &(struct edge_keys){0});
    assert_true(arrives());
    assert_true(moved(5));
}

/* What a leaf and a stamping port write stays outside. */
static void what_switches_write_does_not_matter(void **state) {
    (void)state;
    if (!object)
        skip();
    const struct edge_keys keys = accepting(before);
    for (scheme = 0; scheme < EDGE_SCHEMES; scheme++) {
        exchange(before, &keys);
        memset(signed_packet + option_at + 4, 0x55, 2);
        assert_true(arrives());
        memset(signed_packet + option_at + 8, 0x55, 4);
        assert_int_equal(arrives(), scheme == EDGE_CLOVE_INT);
    }
}

static void replays_count_for_a_second_at_most(void **state) {
    (void)state;
    if (!object)
        skip();
    struct edge_keys keys = accepting(before);
    scheme = EDGE_CLOVE_ECN;
    exchange(before, &keys);
    const uint32_t time = sent_time();
    assert_true(arrives());
    assert_int_equal(sender_now()->keys.newest, time);
    report(&before, 1, time - EDGE_PROOF_WINDOW);
    assert_true(arrives());
    report(&before, 1, time - EDGE_PROOF_WINDOW - 1);
    assert_false(arrives());
    report(&before, 1, time + 1000000);
    assert_true(arrives());
    report(&before, 1, time);
    assert_false(arrives());
    assert_int_equal(sender_now()->keys.newest, time + 1000000);
    /* The peer's clock was set back. */
    keys = sender_now()->keys;
    keys.newest_ns -= EDGE_PROOF_SILENCE_NS + 1000;
    share(there, &keys);
    assert_true(arrives());
    assert_int_equal(sender_now()->keys.newest, time);
}

static void two_keys_are_accepted_while_one_replaces_the_other(void **state) {
    (void)state;
    if (!object)
        skip();
    const struct edge_key never = {{31, 32}};
    const struct edge_keys both = {.in = {before, after}, .count = 2, .required = 1};
    scheme = EDGE_ALB;
    exchange(before, &both);
    assert_true(arrives());
    exchange(after, &both);
    assert_true(arrives());
    exchange(never, &both);
    assert_false(arrives());
}

static void without_a_code_packets_are_dropped_where_that_is_configured(void **state) {
    (void)state;
    if (!object)
        skip();
    const uint32_t zero = 0;
    const struct edge_keys keys = accepting(before);
    struct edge_settings settings;
    uint8_t out[LONGEST];
    uint32_t out_length = sizeof out;
    scheme = EDGE_CLOVE_ECN;
    exchange(before, &keys);
    get("settings", &zero, &settings);
    settings.drops_unproved = 1;
    put("settings", &zero, &settings);
    assert_true(arrives());
    const uint64_t drops = dropped(EDGE_DROP_UNPROVED);
    report(&after, 1, sent_time());
    assert_int_equal(run("edge_in", signed_packet, signed_length, out, &out_length), TC_ACT_SHOT);
    assert_int_equal(dropped(EDGE_DROP_UNPROVED), drops + 1);
}

/* An edge without packets of guests for its peer sends reports in packets of its own. */
static void a_probe_with_a_report_is_authenticated(void **state) {
    (void)state;
    if (!object)
        skip();
    struct edge_keys keys = accepting(before);
    static struct edge_account account;
    static struct edge_peer peer;
    const struct edge_address receiver = outer_of(there);
    uint8_t probe[LONGEST], out[LONGEST];
    uint32_t length = sizeof probe, out_length = sizeof out;
    keys.out = after;
    scheme = EDGE_CLOVE_ECN;
    exchange(before, &keys);
    signed_packet[ETHERNET + 1] |= EDGE_CE;
    const uint8_t path = signed_packet[option_at + 2];
    assert_true(arrives());
    assert_int_equal(run("edge_out", signed_packet, signed_length, probe, &length), TC_ACT_OK);
    assert_in_range(length, ETHERNET + HEADER + EDGE_PROOF_BYTES + 28, signed_length);
    be(here);
    keys = accepting(before);
    share(here, &keys);
    assert_int_equal(run("edge_in", probe, length, out, &out_length), TC_ACT_SHOT);
    get("accounts", &receiver, &account);
    assert_int_equal(account.probes_received, 1);
    assert_int_equal(account.unproved, 1); /* under another key */
    keys = accepting(after);
    share(here, &keys);
    out_length = sizeof out;
    assert_int_equal(run("edge_in", probe, length, out, &out_length), TC_ACT_SHOT);
    get("accounts", &receiver, &account);
    get("peers", &receiver, &peer);
    assert_int_equal(account.unproved, 1);
    assert_int_equal(account.paths[path].marks_taken, 1);
    assert_true(peer.paths.weight[path] < EDGE_WEIGHT_ONE / PATHS);
}

/* The program's struct port. */
struct port {
    uint64_t bits_per_s;
    uint64_t slower;
    uint64_t overlay_port;
};

static void a_port_that_stamps_reads_packets_with_a_code_too(void **state) {
    (void)state;
    if (!object)
        skip();
    const struct edge_keys keys = accepting(before);
    const struct port full = {.bits_per_s = 1000000, .slower = 1, .overlay_port = 6081};
    struct bpf_object *stamping = load_port(STAMPING_BPF_OBJECT);
    uint32_t out_length = sizeof signed_packet;
    write_port(stamping, "port", &full);
    scheme = EDGE_CLOVE_INT;
    exchange(before, &keys);
    assert_int_equal(
        run_in(stamping, "stamping_port", signed_packet, signed_length, signed_packet, &out_length),
        TC_ACT_UNSPEC);
    bpf_object__close(stamping);
    assert_int_equal(edge_get32(signed_packet + option_at + 8), 65535);
    assert_true(arrives());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(siphash_is_that_of_openssl),
        cmocka_unit_test(a_peer_with_the_key_is_believed),
        cmocka_unit_test(a_forged_report_moves_nothing_and_is_counted),
        cmocka_unit_test(what_switches_write_does_not_matter),
        cmocka_unit_test(replays_count_for_a_second_at_most),
        cmocka_unit_test(two_keys_are_accepted_while_one_replaces_the_other),
        cmocka_unit_test(a_probe_with_a_report_is_authenticated),
        cmocka_unit_test(a_port_that_stamps_reads_packets_with_a_code_too),
        cmocka_unit_test(without_a_code_packets_are_dropped_where_that_is_configured),
    };
    return cmocka_run_group_tests(tests, programs_load, programs_unload);
}
