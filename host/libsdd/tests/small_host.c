#include "small_host.h"

#include <string.h>

const struct sdd_config small = {.max_queues = 8,
                                 .max_flows = 8,
                                 .max_mappings = 8,
                                 .max_slots = 8,
                                 .max_conditions = 2,
                                 .max_triggers = 2,
                                 .max_events = 2};

int host_up(void **state) {
    static struct host host;
    const struct sdd_queue_config plain = {0};
    memset(&host, 0, sizeof host);
    assert_int_equal(sdd_create(&small, &host.sdd), SDD_OK);
    for (unsigned k = 1; k <= 3; k++) {
        struct sdd_match to = sdd_match_to_ipv4(0x0a000100 + k, 32);
        assert_int_equal(sdd_open_queue(host.sdd, k, &plain), SDD_OK);
        assert_int_equal(sdd_map_flow(host.sdd, k, &to, 0, 0), SDD_OK);
    }
    *state = &host;
    return 0;
}

int host_down(void **state) {
    sdd_destroy(((struct host *)*state)->sdd);
    return 0;
}

enum sdd_status put_sized(struct host *host, unsigned to, uint16_t port, uint32_t bytes,
                          int64_t now_ns) {
    struct sdd_packet *packet = &host->packets[host->used];
    *packet = (struct sdd_packet){.key = flow_key(to, port), .bytes = bytes};
    enum sdd_status status = sdd_enqueue(host->sdd, packet, now_ns);
    host->used += status == SDD_OK;
    return status;
}

void put(struct host *host, unsigned to, uint16_t port, int64_t now_ns) {
    assert_int_equal(put_sized(host, to, port, 1500, now_ns), SDD_OK);
}

int next(struct host *host, int64_t now_ns) {
    struct sdd_packet *packet = sdd_dequeue(host->sdd, now_ns);
    return packet ? (int)(packet - host->packets) : -1;
}

void add(struct host *host, unsigned queue, const char *text, int64_t now_ns) {
    struct sdd_program program = condition("%s", text);
    assert_int_equal(sdd_add_dequeue_condition(host->sdd, queue, &program, now_ns), SDD_OK);
}
