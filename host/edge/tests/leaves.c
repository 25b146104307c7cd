#include "leaves.h"

#include <bpf/bpf.h>
#include <linux/pkt_cls.h>
#include <string.h>

#include "testing.h"

static struct bpf_object *leaves[2];
struct leaf_state found;

const uint64_t never_ns = UINT64_C(4000000000000);

int leaves_load(void **state) {
    const int error = programs_load(state);
    for (unsigned i = 0; i < 2 && !error && object; i++)
        leaves[i] = load_port(LEAF_BPF_OBJECT);
    return error;
}

int leaves_unload(void **state) {
    for (unsigned i = 0; i < 2; i++)
        bpf_object__close(leaves[i]);
    return programs_unload(state);
}

void set_carriers(unsigned leaf, uint64_t bits) {
    write_port(leaves[leaf], "up", &bits);
}

void be_leaves(enum edge_leaf_scheme of_leaves, uint64_t gap_ns) {
    static const struct leaf_state none;
    const uint32_t address[] = {here, there};
    /*
     * Time is so slow that no load expires while tests run. With a gap, a step of the rate
     * estimator takes hours, so no estimate changes. Without a gap, a flowlet begins each
     * microsecond.
     */
    const uint64_t slower = gap_ns ? 1000000000 : 1000;
    for (uint64_t leaf = 0; leaf < 2; leaf++) {
        struct leaf_port port = {.scheme = of_leaves,
                                 .leaf = leaf,
                                 .gap_ns = gap_ns,
                                 .slower = slower,
                                 .overlay_port = 6081,
                                 .uplinks = UPLINKS};
        for (unsigned i = 0; i < UPLINKS; i++) {
            port.uplink[i].device = LOOPBACK;
            port.uplink[i].bits_per_s = UINT64_C(10000000000000) / slower;
        }
        write_port(leaves[leaf], "port", &port);
        write_port(leaves[leaf], "state", &none);
        set_carriers((unsigned)leaf, (1u << UPLINKS) - 1);
        const int places = bpf_object__find_map_fd_by_name(leaves[leaf], "places");
        for (uint64_t i = 0; i < 2; i++) {
            const struct leaf_place key = {.bits = 32, .address = address[i]};
            assert_int_equal(bpf_map_update_elem(places, &key, &i, BPF_ANY), 0);
        }
    }
}

void set_state(unsigned leaf, const struct leaf_state *state) {
    write_port(leaves[leaf], "state", state);
}

const struct leaf_state *look(unsigned leaf) {
    const uint32_t zero = 0;
    const int map = bpf_object__find_map_fd_by_name(leaves[leaf], "state");
    assert_int_equal(bpf_map_lookup_elem(map, &zero, &found), 0);
    return &found;
}

int from_host(unsigned leaf, uint8_t *frame, uint32_t length) {
    uint32_t out_length = length;
    const int verdict = run_in(leaves[leaf], "leaf_from_host", frame, length, frame, &out_length);
    assert_int_equal(out_length, length);
    return verdict;
}

int from_fabric(unsigned leaf, uint8_t *frame, uint32_t length) {
    uint32_t out_length = length;
    const int verdict = run_in(leaves[leaf], "leaf_from_fabric", frame, length, frame, &out_length);
    assert_int_equal(out_length, length);
    return verdict;
}

uint32_t send_by(unsigned leaf, const uint8_t *outer, uint32_t instruction) {
    uint8_t frame[FRAME + HEADER];
    uint64_t before[UPLINKS];
    uint32_t uplink = 0;
    memcpy(frame, outer, sizeof frame);
    frame[INSTRUCTION] = (uint8_t)instruction;
    for (unsigned i = 0; i < UPLINKS; i++)
        before[i] = look(leaf)->sent[i].packets;
    assert_int_equal(from_host(leaf, frame, sizeof frame), TC_ACT_REDIRECT);
    look(leaf);
    while (uplink < UPLINKS && found.sent[uplink].packets == before[uplink])
        uplink++;
    assert_in_range(uplink, 0, UPLINKS - 1);
    return uplink;
}

void make_overlay(uint8_t *outer) {
    scheme = EDGE_ECMP;
    assert_int_equal(make_outer(outer), FRAME + HEADER);
}
