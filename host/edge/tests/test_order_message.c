/* Orders and weights that the edge accepts, and its errors for others. */
#include <string.h>

#include "order_message.h"
#include "testing.h"

enum { ROOM = 512 };

static uint8_t bytes[ROOM];
static struct order order;
static struct weighted_prefix weights;
static uint64_t request_id;

/* Writes an order with one prefix and no parameters. */
static struct sdd_wire_edgeOrder_prefixes *write_order(struct sdd_wire_edgeOrder *codec,
                                                       struct sdd_wire_edgeOrder_prefixes *row,
                                                       const char *address, uint8_t bits) {
    const uint32_t null = sdd_wire_edgeOrder_prefixes_rttNs_null_value();
    uint8_t mapped[16] = {[10] = 0xff, [11] = 0xff};
    struct edge_address read;
    assert_true(address_read(address, &read));
    memcpy(read.family == 6 ? mapped : mapped + 12, read.words, read.family == 6 ? 16 : 4);
    sdd_wire_edgeOrder_set_requestId(codec, 77);
    sdd_wire_edgeOrder_set_reportMs(codec, 500);
    sdd_wire_edgeOrder_prefixes_set_count(codec, row, 1);
    sdd_wire_edgeOrder_prefixes_next(row);
    sdd_wire_edgeOrder_prefixes_put_address(row, (const char *)mapped);
    sdd_wire_edgeOrder_prefixes_set_bits(row, bits);
    sdd_wire_edgeOrder_prefixes_set_scheme(row, sdd_wire_edgeScheme_INTFLOW);
    sdd_wire_edgeOrder_prefixes_set_gapNs(row, 0);
    sdd_wire_edgeOrder_prefixes_set_gapAdaptPercent(
        row, sdd_wire_edgeOrder_prefixes_gapAdaptPercent_null_value());
    sdd_wire_edgeOrder_prefixes_set_rttNs(row, null);
    sdd_wire_edgeOrder_prefixes_set_relayNs(row, null);
    sdd_wire_edgeOrder_prefixes_set_delayNs(row, null);
    sdd_wire_edgeOrder_prefixes_set_windowNs(row, null);
    sdd_wire_edgeOrder_prefixes_set_timeoutNs(row, null);
    sdd_wire_edgeOrder_prefixes_set_sizeBytes(row, null);
    sdd_wire_edgeOrder_prefixes_set_metricAgeNs(row, null);
    sdd_wire_edgeOrder_prefixes_set_settleNs(row, null);
    return row;
}

static const char *read_back(size_t size) {
    static char error[200];
    struct wire_message message;
    const char *why;
    assert_int_equal(wire_check(bytes, size, &message, &why), WIRE_GOOD);
    request_id = 0;
    error[0] = '\0';
    const bool good = order_message_read(&message, &request_id, &order, error, sizeof error);
    assert_int_equal(good, error[0] == '\0');
    assert_int_equal(request_id, 77);
    return error;
}

#define ORDER(address, bits)                                                                       \
    WIRE_ENCODE(edgeOrder, codec, bytes, ROOM);                                                    \
    struct sdd_wire_edgeOrder_prefixes entry = {0};                                                \
    struct sdd_wire_edgeOrder_prefixes *row = write_order(&codec, &entry, address, bits)

static void what_is_not_ordered_is_the_files(void **state) {
    (void)state;
    ORDER("10.0.0.0", 8);
    assert_string_equal(read_back(WIRE_ENCODED(edgeOrder, codec)), "");
    assert_int_equal(order.report_ms, 500);
    assert_int_equal(order.count, 1);
    const struct ordered *what = &order.prefixes[0].what;
    assert_int_equal(what->scheme, EDGE_INTFLOW);
    const uint32_t all[] = {
        what->gap_ns,    what->gap_percent, what->rtt_ns,     what->relay_ns,      what->delay_ns,
        what->window_ns, what->timeout_ns,  what->size_bytes, what->metric_age_ns, what->settle_ns};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_int_equal(all[i], NOT_ORDERED);
    (void)row;
}

static void each_parameter_is_taken_within_its_range(void **state) {
    (void)state;
    ORDER("2001:db8::", 32);
    const size_t size = WIRE_ENCODED(edgeOrder, codec);
    const struct ordered *what = &order.prefixes[0].what;
#define REFUSED(field, value, error)                                                               \
    sdd_wire_edgeOrder_prefixes_set_##field(row, value);                                           \
    assert_string_equal(read_back(size), "prefixes[0]." #field ": must be " error)
#define TAKEN(field, value, member)                                                                \
    sdd_wire_edgeOrder_prefixes_set_##field(row, value);                                           \
    assert_string_equal(read_back(size), "");                                                      \
    assert_int_equal(what->member, value)
    REFUSED(gapNs, 1000000001, "0 to 1000000000");
    TAKEN(gapNs, 1000000000, gap_ns);
    REFUSED(gapAdaptPercent, 401, "0 to 400");
    TAKEN(gapAdaptPercent, 0, gap_percent);
    REFUSED(rttNs, 100000001, "1 to 100000000");
    TAKEN(rttNs, 1, rtt_ns);
    REFUSED(relayNs, 0, "1 to 100000000");
    TAKEN(relayNs, 100000000, relay_ns);
    REFUSED(delayNs, 1000000001, "1 to 1000000000");
    TAKEN(delayNs, 1, delay_ns);
    REFUSED(windowNs, 4000000001, "1 to 4000000000");
    TAKEN(windowNs, 4000000000, window_ns);
    REFUSED(timeoutNs, 0, "1 to 4000000000");
    TAKEN(timeoutNs, 5, timeout_ns);
    REFUSED(sizeBytes, 1000000001, "1 to 1000000000");
    TAKEN(sizeBytes, 6, size_bytes);
    REFUSED(metricAgeNs, 4000000001, "1 to 4000000000");
    TAKEN(metricAgeNs, 4000000000, metric_age_ns);
    REFUSED(settleNs, 4000000001, "0 to 4000000000");
    TAKEN(settleNs, 0, settle_ns);
    assert_int_equal(order.prefixes[0].prefix.address.family, 6);
}

static void a_bad_prefix_or_time_names_its_field(void **state) {
    (void)state;
    static const struct {
        const char *address;
        uint8_t bits;
        const char *error;
    } cases[] = {
        {"10.0.0.0", 33, "prefixes[0].bits: must be 0 to 128, and of IPv4 0 to 32"},
        {"10.0.0.1", 24, "prefixes[0].address: must not have bits of hosts"},
        {"2001:db8::", 129, "prefixes[0].bits: must be 0 to 128, and of IPv4 0 to 32"},
        {"2001:db8::1", 64, "prefixes[0].address: must not have bits of hosts"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ORDER(cases[i].address, cases[i].bits);
        assert_string_equal(read_back(WIRE_ENCODED(edgeOrder, codec)), cases[i].error);
        (void)row;
    }
    ORDER("10.0.0.0", 8);
    sdd_wire_edgeOrder_prefixes_set_scheme(row, 9);
    assert_string_equal(read_back(WIRE_ENCODED(edgeOrder, codec)),
                        "prefixes[0].scheme: is not known here");
    sdd_wire_edgeOrder_set_reportMs(&codec, 99);
    assert_string_equal(read_back(WIRE_ENCODED(edgeOrder, codec)), "reportMs: must be 100 to 4000");
}

/* Reads weights of an IPv6 hop to a prefix of this length. */
static const char *read_weights(uint8_t bits, uint32_t share) {
    static const uint8_t prefix[16] = {0x20, 0x01, 0x0d, 0xb8}, hop[16] = {0x20, 0x01, [15] = 9};
    struct sdd_wire_edgeWeights_hops hops = {0};
    struct wire_message message;
    const char *why;
    WIRE_ENCODE(edgeWeights, codec, bytes, ROOM);
    sdd_wire_edgeWeights_set_requestId(&codec, 78);
    sdd_wire_edgeWeights_put_address(&codec, (const char *)prefix);
    sdd_wire_edgeWeights_set_bits(&codec, bits);
    sdd_wire_edgeWeights_hops_set_count(&codec, &hops, 1);
    sdd_wire_edgeWeights_hops_next(&hops);
    sdd_wire_edgeWeights_hops_put_address(&hops, (const char *)hop);
    sdd_wire_edgeWeights_hops_set_share(&hops, share);
    assert_int_equal(wire_check(bytes, WIRE_ENCODED(edgeWeights, codec), &message, &why),
                     WIRE_GOOD);
    return weights_message_read(&message, &request_id, &weights);
}

static void weights_are_of_either_family(void **state) {
    (void)state;
    char text[PREFIX_TEXT_BYTES], address[ADDRESS_TEXT_BYTES];
    assert_null(read_weights(32, 500000));
    assert_int_equal(request_id, 78);
    assert_string_equal(prefix_write(&weights.prefix, text), "2001:db8::/32");
    assert_int_equal(weights.count, 1);
    assert_int_equal(weights.hops[0].share, 500000);
    assert_string_equal(address_write(&weights.hops[0].address, address), "2001::9");
    assert_string_equal(read_weights(16, 1), "address: must not have bits of hosts");
    assert_string_equal(read_weights(129, 1), "bits: must be 0 to 128, and of IPv4 0 to 32");
    assert_string_equal(read_weights(32, 0), "hops: share must be 1 to 1000000");
}

/* Keys for a peer at an address; the last byte of each key is another. */
static const char *take_keys(const struct edge_address *peer, uint8_t also, struct config *to) {
    uint8_t address[16] = {[10] = 0xff, [11] = 0xff}, sent[16] = {1, [15] = 2}, accepted[16] = {3};
    const uint8_t also_accepted[16] = {also};
    struct sdd_wire_edgeKeys_peers row = {0};
    struct wire_message message;
    const char *why;
    memcpy(address + 12, peer->words, 4);
    WIRE_ENCODE(edgeKeys, codec, bytes, ROOM);
    sdd_wire_edgeKeys_set_requestId(&codec, 79);
    sdd_wire_edgeKeys_peers_set_count(&codec, &row, 1);
    sdd_wire_edgeKeys_peers_next(&row);
    sdd_wire_edgeKeys_peers_put_address(&row, (const char *)address);
    sdd_wire_edgeKeys_peers_put_sent(&row, (const char *)sent);
    sdd_wire_edgeKeys_peers_put_accepted(&row, (const char *)accepted);
    sdd_wire_edgeKeys_peers_put_alsoAccepted(&row, (const char *)also_accepted);
    assert_int_equal(wire_check(bytes, WIRE_ENCODED(edgeKeys, codec), &message, &why), WIRE_GOOD);
    return keys_message_take(&message, &request_id, to);
}

static void keys_are_taken_for_the_peers_that_they_are_for(void **state) {
    (void)state;
    struct peer_config peers[2] = {{.keys.required = 1}, {.keys.required = 1}};
    struct config config = {.peers = peers, .peers_count = 2, .authentication.enabled = true};
    assert_true(address_read("192.0.2.1", &peers[0].address));
    assert_true(address_read("192.0.2.2", &peers[1].address));
    assert_null(take_keys(&peers[1].address, 3, &config));
    assert_int_equal(request_id, 79);
    assert_int_equal(peers[0].keys.count, 0);
    assert_int_equal(peers[1].keys.count, 1);
    assert_true(peers[1].keys.out.words[0] == 1);
    assert_true(peers[1].keys.out.words[1] == UINT64_C(2) << 56);
    assert_true(peers[1].keys.in[0].words[0] == 3);
    assert_null(take_keys(&peers[1].address, 4, &config));
    assert_int_equal(peers[1].keys.count, 2);
    assert_true(peers[1].keys.in[1].words[0] == 4);
    assert_int_equal(peers[1].keys.required, 1);
    strcpy(config.authentication.key_file, "edge.key");
    assert_null(take_keys(&peers[0].address, 4, &config));
    assert_int_equal(peers[0].keys.count, 0);
    config.authentication.enabled = false;
    assert_string_equal(take_keys(&peers[0].address, 4, &config),
                        "authentication: is not configured at this edge");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_ordered_is_the_files),
        cmocka_unit_test(each_parameter_is_taken_within_its_range),
        cmocka_unit_test(a_bad_prefix_or_time_names_its_field),
        cmocka_unit_test(weights_are_of_either_family),
        cmocka_unit_test(keys_are_taken_for_the_peers_that_they_are_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
