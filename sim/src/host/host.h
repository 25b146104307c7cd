/*
 * An end host: ns-3's TCP as the guest, libedge below it, and a NIC.
 */
#pragma once

#include <cstdint>
#include <set>

#include "fabric/port.h"
#include "host/edge.h"
#include "host/probing.h"
#include "host/reassembly.h"
#include "host/tcp.h"
#include "sdd/egress.h"

namespace sim {

/* Returns the hash of a TCP five-tuple. */
uint32_t flow_hash(uint32_t from, uint32_t to, uint32_t from_port, uint32_t to_port);

class Host final : public Receiver {
  public:
    Host(uint32_t number, const edge_params &params, const Guests &guests, InOrder in_order,
         uint64_t seed);
    Host(const Host &) = delete;
    Host &operator=(const Host &) = delete;

    /* Sets the link to the leaf. */
    void attach(Port &nic) {
        nic_ = &nic;
    }

    /* prober: of the host's rack; must outlive the host. */
    void set_prober(Prober &prober) {
        prober_ = &prober;
    }

    /* Sends a probe. */
    void send_probe(FramePtr probe);

    /* Sends leaving frames through libsdd to the link. */
    void attach(Egress &egress) {
        egress_ = &egress;
    }

    void receive(FramePtr frame, uint32_t port) override;

    /* Reports that a frame for this host will never arrive. */
    void lost(const Frame &frame) {
        if (frame.order > 0)
            ideal_.lost(frame);
    }

    static ns3::Ipv4Address address_of(uint32_t number);

    uint32_t number() const {
        return number_;
    }
    Edge &edge() {
        return edge_;
    }
    TcpStack &tcp() {
        return tcp_;
    }
    /* Number of received frames, including probes. */
    uint64_t received() const {
        return received_;
    }
    uint64_t probes() const {
        return probes_;
    }

  private:
    void send(ns3::Ptr<ns3::Packet> segment, ns3::Ipv4Address from, ns3::Ipv4Address to,
              uint8_t protocol, ns3::Ptr<ns3::Ipv4Route> route);
    void transmit(FramePtr frame);
    void deliver(const Frame &frame, bool path_changed);
    void watch_reports(uint32_t to);
    void send_report(uint32_t to);
    void take_probe(const Frame &frame);

    uint32_t number_;
    Edge edge_;
    Reassembly reassembly_;
    IdealReassembly ideal_;
    TcpStack tcp_;
    Port *nic_ = nullptr;
    Prober *prober_ = nullptr;   // for Hermes
    Egress *egress_ = nullptr;   // null: frames go directly to the NIC
    std::set<uint32_t> watched_; // peers for which a check of overdue reports is scheduled
    uint64_t received_ = 0;
    uint64_t probes_ = 0;
};

} // namespace sim
