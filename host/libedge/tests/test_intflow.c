/* IntFlow's host: Algorithm 1 against the paper's lines, and its estimator of a flow's rate. */
#include <math.h>
#include <string.h>

#include "edge/intflow.h"
#include "random.h"
#include "testing.h"

static struct edge_params params;
static const uint64_t link_bps = UINT64_C(10000000000);

static void setup(void) {
    params = edge_defaults(EDGE_INTFLOW, 100000, link_bps);
}

/* A flow without loss that has sent `sent_bytes` at a low rate. */
static struct edge_flow_status flow_of(uint64_t sent_bytes, uint32_t delay_ns) {
    return (struct edge_flow_status){.started = true,
                                     .sent_bytes = sent_bytes,
                                     .last_ns = 1000000000,
                                     .window_began_ns = 1000000000,
                                     .rate_at_ns = 1000000000,
                                     .next_sequence = 5000,
                                     .delay_ns = delay_ns};
}

/* Table II, each row with its reason. */
static void the_truth_table_of_instructions(void **state) {
    (void)state;
    setup();
    uint64_t now_ns = 1000000100;
    struct edge_flow_status fresh = {0};
    assert_int_equal(edge_intflow_instruct(&params, &fresh, 0, 1000, now_ns), EDGE_UNASSIGNED);
    struct edge_flow_status large = flow_of(1000000, 0);
    assert_int_equal(edge_intflow_instruct(&params, &large, 5000, 1000, now_ns), EDGE_UNASSIGNED);
    struct edge_flow_status small = flow_of(1000, 0);
    assert_int_equal(edge_intflow_instruct(&params, &small, 5000, 1000, now_ns), EDGE_SMALL_FLOW);
    struct edge_flow_status congested = flow_of(1000000, 180000);
    assert_int_equal(edge_intflow_instruct(&params, &congested, 5000, 1000, now_ns),
                     EDGE_CONGESTION);
    struct edge_flow_status congested_small = flow_of(1000, 180000);
    assert_int_equal(edge_intflow_instruct(&params, &congested_small, 5000, 1000, now_ns),
                     EDGE_UNASSIGNED);
    struct edge_flow_status just_below = flow_of(1000000, 179999);
    assert_int_equal(edge_intflow_instruct(&params, &just_below, 5000, 1000, now_ns),
                     EDGE_UNASSIGNED);
    struct edge_flow_status fast = flow_of(1000000, 180000);
    fast.rate_bytes = (uint32_t)(link_bps / 8 * 160 / 1000000); /* the whole link */
    assert_int_equal(edge_intflow_instruct(&params, &fast, 5000, 1000, now_ns), EDGE_UNASSIGNED);
    struct edge_flow_status lossy = flow_of(1000, 0);
    lossy.retransmits = params.retransmissions_per_1024 + 1;
    assert_int_equal(edge_intflow_instruct(&params, &lossy, 5000, 1000, now_ns), EDGE_FAILURE);
    struct edge_flow_status timed_out = flow_of(1000, 0);
    timed_out.timeouts = params.timeouts + 1;
    assert_int_equal(edge_intflow_instruct(&params, &timed_out, 5000, 1000, now_ns), EDGE_FAILURE);
    struct edge_flow_status again = flow_of(1000, 0);
    assert_int_equal(edge_intflow_instruct(&params, &again, 4000, 1000, now_ns),
                     EDGE_RETRANSMISSION | EDGE_SMALL_FLOW);
}

static void four_time_outs_in_a_row_call_for_another_path(void **state) {
    (void)state;
    setup();
    struct edge_flow_status flow = {0};
    uint64_t now_ns = 1000000000;
    edge_intflow_instruct(&params, &flow, 0, 1000, now_ns);
    edge_intflow_instruct(&params, &flow, 1000, 1000, now_ns + 1);
    now_ns += 1;
    for (unsigned time_out = 1; time_out <= 4; time_out++) {
        now_ns += params.timeout_ns;
        uint32_t instruction = edge_intflow_instruct(&params, &flow, 1000, 1000, now_ns);
        assert_true(instruction & EDGE_RETRANSMISSION);
        assert_int_equal(flow.timeouts, time_out);
        if (time_out > 3)
            assert_int_equal(instruction & 3, EDGE_FAILURE);
    }
    /* After new data and a whole window the counts are reset. */
    for (unsigned window = 0; window < 3; window++) {
        now_ns += params.window_ns;
        edge_intflow_instruct(&params, &flow, flow.next_sequence, 1000, now_ns);
    }
    assert_int_equal(flow.timeouts, 0);
    assert_int_equal(edge_intflow_instruct(&params, &flow, flow.next_sequence, 1000, now_ns) & 3,
                     EDGE_SMALL_FLOW);
}

static void a_flow_that_is_rerouted_settles_before_it_is_judged_anew(void **state) {
    (void)state;
    setup();
    params.settle_ns = 400000;
    uint64_t now_ns = 1000000100;
    struct edge_flow_status congested = flow_of(1000000, 180000);
    const uint32_t told[] = {EDGE_CONGESTION, EDGE_UNASSIGNED, EDGE_UNASSIGNED, EDGE_CONGESTION};
    const uint64_t after_ns[] = {0, 1, 399999, 400000};
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(edge_intflow_instruct(&params, &congested, congested.next_sequence, 1000,
                                               now_ns + after_ns[i]),
                         told[i]);
    struct edge_flow_status lossy = flow_of(1000000, 0);
    lossy.retransmits = 1024;
    assert_int_equal(edge_intflow_instruct(&params, &lossy, 5000, 1000, now_ns), EDGE_FAILURE);
    /* The flow retransmits what the previous path lost; that does not count against the new
     * path. */
    for (uint64_t ns = 0; ns < params.settle_ns; ns += 1000)
        assert_int_equal(edge_intflow_instruct(&params, &lossy, 4000, 1000, now_ns + ns),
                         EDGE_RETRANSMISSION);
    now_ns += params.settle_ns;
    for (unsigned window = 0; window < 3; window++, now_ns += params.window_ns)
        assert_int_equal(edge_intflow_instruct(&params, &lossy, lossy.next_sequence, 1000, now_ns),
                         EDGE_UNASSIGNED);
    /* Losses on the new path count. */
    edge_intflow_instruct(&params, &lossy, lossy.next_sequence - 1000, 1000, now_ns);
    now_ns += params.window_ns;
    assert_int_equal(edge_intflow_instruct(&params, &lossy, lossy.next_sequence, 1000, now_ns),
                     EDGE_FAILURE);
}

/* If several paths are dead, one time-out on each further path suffices after the fourth on the
 * first. */
static void time_outs_go_on_counting_from_one_path_to_the_next(void **state) {
    (void)state;
    setup();
    params.settle_ns = 400000;
    params.window_ns = UINT32_MAX; /* retransmissions never reach the threshold */
    struct edge_flow_status flow = {0};
    uint64_t now_ns = 1000000000;
    edge_intflow_instruct(&params, &flow, 0, 1000, now_ns);
    for (unsigned time_out = 1; time_out <= 6; time_out++) {
        now_ns += params.timeout_ns;
        assert_int_equal(edge_intflow_instruct(&params, &flow, 0, 1000, now_ns) & 3,
                         time_out > 3 ? EDGE_FAILURE : EDGE_SMALL_FLOW);
    }
    /* The last retransmission is delivered. */
    now_ns += params.settle_ns;
    assert_int_equal(edge_intflow_instruct(&params, &flow, 1000, 1000, now_ns), EDGE_SMALL_FLOW);
    assert_int_equal(flow.timeouts, 0);
}

/* A simple model of Algorithm 1, line by line. */
struct model {
    bool started, rerouted;
    double rerouted_ns;
    double window_began_ns, last_ns, window_bytes, window_resent, sent, retransmits;
    int64_t next_sequence;
    unsigned timeouts;
};

/* The windows. While the flow settles, the window restarts. */
static bool model_settles(struct model *model, bool resent, double now_ns) {
    if (model->rerouted && now_ns - model->rerouted_ns < params.settle_ns) {
        model->window_bytes = model->window_resent = 0;
        model->window_began_ns = now_ns;
        return true;
    }
    if (model->rerouted && !resent) {
        model->rerouted = false;
        model->timeouts = 0;
    }
    if (now_ns - model->window_began_ns >= params.window_ns) {
        model->retransmits =
            model->window_bytes > 0 ? model->window_resent / model->window_bytes : 0;
        model->window_bytes = model->window_resent = 0;
        model->window_began_ns = now_ns;
        if (!resent)
            model->timeouts = 0;
    }
    return false;
}

static uint32_t model_instruct(struct model *model, const struct edge_flow_status *flow,
                               int64_t sequence, uint32_t bytes, double now_ns) {
    bool is_new = !model->started;
    bool resent = !is_new && sequence < model->next_sequence;
    if (is_new) {
        model->started = true;
        model->window_began_ns = now_ns;
        model->next_sequence = sequence;
    }
    bool settles = model_settles(model, resent, now_ns);
    if (resent) {
        model->window_resent += settles ? 0 : bytes;
        model->timeouts += !settles && now_ns - model->last_ns >= params.timeout_ns;
    } else {
        model->next_sequence = sequence + bytes;
    }
    model->window_bytes += bytes;
    model->sent += bytes;
    model->last_ns = now_ns;
    uint32_t in = 0;
    if (resent)
        in = 4;
    if (!is_new) {
        bool lossy = model->timeouts > 3 || floor(model->retransmits * 1024) > 10;
        if (lossy && !settles)
            in |= 1;
        else if (flow->delay_ns >= 180000) {
            bool slow = (double)edge_intflow_rate_bps(flow) <= 3e9;
            if (model->sent >= 600000 && slow && !settles)
                in |= 2;
        } else if (model->sent < 600000) {
            in |= 3;
        }
    }
    if (params.settle_ns > 0 && (in & 3) != 0 && (in & 3) != 3) {
        model->rerouted = true;
        model->rerouted_ns = now_ns;
        model->retransmits = 0;
    }
    return in;
}

static void follow_the_model(uint32_t settle_ns) {
    setup();
    params.settle_ns = settle_ns;
    struct random random = {seed()};
    unsigned seen[8] = {0};
    for (unsigned round = 0; round < 400; round++) {
        struct edge_flow_status flow = {0};
        struct model model = {0};
        uint64_t now_ns = (uint64_t)random_between(&random, 1, INT64_C(1) << 40);
        int64_t base = random_between(&random, 0, UINT32_MAX), sequence = base;
        int64_t loss_in = random_between(&random, 5, 400);
        for (unsigned step = 0; step < 1500; step++) {
            now_ns += (uint64_t)(random_one_in(&random, 100) ? random_between(&random, 1, 20000000)
                                                             : random_between(&random, 1, 20000));
            uint32_t bytes = (uint32_t)random_between(&random, 1, 1460);
            bool again = step > 0 && random_one_in(&random, loss_in);
            int64_t at = again ? sequence - random_between(&random, 1, sequence - base) : sequence;
            if (random_one_in(&random, 20))
                edge_intflow_delay(&flow, (uint32_t)random_between(&random, 0, 300000));
            uint32_t ours = edge_intflow_instruct(&params, &flow, (uint32_t)at, bytes, now_ns);
            assert_int_equal(ours, model_instruct(&model, &flow, at, bytes, (double)now_ns));
            seen[ours]++;
            if (!again)
                sequence += bytes;
        }
    }
    /* Instruction 7, with a retransmission, is possible too: all instructions occurred. */
    for (unsigned i = 0; i < 8; i++)
        assert_true(seen[i] > 0);
}

static void algorithm_1_line_by_line(void **state) {
    (void)state;
    follow_the_model(0);
}

static void algorithm_1_with_flows_that_settle(void **state) {
    (void)state;
    follow_the_model(400000);
}

/* In equilibrium the register holds the bytes of 8 steps, plus or minus those of one step,
 * depending on the time of reading. */
static void the_rate_is_the_flows_rate(void **state) {
    (void)state;
    setup();
    /* At least one packet in each step of 20 us. */
    static const uint64_t rates_bps[] = {UINT64_C(1000000000), UINT64_C(3000000000),
                                         UINT64_C(10000000000)};
    for (unsigned r = 0; r < 3; r++) {
        struct edge_flow_status flow = {0};
        uint64_t gap_ns = UINT64_C(1500) * 8 * 1000000000 / rates_bps[r];
        uint64_t now_ns = 1000;
        for (unsigned packet = 0; packet < 4000; packet++, now_ns += gap_ns)
            edge_intflow_instruct(&params, &flow, packet * 1500, 1500, now_ns);
        double ratio = (double)edge_intflow_rate_bps(&flow) / (double)rates_bps[r];
        assert_true(ratio > 0.85 && ratio < 1.15);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_truth_table_of_instructions),
        cmocka_unit_test(four_time_outs_in_a_row_call_for_another_path),
        cmocka_unit_test(a_flow_that_is_rerouted_settles_before_it_is_judged_anew),
        cmocka_unit_test(time_outs_go_on_counting_from_one_path_to_the_next),
        cmocka_unit_test(algorithm_1_line_by_line),
        cmocka_unit_test(algorithm_1_with_flows_that_settle),
        cmocka_unit_test(the_rate_is_the_flows_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
