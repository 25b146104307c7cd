#include "host/host.h"

#include <array>

#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/tcp-header.h"

namespace sim {

namespace {

/* The first host's address is 10.0.0.1. */
constexpr uint32_t first_address = 0x0a000001;
/* The size of a probe: IP and UDP headers, and the overlay's header with the option. */
constexpr uint32_t probe_bytes = 64;

/* Reads the fields of a TCP header in place. */
Segment read_segment(const ns3::Packet &packet, uint32_t from, uint32_t to) {
    std::array<uint8_t, 20> header{};
    packet.CopyData(header.data(), header.size());
    uint32_t from_port = edge_get16(header.data());
    uint32_t to_port = edge_get16(header.data() + 2);
    uint32_t length = header[12] / 16 * 4u;
    return {.hash = flow_hash(from, to, from_port, to_port),
            .reverse_hash = flow_hash(to, from, to_port, from_port),
            .sequence = edge_get32(header.data() + 4),
            .payload = packet.GetSize() - length};
}

/* Sets or clears the ECN-echo for the sender's guest. */
void set_echo(ns3::Packet &segment, bool add) {
    ns3::TcpHeader header;
    segment.RemoveHeader(header);
    uint8_t flags = header.GetFlags();
    bool may = (flags & ns3::TcpHeader::ACK) && !(flags & ns3::TcpHeader::SYN);
    if (may)
        header.SetFlags(add ? flags | ns3::TcpHeader::ECE
                            : flags & ~static_cast<uint8_t>(ns3::TcpHeader::ECE));
    segment.AddHeader(header);
}

} // namespace

uint32_t flow_hash(uint32_t from, uint32_t to, uint32_t from_port, uint32_t to_port) {
    return edge_mix(edge_mix(edge_mix(0x9e3779b9, from), to), from_port << 16 | to_port);
}

Host::Host(uint32_t number, const edge_params &params, const Guests &guests, InOrder in_order,
           uint64_t seed)
    : number_(number), edge_(params, guests, in_order, seed),
      reassembly_(params, [this](FramePtr frame) { deliver(*frame, false); }),
      ideal_([this](FramePtr frame) { deliver(*frame, false); }),
      tcp_(address_of(number), ns3::MakeCallback(&Host::send, this)) {
}

ns3::Ipv4Address Host::address_of(uint32_t number) {
    return ns3::Ipv4Address(first_address + number);
}

void Host::send(ns3::Ptr<ns3::Packet> segment, ns3::Ipv4Address /*from*/, ns3::Ipv4Address to,
                uint8_t /*protocol*/, ns3::Ptr<ns3::Ipv4Route> /*route*/) {
    constexpr uint32_t ip_header_bytes = 20;
    auto frame = std::make_unique<Frame>();
    frame->from = number_;
    frame->to = to.Get() - first_address;
    frame->bytes = segment->GetSize() + ip_header_bytes;
    ns3::SocketIpTosTag tos;
    frame->inner_capable = segment->RemovePacketTag(tos) && (tos.GetTos() & 3) != 0;
    /* The host's own queue marks the inner header, because no path caused the mark. */
    frame->inner_marked = frame->inner_capable && nic_->is_congested();
    frame->fields = read_segment(*segment, frame->from, frame->to);
    frame->hash = frame->fields.hash;
    frame->segment = std::move(segment);
    edge_.send(*frame, frame->fields, now_ns());
    if (prober_)
        prober_->sent_to(frame->to);
    transmit(std::move(frame));
}

void Host::transmit(FramePtr frame) {
    if (egress_)
        egress_->send(std::move(frame));
    else
        nic_->send(std::move(frame));
}

void Host::receive(FramePtr frame, uint32_t /*port*/) {
    received_++;
    if (!frame->segment) {
        take_probe(*frame);
        return;
    }
    Verdict verdict = edge_.receive(*frame, frame->fields, now_ns());
    frame->inner_marked = verdict.marked;
    if (verdict.add_echo || verdict.path_changed)
        set_echo(*frame->segment, verdict.add_echo);
    if (edge_.probes())
        watch_reports(frame->from);
    if (frame->order > 0)
        ideal_.arrive(std::move(frame));
    else if (verdict.in_order)
        reassembly_.arrive(std::move(frame), verdict.number);
    else
        deliver(*frame, verdict.path_changed);
}

/* Hermes's probes return to their host; ALB's carry a report. */
void Host::take_probe(const Frame &frame) {
    if (!prober_)
        edge_.receive(frame, Segment{}, now_ns());
    else if (frame.stamps.known)
        prober_->take(frame);
    else
        send_probe(Prober::answer(frame, now_ns()));
}

void Host::send_probe(FramePtr probe) {
    probes_++;
    transmit(std::move(probe));
}

void Host::deliver(const Frame &frame, bool path_changed) {
    tcp_.receive(frame.segment, address_of(frame.from), {frame.inner_marked, path_changed});
}

void Host::watch_reports(uint32_t to) {
    if (!watched_.insert(to).second)
        return;
    uint64_t span_ns = uint64_t{edge_.params().probe_rtts} * edge_.params().rtt_ns;
    ns3::Simulator::Schedule(ns3::NanoSeconds(span_ns), [this, to] { send_report(to); });
}

void Host::send_report(uint32_t to) {
    watched_.erase(to);
    auto frame = std::make_unique<Frame>();
    frame->from = number_;
    frame->bytes = probe_bytes;
    if (!edge_.probe(to, *frame, now_ns()))
        return;
    send_probe(std::move(frame));
    watch_reports(to);
}

} // namespace sim
