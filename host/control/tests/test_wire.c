/* Messages from the controller: the shared vectors are valid, and truncated ones are not. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datagram.h"
#include "random.h"
#include "testing.h"
#include "wire.h"

/* Reads a vector from the folder VECTORS. */
static size_t vector(const char *name, uint8_t *bytes, size_t room) {
    char path[512], line[4096], *at = line + strlen("hex = ");
    snprintf(path, sizeof path, "%s/%s.txt", VECTORS, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_int_equal(fclose(file), 0);
    size_t size = 0;
    for (; size < room && isxdigit((unsigned char)at[0]); at += 2)
        bytes[size++] = (uint8_t)strtoul((char[]){at[0], at[1], '\0'}, NULL, 16);
    return size;
}

/* In the order of their templates; the last one is not contiguous. */
static const char *const to_host[] = {"welcome",
                                      "refused",
                                      "create-queue",
                                      "remove-queue",
                                      "map-flow",
                                      "unmap-flow",
                                      "move-flows",
                                      "get-queues-for-flows",
                                      "add-dequeue-condition",
                                      "remove-dequeue-condition",
                                      "clear-dequeue-conditions",
                                      "query-queues",
                                      "add-trigger",
                                      "remove-trigger",
                                      "set-schedule",
                                      "circuit-configure",
                                      "edge-order",
                                      "topology-changed",
                                      "edge-weights",
                                      "set-packet-slots",
                                      "end-setup",
                                      "edge-keys",
                                      "leadership"};

static void every_vector_is_good_and_no_part_of_it_is(void **state) {
    (void)state;
    const size_t count = sizeof to_host / sizeof *to_host;
    const uint8_t known = (uint8_t)sdd_wire_welcome_sbe_schema_version();
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[2048];
        struct wire_message message;
        const char *why;
        const size_t size = vector(to_host[i], bytes, sizeof bytes - 1);
        assert_true(size > WIRE_HEADER_BYTES);
        assert_int_equal(wire_check(bytes, size, &message, &why), WIRE_GOOD);
        assert_int_equal(message.template_id, i + 1 == count ? WIRE_LEADERSHIP : WIRE_WELCOME + i);
        for (size_t part = 0; part < size; part++)
            assert_int_equal(wire_check(bytes, part, &message, &why), WIRE_BAD);
        bytes[size] = 0;
        assert_int_equal(wire_check(bytes, size + 1, &message, &why), WIRE_BAD);
        bytes[6] = known + 1; /* a newer schema may append fields */
        assert_int_equal(wire_check(bytes, size + 1, &message, &why), WIRE_GOOD);
        bytes[2] = 0xee;
        assert_int_equal(wire_check(bytes, size, &message, &why), WIRE_SKIP);
        bytes[6] = known;
        assert_int_equal(wire_check(bytes, size, &message, &why), WIRE_BAD);
    }
}

/* Writes the vector of EdgeOrder with entries of entry_bytes bytes. Returns its length; *group:
 * offset of the group's header. */
static size_t order_with_entries_of(size_t entry_bytes, uint8_t *order, size_t *group) {
    uint8_t bytes[2048];
    struct wire_message message;
    const char *why;
    const size_t size = vector("edge-order", bytes, sizeof bytes);
    assert_int_equal(wire_check(bytes, size, &message, &why), WIRE_GOOD);
    *group = (size_t)WIRE_HEADER_BYTES + message.block_length;
    const size_t first = *group + 4, entry = bytes[*group], count = bytes[*group + 2];
    memcpy(order, bytes, first);
    for (size_t i = 0; i < count; i++)
        memcpy(order + first + i * entry_bytes, bytes + first + i * entry, entry_bytes);
    order[*group] = (uint8_t)entry_bytes;
    return first + count * entry_bytes;
}

/* Entries of EdgeOrder originally had 22 bytes and no optional field. */
static void what_an_older_controller_orders_is_taken_without_what_came_later(void **state) {
    (void)state;
    static const struct {
        uint8_t last_version;
        size_t entry_bytes;
    } grown[] = {{2, 22}, {5, 48}, {6, 52}};
    uint8_t older[2048];
    struct wire_message message;
    const char *why;
    size_t group;
    for (size_t i = 0; i < sizeof grown / sizeof *grown; i++) {
        const size_t entry_bytes = grown[i].entry_bytes;
        const size_t size = order_with_entries_of(entry_bytes, older, &group);
        older[6] = (uint8_t)(grown[i].last_version + 1);
        assert_int_equal(wire_check(older, size, &message, &why), WIRE_BAD);
        older[6] = grown[i].last_version;
        assert_int_equal(wire_check(older, size, &message, &why), WIRE_GOOD);
    }
    const size_t size = order_with_entries_of(22, older, &group);
    older[6] = 2;
    assert_int_equal(wire_check(older, size, &message, &why), WIRE_GOOD);
    struct sdd_wire_edgeOrder_prefixes row = {0};
    WIRE_DECODE(edgeOrder, order, &message);
    assert_non_null(sdd_wire_edgeOrder_get_prefixes(&order, &row));
    sdd_wire_edgeOrder_prefixes_next(&row);
    assert_int_equal(sdd_wire_edgeOrder_prefixes_gapNs(&row), 300000);
    assert_int_equal(sdd_wire_edgeOrder_prefixes_gapAdaptPercent(&row),
                     sdd_wire_edgeOrder_prefixes_gapAdaptPercent_null_value());
    assert_int_equal(sdd_wire_edgeOrder_prefixes_sizeBytes(&row),
                     sdd_wire_edgeOrder_prefixes_sizeBytes_null_value());
    older[group]--;
    assert_int_equal(wire_check(older, size, &message, &why), WIRE_BAD);
}

/* Older Welcomes lack the take-over time, and the oldest also the packet switch's delay. */
static void an_older_controllers_welcome_is_good_and_says_nothing_of_later_fields(void **state) {
    (void)state;
    static const struct {
        uint8_t last_version;
        size_t later_bytes;
    } grown[] = {{7, sizeof(uint32_t)}, {4, sizeof(uint64_t) + sizeof(uint32_t)}};
    for (size_t i = 0; i < sizeof grown / sizeof *grown; i++) {
        uint8_t bytes[2048];
        struct wire_message message;
        const char *why;
        const size_t size = vector("welcome", bytes, sizeof bytes) - grown[i].later_bytes;
        bytes[0] = (uint8_t)(bytes[0] - grown[i].later_bytes);
        bytes[6] = (uint8_t)(grown[i].last_version + 1);
        assert_int_equal(wire_check(bytes, size, &message, &why), WIRE_BAD);
        bytes[6] = grown[i].last_version;
        assert_int_equal(wire_check(bytes, size, &message, &why), WIRE_GOOD);
        WIRE_DECODE(welcome, welcome, &message);
        assert_int_equal(sdd_wire_welcome_safeRateBps(&welcome), 1000000000);
        assert_true((sdd_wire_welcome_packetDelayNs(&welcome) ==
                     sdd_wire_welcome_packetDelayNs_null_value()) == (i == 1));
        assert_int_equal(sdd_wire_welcome_takeOverAfterPeriods(&welcome),
                         sdd_wire_welcome_takeOverAfterPeriods_null_value());
        assert_int_equal(wire_take_over_after_ns(&welcome), 2 * 1500000);
        bytes[0]--;
        assert_int_equal(wire_check(bytes, size - 1, &message, &why), WIRE_BAD);
    }
}

static void times_without_a_controller_are_of_whole_periods_or_endless(void **state) {
    (void)state;
    uint8_t bytes[2048];
    struct wire_message message;
    const char *why;
    const size_t size = vector("welcome", bytes, sizeof bytes);
    assert_int_equal(wire_check(bytes, size, &message, &why), WIRE_GOOD);
    WIRE_DECODE(welcome, welcome, &message);
    assert_int_equal(wire_lost_after_ns(&welcome), 4 * 1500000);
    assert_int_equal(wire_take_over_after_ns(&welcome), 3 * 1500000);
    sdd_wire_welcome_set_periodNs(&welcome, INT64_MAX / 4);
    assert_int_equal(wire_lost_after_ns(&welcome), INT64_MAX / 4 * 4);
    sdd_wire_welcome_set_takeOverAfterPeriods(&welcome, 5);
    assert_int_equal(wire_take_over_after_ns(&welcome), INT64_MAX);
}

static void fields_are_those_of_the_vectors(void **state) {
    (void)state;
    uint8_t bytes[2048];
    struct wire_message message;
    const char *why;
    size_t size = vector("set-schedule", bytes, sizeof bytes);
    assert_int_equal(wire_check(bytes, size, &message, &why), WIRE_GOOD);
    struct sdd_wire_setSchedule_slots slots = {0};
    WIRE_DECODE(setSchedule, schedule, &message);
    assert_int_equal(sdd_wire_setSchedule_requestId(&schedule), 28);
    assert_non_null(sdd_wire_setSchedule_get_slots(&schedule, &slots));
    assert_int_equal(sdd_wire_setSchedule_slots_count(&slots), 2);
    sdd_wire_setSchedule_slots_next(&slots);
    sdd_wire_setSchedule_slots_next(&slots);
    assert_int_equal(sdd_wire_setSchedule_slots_queue(&slots), 2);
    assert_int_equal(sdd_wire_setSchedule_slots_endNs(&slots), 1700000000124356789);
}

static struct datagram_filter filter;
static uint8_t key[WIRE_KEY_BYTES];
static uint64_t session_id;

static int begin(void **state) {
    (void)state;
    uint8_t bytes[2048];
    struct wire_message message;
    const char *why;
    const size_t size = vector("welcome", bytes, sizeof bytes);
    if (wire_check(bytes, size, &message, &why) != WIRE_GOOD || !datagram_open(&filter))
        return 1;
    WIRE_DECODE(welcome, welcome, &message);
    sdd_wire_welcome_get_datagramKey(&welcome, (char *)key, sizeof key);
    session_id = sdd_wire_welcome_sessionId(&welcome);
    datagram_begin(&filter, session_id, key);
    return 0;
}

static int end(void **state) {
    (void)state;
    datagram_close(&filter);
    return 0;
}

static void the_controllers_datagrams_are_taken_once(void **state) {
    (void)state;
    static const char *const names[] = {"datagram-1-heartbeat", "datagram-2-start-stop",
                                        "datagram-3-start"};
    struct wire_message message;
    uint8_t bytes[2048];
    for (unsigned i = 0; i < 3; i++) {
        const size_t size = vector(names[i], bytes, sizeof bytes);
        assert_true(datagram_accept(&filter, bytes, size, &message));
        assert_false(datagram_accept(&filter, bytes, size, &message));
        for (size_t byte = 0; byte < size; byte++) {
            bytes[byte] ^= 1;
            assert_false(datagram_accept(&filter, bytes, size, &message));
            bytes[byte] ^= 1;
        }
    }
    assert_int_equal(filter.accepted, 3);
    assert_int_equal(datagram_lost(&filter), filter.highest - 3);
    datagram_begin(&filter, session_id + 1, key);
    assert_false(datagram_accept(&filter, bytes, vector(names[2], bytes, sizeof bytes), &message));
}

/* Writes a signed heartbeat with this sequence number. */
static size_t heartbeat(uint64_t sequence, uint8_t *bytes) {
    struct sdd_wire_startStop_commands none = {0};
    WIRE_ENCODE(startStop, codec, bytes, WIRE_MAX_DATAGRAM_BYTES);
    sdd_wire_startStop_set_sessionId(&codec, session_id);
    sdd_wire_startStop_set_sequence(&codec, sequence);
    sdd_wire_startStop_set_period(&codec, 0);
    sdd_wire_startStop_set_timeNs(&codec, 0);
    sdd_wire_startStop_commands_set_count(&codec, &none, 0);
    const size_t size = WIRE_ENCODED(startStop, codec);
    uint8_t tag[32];
    size_t length;
    EVP_MAC_init(filter.mac, key, sizeof key, NULL);
    EVP_MAC_update(filter.mac, bytes, size);
    EVP_MAC_final(filter.mac, tag, &length, sizeof tag);
    memcpy(bytes + size, tag, WIRE_TAG_BYTES);
    return size + WIRE_TAG_BYTES;
}

/* Compares with the rule: a sequence number is accepted once, and only if less than 64 below the
 * highest. */
static void the_window_is_what_the_protocol_says(void **state) {
    (void)state;
    enum { SEQUENCES = 4000 };
    static bool taken[SEQUENCES];
    struct random random = {seed()};
    uint64_t highest = 0, accepted = 0;
    for (unsigned i = 0; i < 20000; i++) {
        /* mostly close to the highest, above or below */
        const int64_t near = (int64_t)highest + random_between(&random, -135, 4) +
                             (random_one_in(&random, 50) ? 70 : 0);
        const uint64_t sequence = near < 0 ? 0 : (uint64_t)near % SEQUENCES;
        uint8_t bytes[WIRE_MAX_DATAGRAM_BYTES];
        struct wire_message message;
        const bool expected =
            sequence > 0 && !taken[sequence] && (sequence > highest || highest - sequence < 64);
        const size_t size = heartbeat(sequence, bytes);
        assert_int_equal(datagram_accept(&filter, bytes, size, &message), expected);
        taken[sequence] = taken[sequence] || expected;
        highest = expected && sequence > highest ? sequence : highest;
        accepted += expected;
    }
    assert_int_equal(filter.highest, highest);
    assert_int_equal(datagram_lost(&filter), highest - accepted);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_vector_is_good_and_no_part_of_it_is),
        cmocka_unit_test(what_an_older_controller_orders_is_taken_without_what_came_later),
        cmocka_unit_test(an_older_controllers_welcome_is_good_and_says_nothing_of_later_fields),
        cmocka_unit_test(times_without_a_controller_are_of_whole_periods_or_endless),
        cmocka_unit_test(fields_are_those_of_the_vectors),
        cmocka_unit_test_setup_teardown(the_controllers_datagrams_are_taken_once, begin, end),
        cmocka_unit_test_setup_teardown(the_window_is_what_the_protocol_says, begin, end),
    };
    return cmocka_run_group_tests_name("wire", tests, NULL, NULL);
}
