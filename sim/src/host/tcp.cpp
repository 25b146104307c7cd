#include "host/tcp.h"

#include "host/recovery.h"
#include "host/socket.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/object-factory.h"
#include "ns3/rtt-estimator.h"
#include "ns3/string.h"
#include "ns3/tcp-cubic.h"
#include "ns3/tcp-linux-reno.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

namespace sim {

namespace {

/* Routes every destination directly from the node's address. */
class DirectRouting final : public ns3::Ipv4RoutingProtocol {
  public:
    explicit DirectRouting(ns3::Ipv4Address source) : route_(ns3::Create<ns3::Ipv4Route>()) {
        route_->SetSource(source);
    }

    ns3::Ptr<ns3::Ipv4Route> RouteOutput(ns3::Ptr<ns3::Packet> /*packet*/,
                                         const ns3::Ipv4Header & /*header*/,
                                         ns3::Ptr<ns3::NetDevice> /*device*/,
                                         ns3::Socket::SocketErrno &error) override {
        error = ns3::Socket::ERROR_NOTERROR;
        return route_;
    }
    bool RouteInput(ns3::Ptr<const ns3::Packet> /*packet*/, const ns3::Ipv4Header & /*header*/,
                    ns3::Ptr<const ns3::NetDevice> /*device*/,
                    const UnicastForwardCallback & /*unicast*/,
                    const MulticastForwardCallback & /*multicast*/,
                    const LocalDeliverCallback & /*local*/,
                    const ErrorCallback & /*error*/) override {
        return false;
    }
    void NotifyInterfaceUp(uint32_t /*interface*/) override {
    }
    void NotifyInterfaceDown(uint32_t /*interface*/) override {
    }
    void NotifyAddAddress(uint32_t /*interface*/, ns3::Ipv4InterfaceAddress /*address*/) override {
    }
    void NotifyRemoveAddress(uint32_t /*interface*/,
                             ns3::Ipv4InterfaceAddress /*address*/) override {
    }
    void SetIpv4(ns3::Ptr<ns3::Ipv4> /*ipv4*/) override {
    }
    void PrintRoutingTable(ns3::Ptr<ns3::OutputStreamWrapper> /*stream*/,
                           ns3::Time::Unit /*unit*/) const override {
    }

  private:
    ns3::Ptr<ns3::Ipv4Route> route_;
};

ns3::TypeId type_of(Congestion congestion) {
    switch (congestion) {
    case Congestion::cubic:
        return ns3::TcpCubic::GetTypeId();
    case Congestion::dctcp:
        return Dctcp::GetTypeId();
    default:
        return ns3::TcpLinuxReno::GetTypeId();
    }
}

template <typename Value> void set(const char *attribute, const Value &value) {
    ns3::Config::SetDefault(attribute, value);
}

} // namespace

void set_tcp_defaults(const TcpSettings &settings) {
    using ns3::StringValue, ns3::TimeValue, ns3::UintegerValue, ns3::NanoSeconds;
    set("ns3::TcpL4Protocol::SocketType", ns3::TypeIdValue(type_of(settings.congestion)));
    set("ns3::TcpL4Protocol::RecoveryType", ns3::TypeIdValue(Recovery::GetTypeId()));
    set("ns3::TcpSocketBase::UseEcn",
        StringValue("On")); // off, marks would be ignored
    set("ns3::TcpSocketBase::Timestamp", ns3::BooleanValue(false));
    set("ns3::TcpSocket::SegmentSize", UintegerValue(settings.segment_bytes));
    set("ns3::TcpSocket::InitialCwnd", UintegerValue(settings.initial_window));
    set("ns3::TcpSocket::SndBufSize", UintegerValue(settings.buffer_bytes));
    set("ns3::TcpSocket::RcvBufSize", UintegerValue(settings.buffer_bytes));
    set("ns3::TcpSocket::DelAckCount", UintegerValue(settings.ack_every));
    set("ns3::TcpSocket::DelAckTimeout", TimeValue(NanoSeconds(settings.least_rto_ns / 5)));
    set("ns3::TcpSocketBase::ReTxThreshold", UintegerValue(settings.duplicate_acks));
    set("ns3::TcpSocketBase::MinRto", TimeValue(NanoSeconds(settings.least_rto_ns)));
    /* Connections never abort, however congested the fabric is. */
    set("ns3::TcpSocket::ConnCount", UintegerValue(1000));
    set("ns3::TcpSocket::DataRetries", UintegerValue(1000));
    /* ns-3's defaults are for the Internet: 1 ms, 1 s, 3 s and 120 s. */
    set("ns3::TcpSocketBase::ClockGranularity", TimeValue(ns3::MicroSeconds(100)));
    set("ns3::RttEstimator::InitialEstimation", TimeValue(ns3::MicroSeconds(200)));
    set("ns3::TcpSocket::ConnTimeout", TimeValue(ns3::MilliSeconds(10)));
    set("ns3::TcpSocketBase::MaxSegLifetime", ns3::DoubleValue(0.01));
}

TcpStack::TcpStack(ns3::Ipv4Address address, Send send)
    : address_(address), node_(ns3::CreateObject<ns3::Node>()),
      tcp_(ns3::CreateObject<ns3::TcpL4Protocol>()) {
    auto ipv4 = ns3::CreateObject<ns3::Ipv4L3Protocol>();
    ipv4->SetRoutingProtocol(ns3::CreateObject<DirectRouting>(address));
    tcp_->SetDownTarget(send);
    node_->AggregateObject(ipv4);
    node_->AggregateObject(tcp_);
    tcp_->SetDownTarget(send);
    ns3::TypeIdValue congestion;
    tcp_->GetAttribute("SocketType", congestion);
    congestion_ = congestion.Get();
}

void TcpStack::receive(ns3::Ptr<ns3::Packet> segment, ns3::Ipv4Address from, const Notice &notice) {
    notice_ = notice;
    ns3::Ipv4Header header;
    header.SetSource(from);
    header.SetDestination(address_);
    header.SetProtocol(ns3::TcpL4Protocol::PROT_NUMBER);
    if (!is_dctcp())
        header.SetEcn(notice.marked ? ns3::Ipv4Header::ECN_CE : ns3::Ipv4Header::ECN_ECT0);
    tcp_->Receive(segment, header, ns3::Ptr<ns3::Ipv4Interface>());
}

ns3::Ptr<ns3::Socket> TcpStack::make_socket() {
    if (is_dctcp()) {
        auto socket = ns3::CreateObject<DctcpSocket>(notice_);
        set_up(socket, ns3::CreateObject<Dctcp>());
        return socket;
    }
    auto socket = ns3::CreateObject<TcpSocket>();
    ns3::ObjectFactory congestion;
    congestion.SetTypeId(congestion_);
    set_up(socket, congestion.Create<ns3::TcpCongestionOps>());
    return socket;
}

ns3::Ptr<SubflowSocket> TcpStack::make_subflow(const std::shared_ptr<const Coupling> &coupling) {
    auto socket = ns3::CreateObject<SubflowSocket>();
    set_up(socket, ns3::CreateObject<LinkedIncreases>(coupling));
    return socket;
}

bool TcpStack::is_dctcp() const {
    return congestion_ == Dctcp::GetTypeId();
}

/* Sets up a socket like TcpL4Protocol::CreateSocket. */
void TcpStack::set_up(ns3::Ptr<ns3::TcpSocketBase> socket,
                      ns3::Ptr<ns3::TcpCongestionOps> congestion) {
    socket->SetNode(node_);
    socket->SetTcp(tcp_);
    socket->SetRtt(ns3::CreateObject<ns3::RttMeanDeviation>());
    socket->SetCongestionControlAlgorithm(congestion);
    socket->SetRecoveryAlgorithm(ns3::CreateObject<Recovery>());
    tcp_->AddSocket(socket);
    watch(*socket);
}

void TcpStack::watch(ns3::Socket &socket) {
    socket.TraceConnectWithoutContext("CongState", ns3::MakeCallback(&TcpStack::count, this));
}

void TcpStack::count(ns3::TcpSocketState::TcpCongState_t /*before*/,
                     ns3::TcpSocketState::TcpCongState_t now) {
    counts_.recoveries += now == ns3::TcpSocketState::CA_RECOVERY;
    counts_.timeouts += now == ns3::TcpSocketState::CA_LOSS;
}

} // namespace sim
