#include "switch/choice.h"

#include <algorithm>
#include <stdexcept>

namespace sim {

TableChoice::TableChoice(std::vector<edge_multipath> tables, uint32_t basis)
    : tables_(std::move(tables)), basis_(basis) {
}

uint32_t TableChoice::port(Frame &frame, uint32_t leaf, uint32_t /*in*/, uint64_t /*now_ns*/) {
    return edge_multipath_port(&tables_[leaf], edge_mix(frame.hash, basis_));
}

DealtChoice::DealtChoice(const std::vector<edge_multipath> &tables)
    : tables_(tables.size()), ports_(tables.size()) {
    for (size_t leaf = 0; leaf < tables.size(); leaf++)
        for (uint32_t slot = 0; slot < tables[leaf].slots; slot++) {
            auto &shares = tables_[leaf];
            auto found = std::find_if(shares.begin(), shares.end(), [&](const Share &share) {
                return share.port == tables[leaf].port[slot];
            });
            if (found == shares.end())
                shares.push_back({tables[leaf].port[slot], 1, 0});
            else
                found->slots++;
        }
}

/* A new flow goes to the port with the fewest flows per slot, including the new one; among equal
 * ports the flow's hash decides. */
uint32_t DealtChoice::port(Frame &frame, uint32_t leaf, uint32_t /*in*/, uint64_t /*now_ns*/) {
    auto [place, is_new] = ports_[leaf].try_emplace(frame.hash);
    if (is_new) {
        std::vector<Share *> least;
        for (Share &share : tables_[leaf]) {
            uint64_t here = 0, there = 0; // flows per slot, multiplied by both ports' slots
            if (!least.empty()) {
                here = uint64_t{share.flows + 1} * least.front()->slots;
                there = uint64_t{least.front()->flows + 1} * share.slots;
            }
            if (here < there)
                least.clear();
            if (here <= there)
                least.push_back(&share);
        }
        uint32_t drawn =
            edge_bounded(edge_mix(frame.hash, leaf), static_cast<uint32_t>(least.size()));
        least[drawn]->flows++;
        place->second = least[drawn]->port;
    }
    return place->second;
}

std::vector<edge_multipath> equal_tables(const Routes &routes) {
    std::vector<edge_multipath> tables(routes.size());
    for (size_t leaf = 0; leaf < routes.size(); leaf++) {
        std::vector<uint16_t> ports(routes[leaf].begin(), routes[leaf].end());
        std::vector<uint32_t> weights(ports.size(), 1);
        auto count = static_cast<uint32_t>(ports.size());
        if (count > 0 && !edge_multipath_set(&tables[leaf], ports.data(), weights.data(), count))
            throw std::logic_error("more ports than a table has slots");
    }
    return tables;
}

/* All hosts under a leaf share ALB's state of paths to it, so their ports lead the same ways. */
uint32_t SourcePortChoice::port(Frame &frame, uint32_t leaf, uint32_t /*in*/, uint64_t /*now_ns*/) {
    uint32_t hash = edge_mix(edge_mix(edge_mix(basis_, frame.from), leaf), frame.path);
    return edge_multipath_port(&tables_[leaf], hash);
}

uint32_t PathChoice::port(Frame &frame, uint32_t leaf, uint32_t /*in*/, uint64_t /*now_ns*/) {
    const auto &ports = routes_[leaf];
    return ports[frame.path % ports.size()];
}

AlignedChoice::AlignedChoice(Routes routes) : routes_(std::move(routes)) {
    for (const auto &ports : routes_)
        for (uint32_t i = 0; i < ports.size(); i++)
            place_[ports[i]] = i;
}

uint32_t AlignedChoice::port(Frame & /*frame*/, uint32_t leaf, uint32_t in, uint64_t /*now_ns*/) {
    const auto &ports = routes_[leaf];
    return ports[place_.at(in) % ports.size()];
}

LeafChoice::LeafChoice(edge_leaf_scheme scheme, uint32_t gap_ns,
                       const std::vector<uint32_t> &uplinks, const std::vector<uint64_t> &bps,
                       uint64_t seed)
    : uplinks_(uplinks), random_(static_cast<uint32_t>(seed ^ seed >> 32)) {
    leaf_.scheme = scheme;
    leaf_.gap_ns = gap_ns;
    leaf_.uplinks = static_cast<uint32_t>(uplinks.size());
    for (uint32_t i = 0; i < leaf_.uplinks; i++) {
        leaf_.up |= UINT64_C(1) << i;
        edge_rate_init(&leaf_.rate[i], bps[i], 0);
    }
}

uint32_t LeafChoice::port(Frame &frame, uint32_t leaf, uint32_t /*in*/, uint64_t now_ns) {
    edge_option option{};
    if (!edge_option_read(frame.option.data(), EDGE_MAX_PATHS, &option))
        throw std::logic_error("an option that libedge does not accept");
    Flow &flow = flows_[frame.hash];
    edge_leaf_trace why{};
    frame.tag.uplink = edge_leaf_choose_traced(
        &leaf_, &flow.choice, leaf, frame.hash, frame.wire_bytes(), option.instruction,
        static_cast<uint32_t>(random_()), now_ns, trace_ ? &why : nullptr);
    if (why.at_ns != 0)
        trace_({leaf, uplinks_[why.uplink], why.from < EDGE_UPLINKS ? uplinks_[why.from] : 0, why});
    if (frame.fields.payload > 0)
        flow.reroutes.note(frame.tag.uplink, frame.fields.payload);
    frame.tag.level = 0;
    edge_leaf_feedback(&leaf_, leaf, &frame.tag, now_ns);
    return uplinks_[frame.tag.uplink];
}

void LeafChoice::collect(std::vector<Reroutes> &found) const {
    for (const auto &[hash, flow] : flows_)
        if (flow.reroutes.bytes() > 0)
            found.push_back(flow.reroutes);
}

void LeafChoice::arrived(const Frame &frame, uint32_t from_leaf, uint64_t now_ns) {
    edge_leaf_arrive(&leaf_, from_leaf, &frame.tag, now_ns);
}

} // namespace sim
