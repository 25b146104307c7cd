#include "host/hermes.h"

namespace sim {

namespace {

/* The gains of the moving averages, for which the paper gives no values. The RTT's is that of its
 * authors' simulator, where most paths are only probed; the marks' is DCTCP's (RFC 8257). */
constexpr double rtt_gain = 1.0 / 2;
constexpr double marked_gain = 1.0 / 16;
constexpr uint32_t us = 1000;
constexpr uint64_t ms = 1'000'000;

/* Returns the estimator's register as a rate. */
uint64_t rate_bps(edge_rate &rate, uint64_t link_bps, uint64_t now_ns) {
    return link_bps / 65536 * edge_rate_share(&rate, now_ns);
}

} // namespace

HermesParams hermes_defaults(const edge_params &edge) {
    uint32_t queueing_ns = edge.delay_high_ns > edge.rtt_ns ? edge.delay_high_ns - edge.rtt_ns : 1;
    return {.idle_rtt_ns = edge.rtt_ns,
            .marked_share = 0.4,
            .good_rtt_ns = edge.rtt_ns + 20 * us,
            .congested_rtt_ns = edge.delay_high_ns,
            .better_rtt_ns = queueing_ns * 2 / 3,
            .better_share = 0.05,
            .least_sent_bytes = edge.size_bytes,
            .rate_bps = edge.rate_bps,
            .resent_per_1024 = edge.retransmissions_per_1024,
            .window_ns = 10 * ms,
            .window_packets = 100,
            .timeouts = edge.timeouts,
            .failed_ns = 1000 * ms,
            .age_ns = 10 * ms,
            .timeout_ns = edge.timeout_ns,
            .probe_ns = 500 * us,
            .probe_idle_ns = 50 * ms};
}

Hermes::Hermes(const HermesParams &params, uint64_t link_bps, uint64_t seed)
    : params_(params), link_bps_(link_bps), random_(static_cast<uint32_t>(seed ^ seed >> 32)) {
}

void Hermes::set_paths(uint32_t to, uint32_t leaf, uint32_t count) {
    std::unique_ptr<Table> &table = tables_[leaf];
    if (!table) {
        table = std::make_unique<Table>(count);
        for (Path &path : *table)
            edge_rate_init(&path.rate, link_bps_, 0);
    }
    peers_[to] = {table.get(), std::vector<Pair>(count)};
}

bool Hermes::is_known(const Path &path, uint64_t now_ns) const {
    return path.heard_ns != 0 && now_ns - path.heard_ns < params_.age_ns;
}

bool Hermes::has_failed(uint64_t since_ns, uint64_t now_ns) const {
    return since_ns != 0 && now_ns - since_ns < params_.failed_ns;
}

/* Section 3.1: a path is gray if it is between good and congested, or unknown. */
PathType Hermes::condition(const Path &path, uint64_t now_ns) const {
    if (!is_known(path, now_ns))
        return PathType::gray;
    bool is_marked = path.marked_share > params_.marked_share;
    if (!is_marked && path.rtt_ns < params_.good_rtt_ns)
        return PathType::good;
    return is_marked && path.rtt_ns > params_.congested_rtt_ns ? PathType::congested
                                                               : PathType::gray;
}

PathType Hermes::type(const Peer &peer, uint32_t path, uint64_t now_ns) const {
    const Path &of_leaf = (*peer.table)[path];
    if (has_failed(of_leaf.failed_ns, now_ns) || has_failed(peer.pairs[path].failed_ns, now_ns))
        return PathType::failed;
    return condition(of_leaf, now_ns);
}

PathType Hermes::type(uint32_t to, uint32_t path, uint64_t now_ns) const {
    return type(peers_.at(to), path, now_ns);
}

bool Hermes::is_notably_better(const Path &other, const Path &path, uint64_t now_ns) const {
    return is_known(other, now_ns) && path.rtt_ns - other.rtt_ns > params_.better_rtt_ns &&
           path.marked_share - other.marked_share > params_.better_share;
}

/* Returns the path with the least traffic of this host among those for which keep is true; draws
 * among equal ones. */
std::optional<uint32_t> Hermes::least_sent_to(Peer &peer, const Keep &keep, uint64_t now_ns) {
    std::optional<uint32_t> found;
    uint64_t least = 0;
    uint32_t equal = 0;
    for (uint32_t i = 0; i < peer.pairs.size(); i++) {
        if (!keep(i))
            continue;
        edge_rate &rate = (*peer.table)[i].rate;
        edge_rate_decay(&rate, now_ns);
        equal = found && rate.bytes == least ? equal + 1 : 1;
        if (!found || rate.bytes < least || (rate.bytes == least && random_() % equal == 0)) {
            found = i;
            least = rate.bytes;
        }
    }
    return found;
}

/* Chooses a path for a new flow, or for one whose path is unusable. */
uint32_t Hermes::place(Peer &peer, uint64_t now_ns) {
    for (PathType wanted : {PathType::good, PathType::gray})
        if (auto found = least_sent_to(
                peer, [&](uint32_t i) { return type(peer, i, now_ns) == wanted; }, now_ns))
            return *found;
    std::vector<uint32_t> left;
    for (uint32_t i = 0; i < peer.pairs.size(); i++)
        if (type(peer, i, now_ns) != PathType::failed)
            left.push_back(i);
    auto drawn = static_cast<uint32_t>(random_());
    if (left.empty())
        return drawn % static_cast<uint32_t>(peer.pairs.size());
    return left[drawn % left.size()];
}

/* Returns a better path for a flow on a congested path, or the same path. */
uint32_t Hermes::better(Peer &peer, uint32_t path, uint64_t now_ns) {
    for (PathType wanted : {PathType::good, PathType::gray}) {
        auto keep = [&](uint32_t i) {
            return type(peer, i, now_ns) == wanted &&
                   is_notably_better((*peer.table)[i], (*peer.table)[path], now_ns);
        };
        if (auto found = least_sent_to(peer, keep, now_ns))
            return *found;
    }
    return path;
}

uint32_t Hermes::choose(const HermesPacket &packet, uint64_t now_ns) {
    Peer &peer = peers_.at(packet.to);
    Flow &flow = flows_[packet.hash];
    bool is_new = !flow.started;
    if (is_new) {
        flow.started = true;
        flow.next_sequence = flow.moved_sequence = packet.sequence;
        edge_rate_init(&flow.rate, link_bps_, now_ns);
    }
    bool has_data = packet.payload > 0;
    bool resent = has_data && edge_before32(packet.sequence, flow.next_sequence);
    bool timed_out = resent && now_ns - flow.last_ns >= params_.timeout_ns;
    /* A segment sent before the flow moved was lost, or is only late, on the previous path. */
    bool is_old = edge_before32(packet.sequence, flow.moved_sequence);
    uint32_t lost_on = is_old ? flow.path_before : flow.path;
    if (resent)
        (*peer.table)[lost_on].resent++;
    if (has_data && !is_new)
        note_sent((*peer.table)[flow.path], now_ns);
    if (timed_out && ++peer.pairs[flow.path].timeouts >= params_.timeouts)
        peer.pairs[flow.path].failed_ns = now_ns;
    uint32_t was_on = flow.path;
    PathType now_on = is_new ? PathType::gray : type(peer, flow.path, now_ns);
    if (is_new || timed_out || now_on == PathType::failed)
        flow.path = place(peer, now_ns);
    else if (now_on == PathType::congested && flow.sent_bytes > params_.least_sent_bytes &&
             rate_bps(flow.rate, link_bps_, now_ns) < params_.rate_bps)
        flow.path = better(peer, flow.path, now_ns);
    if (!is_new && flow.path != was_on) {
        flow.path_before = was_on;
        flow.moved_sequence = flow.next_sequence;
    }
    if (edge_before32(flow.next_sequence, packet.sequence + packet.payload))
        flow.next_sequence = packet.sequence + packet.payload;
    flow.sent_bytes += packet.payload;
    flow.last_ns = now_ns;
    edge_rate_add(&flow.rate, packet.bytes, now_ns);
    edge_rate_add(&(*peer.table)[flow.path].rate, packet.bytes, now_ns);
    return flow.path;
}

/* Records a packet with data on its flow's path. */
void Hermes::note_sent(Path &path, uint64_t now_ns) {
    if (path.sent == 0)
        path.window_ns = now_ns;
    path.sent++;
    if (path.sent < params_.window_packets || now_ns - path.window_ns < params_.window_ns)
        return;
    if (path.resent * UINT64_C(1024) > path.sent * params_.resent_per_1024 &&
        condition(path, now_ns) != PathType::congested)
        path.failed_ns = now_ns;
    path.sent = path.resent = 0;
}

/* The way back counts as idle (half the idle RTT): ACKs take other paths, whose queues are
 * irrelevant for this one. */
void Hermes::note(Path &path, uint32_t delay_ns, bool marked, uint64_t now_ns) {
    double rtt_ns = static_cast<double>(delay_ns) + params_.idle_rtt_ns / 2.0;
    double share = marked ? 1 : 0;
    if (is_known(path, now_ns)) {
        path.rtt_ns += rtt_gain * (rtt_ns - path.rtt_ns);
        path.marked_share += marked_gain * (share - path.marked_share);
    } else {
        path.rtt_ns = rtt_ns;
        path.marked_share = share;
    }
    path.heard_ns = now_ns;
}

void Hermes::acknowledged(uint32_t to, uint32_t path, uint32_t delay_ns, bool marked,
                          uint64_t now_ns) {
    Peer &peer = peers_.at(to);
    peer.pairs.at(path).timeouts = 0;
    note((*peer.table)[path], delay_ns, marked, now_ns);
}

void Hermes::probed(uint32_t leaf, uint32_t path, uint32_t delay_ns, bool marked, uint64_t now_ns) {
    note(tables_.at(leaf)->at(path), delay_ns, marked, now_ns);
}

} // namespace sim
