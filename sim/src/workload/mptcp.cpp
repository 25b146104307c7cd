#include "workload/mptcp.h"

#include <algorithm>

#include "ns3/inet-socket-address.h"

namespace sim {

MptcpConnection::MptcpConnection(Host &client, Host &server, uint16_t port, uint32_t subflows,
                                 Done done)
    : Connection(std::move(done)), server_(ns3::InetSocketAddress(server.tcp().address(), port)),
      listener_(server.tcp().make_socket()), coupling_(std::make_shared<Coupling>()),
      subflows_(subflows) {
    listener_->Bind(server_);
    listener_->Listen();
    listener_->SetAcceptCallback(
        ns3::MakeNullCallback<bool, ns3::Ptr<ns3::Socket>, const ns3::Address &>(),
        ns3::Callback<void, ns3::Ptr<ns3::Socket>, const ns3::Address &>(
            [this](ns3::Ptr<ns3::Socket> socket, const ns3::Address &from) {
                accept(socket, from);
            }));
    for (Subflow &subflow : subflows_) {
        subflow.socket = client.tcp().make_subflow(coupling_);
        subflow.socket->set_callbacks(
            [this, &subflow](uint32_t most) { return pull(subflow, most); },
            [this, &subflow] { resend(subflow); });
        subflow.socket->join(*coupling_);
        subflow.socket->Bind();
    }
    connect(subflows_.front());
}

void MptcpConnection::connect(Subflow &subflow) {
    subflow.socket->SetConnectCallback(
        ns3::Callback<void, ns3::Ptr<ns3::Socket>>(
            [this, &subflow](ns3::Ptr<ns3::Socket> /*socket*/) { connected(subflow); }),
        ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>());
    subflow.socket->Connect(server_);
}

void MptcpConnection::connected(Subflow &subflow) {
    subflow.connected = true;
    if (&subflow == &subflows_.front())
        for (size_t i = 1; i < subflows_.size(); i++)
            connect(subflows_[i]);
    if (closing_ && received_bytes() == given_)
        subflow.socket->Close();
    else
        subflow.socket->offer();
}

/* Accepted sockets are identified by the client's port. */
void MptcpConnection::accept(ns3::Ptr<ns3::Socket> socket, const ns3::Address &from) {
    if (++accepted_ == subflows_.size())
        listener_->Close();
    auto port = ns3::InetSocketAddress::ConvertFrom(from).GetPort();
    Subflow &subflow = *std::find_if(subflows_.begin(), subflows_.end(), [&](const auto &s) {
        ns3::Address own;
        s.socket->GetSockName(own);
        return ns3::InetSocketAddress::ConvertFrom(own).GetPort() == port;
    });
    socket->SetCloseCallbacks(ns3::Callback<void, ns3::Ptr<ns3::Socket>>(
                                  [](ns3::Ptr<ns3::Socket> closed) { closed->Close(); }),
                              ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>());
    socket->SetRecvCallback(ns3::Callback<void, ns3::Ptr<ns3::Socket>>(
        [this, &subflow](ns3::Ptr<ns3::Socket> ready) { drain(subflow, ready); }));
}

void MptcpConnection::send(uint64_t bytes) {
    given_ += bytes;
    offer();
}

/* Subflows take data in the order in which it is offered to them. */
void MptcpConnection::offer() {
    std::vector<SubflowSocket *> ready;
    for (const Subflow &subflow : subflows_)
        if (subflow.connected)
            ready.push_back(&*subflow.socket);
    std::stable_sort(ready.begin(), ready.end(), [](const auto *a, const auto *b) {
        return a->round_trip() < b->round_trip();
    });
    for (SubflowSocket *subflow : ready)
        subflow->offer();
}

/* Data that other subflows lost comes first. */
uint32_t MptcpConnection::pull(Subflow &subflow, uint32_t most) {
    while (!lost_.empty() && lost_.front().end <= received_bytes())
        lost_.pop_front();
    bool again = !lost_.empty();
    uint64_t begin = again ? lost_.front().begin : taken_;
    uint64_t end = std::min(begin + most, again ? lost_.front().end : given_);
    if (begin == end)
        return 0;
    if (again)
        lost_.front().begin = end;
    else
        taken_ = end;
    if (again && lost_.front().begin == lost_.front().end)
        lost_.pop_front();
    auto &sent = subflow.under_way;
    if (!sent.empty() && sent.back().end == begin && sent.back().again == again)
        sent.back().end = end;
    else
        sent.push_back({begin, end, again});
    return static_cast<uint32_t>(end - begin);
}

void MptcpConnection::resend(Subflow &subflow) {
    if (subflows_.size() == 1)
        return;
    for (Range &range : subflow.under_way)
        if (!std::exchange(range.again, true))
            lost_.push_back(range);
    for (Subflow &other : subflows_)
        if (&other != &subflow && other.connected)
            other.socket->offer();
}

void MptcpConnection::drain(Subflow &subflow, ns3::Ptr<ns3::Socket> socket) {
    uint64_t bytes = 0;
    while (ns3::Ptr<ns3::Packet> packet = socket->Recv())
        bytes += packet->GetSize();
    subflow.received += bytes;
    while (bytes > 0) {
        Range &first = subflow.under_way.front();
        uint64_t part = std::min(bytes, first.end - first.begin);
        bytes -= part;
        uint64_t begin = first.begin;
        first.begin += part;
        if (first.begin == first.end)
            subflow.under_way.pop_front();
        deliver(begin, begin + part);
    }
}

void MptcpConnection::deliver(uint64_t begin, uint64_t end) {
    uint64_t &known = early_[begin];
    known = std::max(known, end);
    uint64_t in_order = received_bytes();
    while (!early_.empty() && early_.begin()->first <= in_order) {
        in_order = std::max(in_order, early_.begin()->second);
        early_.erase(early_.begin());
    }
    receive(in_order - received_bytes());
    if (closing_ && received_bytes() == given_)
        close();
}

void MptcpConnection::abandon() {
    given_ = taken_;
    close();
}

/* Closes only when the server has all data: until then a subflow may have to carry data that
 * another one lost. */
void MptcpConnection::close() {
    closing_ = true;
    if (received_bytes() < given_)
        return;
    for (Subflow &subflow : subflows_)
        if (std::exchange(subflow.connected, false))
            subflow.socket->Close();
}

} // namespace sim
