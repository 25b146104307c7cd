#include "sdd/network.h"

#include "workload/source.h"
#include "workload/transport.h"

namespace sim {

namespace {

/* The NIC's queue: a host's NIC receives a frame only when its wire is free. */
constexpr uint64_t nic_bytes = 100'000;
/* libedge's RTT of the fabric, which is irrelevant with one path. */
constexpr uint32_t rtt_ns = 10'000;

} // namespace

SddNetwork::SddNetwork(const SddCase &input) : tcp_(input.tcp) {
    auto hosts = static_cast<uint32_t>(input.names.size());
    std::vector<Receiver *> receivers;
    if (tcp_)
        add_tcp_hosts(input);
    for (const auto &host : tcp_hosts_)
        receivers.push_back(host.get());
    while (receivers.size() < hosts) {
        stations_.push_back(std::make_unique<Station>());
        receivers.push_back(stations_.back().get());
    }
    switch_.emplace(input.network, receivers);
    LinkSettings up = {input.network.host_bps, input.network.delay_ns, nic_bytes, no_marks, false};
    for (uint32_t host = 0; host < hosts; host++) {
        nics_.push_back(std::make_unique<Port>(up, *switch_, host));
        egress_.push_back(std::make_unique<Egress>(input.egress, *nics_.back()));
    }
    for (const auto &host : tcp_hosts_) {
        host->attach(*nics_[host->number()]);
        host->attach(*egress_[host->number()]);
    }
}

void SddNetwork::add_tcp_hosts(const SddCase &input) {
    edge_params params = edge_defaults(EDGE_ECMP, rtt_ns, input.network.host_bps);
    const uint32_t one_path[] = {1};
    for (uint32_t number = 0; number < input.names.size(); number++) {
        tcp_hosts_.push_back(std::make_unique<Host>(number, params, Guests{false, false, false},
                                                    InOrder::no, input.seed));
        for (uint32_t to = 0; to < input.names.size(); to++)
            tcp_hosts_.back()->edge().set_paths(to, to, one_path);
    }
}

std::vector<Egress *> SddNetwork::egress_of_all() {
    std::vector<Egress *> all;
    for (const auto &one : egress_)
        all.push_back(one.get());
    return all;
}

/* The server's segments of a connection, such as ACKs, take the packet switch, like `packetFlows`
 * of the controller's configuration. */
std::unique_ptr<Connection> SddNetwork::open(uint32_t from, uint32_t to, Connection::Done done) {
    if (tcp_) {
        auto port = static_cast<uint16_t>(first_port + from);
        egress_[to]->map_to_packet_queue(port);
        return open_connection(*tcp_, *tcp_hosts_[from], *tcp_hosts_[to], port, std::move(done));
    }
    auto messages = std::make_unique<Messages>(from, to, *egress_[from], std::move(done));
    stations_[to]->expect(from, *messages);
    return messages;
}

uint64_t SddNetwork::delivered() const {
    uint64_t frames = 0;
    for (const auto &station : stations_)
        frames += station->frames();
    for (const auto &host : tcp_hosts_)
        frames += host->received();
    return frames;
}

uint64_t SddNetwork::under_way() const {
    uint64_t frames = switch_->under_way();
    for (uint32_t host = 0; host < nics_.size(); host++) {
        const LinkCounts &up = nics_[host]->counts(), &down = switch_->port_to(host).counts();
        frames += up.frames - up.arrived + down.frames - down.arrived;
    }
    return frames;
}

uint64_t SddNetwork::timeouts() const {
    uint64_t timeouts = 0;
    for (const auto &host : tcp_hosts_)
        timeouts += host->tcp().counts().timeouts;
    return timeouts;
}

} // namespace sim
