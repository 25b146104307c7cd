#include "tuning.h"

/* The link rate for which edge/intflow.h estimates flows' rates. */
enum { INTFLOW_MBPS = 10000 };

const struct tuning default_tuning = {.rtt_ns = 100000,
                                      .gap_ns = 250000,
                                      .metric_age_ns = 10000000,
                                      .intflow = {.link_mbps = INTFLOW_MBPS,
                                                  .delay_ns = 180000,
                                                  .window_ns = 4000000,
                                                  .timeout_ns = 5000000,
                                                  .settle_ns = SETTLE_BY_RTT,
                                                  .size_bytes = 600000}};

uint32_t tuning_slower(const struct tuning *tuning) {
    const uint32_t mbps = tuning->intflow.link_mbps;
    return mbps > 0 && mbps < INTFLOW_MBPS ? INTFLOW_MBPS / mbps : 1;
}

struct edge_params tuning_params(enum edge_scheme scheme, const struct tuning *tuning) {
    const struct intflow_tuning *intflow = &tuning->intflow;
    const uint32_t slower = tuning_slower(tuning);
    const uint64_t link_bps = (uint64_t)intflow->link_mbps * 1000000;
    struct edge_params params = edge_defaults(scheme, tuning->rtt_ns, link_bps);
    params.gap_ns = tuning->gap_ns;
    params.gap_adapt = (tuning->gap_percent * 256 + 50) / 100;
    if (tuning->relay_ns)
        params.relay_ns = tuning->relay_ns;
    params.metric_age_ns = tuning->metric_age_ns;
    params.explore = EDGE_EXPLORE;
    params.answer_ns = EDGE_ANSWER_RTTS * tuning->rtt_ns;
    params.rate_bps *= slower;
    params.delay_high_ns = intflow->delay_ns;
    params.window_ns = intflow->window_ns / slower;
    params.timeout_ns = intflow->timeout_ns / slower;
    params.settle_ns =
        (intflow->settle_ns == SETTLE_BY_RTT ? SETTLE_RTTS * tuning->rtt_ns : intflow->settle_ns) /
        slower;
    params.size_bytes = intflow->size_bytes;
    return params;
}

uint32_t tuning_gap_percent(const struct edge_params *params) {
    return (params->gap_adapt * 100 + 128) / 256;
}
