#include "small_dataplane.h"

#include <string.h>

const struct sdd_limits small = {.max_queues = 8,
                                 .max_flows = 8,
                                 .max_mappings = 8,
                                 .max_slots = 8,
                                 .max_conditions = 2,
                                 .max_triggers = 2,
                                 .max_events = 2};

int small_dataplane_up(void **state) {
    static struct small_dataplane dataplane;
    const struct sdd_queue_config plain = {0};
    memset(&dataplane, 0, sizeof dataplane);
    assert_int_equal(sdd_create(&small, &dataplane.sdd), SDD_OK);
    for (unsigned k = 1; k <= 3; k++) {
        struct sdd_match to = sdd_match_to_ipv4(0x0a000100 + k, 32);
        assert_int_equal(sdd_open_queue(dataplane.sdd, k, &plain), SDD_OK);
        assert_int_equal(sdd_map_flow(dataplane.sdd, k, &to, 0, 0), SDD_OK);
    }
    *state = &dataplane;
    return 0;
}

int small_dataplane_down(void **state) {
    sdd_destroy(((struct small_dataplane *)*state)->sdd);
    return 0;
}

enum sdd_status put_sized(struct small_dataplane *dataplane, unsigned to, uint16_t port,
                          uint32_t bytes, int64_t now_ns) {
    struct sdd_packet *packet = &dataplane->packets[dataplane->used];
    *packet = (struct sdd_packet){.key = flow_key(to, port), .bytes = bytes};
    enum sdd_status status = sdd_enqueue(dataplane->sdd, packet, now_ns);
    dataplane->used += status == SDD_OK;
    return status;
}

void put(struct small_dataplane *dataplane, unsigned to, uint16_t port, int64_t now_ns) {
    assert_int_equal(put_sized(dataplane, to, port, 1500, now_ns), SDD_OK);
}

int next(struct small_dataplane *dataplane, int64_t now_ns) {
    struct sdd_packet *packet = sdd_dequeue(dataplane->sdd, now_ns);
    return packet ? (int)(packet - dataplane->packets) : -1;
}

void add(struct small_dataplane *dataplane, unsigned queue, const char *text, int64_t now_ns) {
    struct sdd_program program = condition("%s", text);
    assert_int_equal(sdd_add_dequeue_condition(dataplane->sdd, queue, &program, now_ns), SDD_OK);
}
