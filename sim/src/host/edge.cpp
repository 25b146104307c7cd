#include "host/edge.h"

#include <stdexcept>

namespace sim {

Edge::Edge(const edge_params &params, const Guests &guests, InOrder in_order, uint64_t seed)
    : params_(params), guests_(guests), in_order_(in_order),
      basis_(static_cast<uint32_t>(seed ^ seed >> 32)), random_(basis_) {
}

std::vector<edge_found> Edge::found(uint32_t table, std::span<const uint32_t> weights) const {
    auto count = static_cast<uint32_t>(weights.size());
    bool in_turn = edge_reason_of(params_.scheme) == EDGE_IN_TURN;
    uint32_t first = in_turn ? edge_bounded(edge_mix(basis_, table), count) : 0;
    std::vector<edge_found> found;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t way = (first + i) % count;
        found.push_back({way + 1, weights[way], static_cast<uint16_t>(way)});
    }
    return found;
}

void Edge::set_paths(uint32_t to, uint32_t table, std::span<const uint32_t> weights) {
    std::unique_ptr<Table> &shared = tables_[table];
    if (!shared) {
        std::vector<edge_found> found = this->found(table, weights);
        shared = std::make_unique<Table>();
        edge_set_paths(&shared->paths, found.data(), static_cast<uint32_t>(found.size()));
    }
    if (peers_.size() <= to)
        peers_.resize(to + 1);
    peers_[to] = std::make_unique<Peer>();
    peers_[to]->table = shared.get();
}

void Edge::set_one_path() {
    one_path_ = true;
}

/* With one path, peers are created on their first use, because only few of thousands of hosts
 * become peers. */
void Edge::set_priors(uint32_t table, std::span<const uint32_t> weights) {
    edge_paths &paths = tables_.at(table)->paths;
    if (weights.size() != paths.count)
        return;
    std::vector<edge_found> found = this->found(table, weights);
    edge_set_priors(&paths, found.data(), paths.count);
}

Edge::Peer &Edge::peer(uint32_t host) {
    if (host < peers_.size() && peers_[host])
        return *peers_[host];
    if (!one_path_)
        throw std::logic_error("no paths to host " + std::to_string(host));
    const uint32_t weight = 1;
    set_paths(host, 0, {&weight, 1});
    return *peers_[host];
}

const edge_paths &Edge::paths(uint32_t to) const {
    return peers_.at(to)->table->paths;
}

void Edge::send(Frame &frame, const Segment &segment, uint64_t now_ns) {
    Peer &to = peer(frame.to);
    Flow &flow = flows_[segment.hash];
    edge_packet packet = {now_ns, segment.hash, frame.bytes, static_cast<uint32_t>(random_())};
    edge_option option{};
    uint16_t before = flow.choice.flowlet;
    edge_trace why{};
    option.path = hermes_ ? hermes_->choose({frame.to, segment.hash, segment.sequence,
                                             segment.payload, frame.bytes},
                                            now_ns)
                          : edge_choose(&params_, &to.table->paths, &flow.choice, &packet,
                                        trace_ ? &why : nullptr);
    if (why.at_ns > 0)
        trace_(frame.to, why);
    if (segment.payload > 0)
        flow.reroutes.note(option.path, segment.payload);
    flowlets_ += segment.payload > 0 && flow.choice.flowlet != before;
    option.packet = static_cast<uint16_t>(flow.choice.packet - 1);
    option.flowlet = flow.choice.flowlet;
    if (in_order_ == InOrder::timed && segment.payload > 0)
        option.flags |= EDGE_OPTION_NUMBERED;
    if (in_order_ == InOrder::ideal && segment.payload > 0)
        frame.order = ++flow.order;
    if (params_.scheme == EDGE_INTFLOW && segment.payload > 0)
        option.instruction = edge_intflow_instruct(&params_, &flow.status, segment.sequence,
                                                   segment.payload, now_ns);
    if (segment.payload == 0) {
        frame.stamps = flows_[segment.reverse_hash].arrived;
        frame.stamps.t3 = static_cast<uint32_t>(now_ns);
    }
    /* The outer header of Clove-ECN and Hermes is always ECN-capable; for others the inner header's
     * field is copied. */
    frame.ecn_capable =
        edge_wants_marks(params_.scheme) || hermes_ || (guests_.see_marks && frame.inner_capable);
    write(frame, to, option, now_ns);
}

/* Writes the option with a due report. */
void Edge::write(Frame &frame, Peer &peer, edge_option &option, uint64_t now_ns) {
    option.sent_ns = static_cast<uint32_t>(now_ns);
    edge_feedback feedback{};
    if (edge_wants_reports(params_.scheme) &&
        edge_next_report(&params_, &peer.table->reports, now_ns, &feedback)) {
        option.flags |= EDGE_OPTION_FEEDBACK | (feedback.marked ? EDGE_OPTION_MARKED : 0);
        option.feedback_path = feedback.path;
        option.metric = feedback.metric;
    }
    uint64_t bit = UINT64_C(1) << edge_index(option.path);
    if (peer.rebase & bit) {
        option.flags |= EDGE_OPTION_REBASE;
        peer.rebase &= ~bit;
    }
    /* Hermes's path numbers are those of the ways. */
    frame.path = hermes_ ? option.path : peer.table->paths.port[edge_index(option.path)];
    edge_option_write(frame.option.data(), &option);
}

uint32_t Edge::metric(Peer &peer, const edge_option &option, const Frame &frame, uint64_t now_ns) {
    if (edge_reported_by(params_.scheme) == EDGE_REPORTS_UTILISATION)
        return frame.utilisation;
    /* Simulated hosts share a clock, so the one-way delay is exact (Clove, section 7). */
    return edge_metric_of(&params_, params_.scheme, &peer.baselines[edge_index(option.path)],
                          &option, static_cast<uint32_t>(now_ns), now_ns);
}

Verdict Edge::receive(const Frame &frame, const Segment &segment, uint64_t now_ns) {
    Peer &from = peer(frame.from);
    edge_option option{};
    if (!edge_option_read(frame.option.data(), EDGE_MAX_PATHS, &option))
        throw std::logic_error("an option that libedge does not accept");
    Verdict verdict;
    bool is_shown = !guests_.masked && (guests_.see_marks || !hermes_);
    verdict.marked = frame.inner_marked || (frame.marked && frame.inner_capable && is_shown);
    verdict.in_order = option.flags & EDGE_OPTION_NUMBERED;
    verdict.number = option.packet;
    /* Probes are not reported: two idle hosts would answer each other for ever. */
    if (edge_wants_reports(params_.scheme) && frame.segment)
        edge_report(&from.table->reports, option.path, frame.marked,
                    metric(from, option, frame, now_ns), now_ns);
    if (option.flags & EDGE_OPTION_FEEDBACK) {
        bool marked = option.flags & EDGE_OPTION_MARKED;
        bool show = edge_apply_feedback(&params_, &from.table->paths, option.feedback_path, marked,
                                        option.metric, now_ns);
        verdict.add_echo = guests_.masked && show;
    }
    if (segment.payload > 0)
        flows_[segment.hash].arrived = {true, option.sent_ns, static_cast<uint32_t>(now_ns),
                                        0,    option.path,    frame.marked};
    if (frame.stamps.known)
        take_stamps(frame.from, segment, frame.stamps, now_ns, verdict);
    return verdict;
}

/* Processes the time stamps of its segment that an ACK returns. */
void Edge::take_stamps(uint32_t from, const Segment &segment, const Stamps &stamps, uint64_t now_ns,
                       Verdict &verdict) {
    Peer &peer = this->peer(from);
    Flow &flow = flows_[segment.reverse_hash];
    if (hermes_)
        hermes_->acknowledged(from, stamps.path, stamps.t2 - stamps.t1, stamps.marked, now_ns);
    if (params_.scheme == EDGE_INTFLOW)
        edge_intflow_delay(&flow.status, stamps.t2 - stamps.t1);
    if (params_.scheme == EDGE_ALB &&
        edge_least_rtt(&peer.table->paths, stamps.path, stamps.t1, stamps.t2, stamps.t3,
                       static_cast<uint32_t>(now_ns)))
        peer.rebase |= UINT64_C(1) << edge_index(stamps.path);
    verdict.path_changed = guests_.ack_correction && edge_path_changed(&flow.choice, stamps.path);
}

bool Edge::probe(uint32_t to, Frame &frame, uint64_t now_ns) {
    Peer &waiting = peer(to);
    if (!edge_report_overdue(&params_, &waiting.table->reports, now_ns))
        return false;
    edge_option option{};
    option.path = edge_least_metric(&waiting.table->paths, now_ns, params_.metric_age_ns,
                                    params_.alike, static_cast<uint32_t>(random_()));
    frame.to = to;
    write(frame, waiting, option, now_ns);
    return true;
}

void Edge::collect(std::vector<Reroutes> &found) const {
    for (const auto &[hash, flow] : flows_)
        if (flow.reroutes.bytes() > 0)
            found.push_back(flow.reroutes);
}

} // namespace sim
