#include "workload/connection.h"

#include <algorithm>

namespace sim {

void Connection::push(uint64_t bytes) {
    jobs_.push_back({bytes, now_ns()});
    send(bytes);
}

void Connection::receive(uint64_t bytes) {
    received_ += bytes;
    while (!jobs_.empty() && finished_ + jobs_.front().bytes <= received_) {
        Job job = jobs_.front();
        jobs_.pop_front();
        finished_ += job.bytes;
        done_(job);
    }
}

TcpConnection::TcpConnection(Host &client, Host &server, uint16_t port, Done done)
    : TcpConnection(client.tcp().make_socket(), server.tcp().make_socket(),
                    ns3::InetSocketAddress(server.tcp().address(), port), std::move(done)) {
}

TcpConnection::TcpConnection(ns3::Ptr<ns3::Socket> client, ns3::Ptr<ns3::Socket> listener,
                             const ns3::InetSocketAddress &server, Done done)
    : Connection(std::move(done)), listener_(std::move(listener)), client_(std::move(client)) {
    listener_->Bind(server);
    listener_->Listen();
    listener_->SetAcceptCallback(
        ns3::MakeNullCallback<bool, ns3::Ptr<ns3::Socket>, const ns3::Address &>(),
        ns3::Callback<void, ns3::Ptr<ns3::Socket>, const ns3::Address &>(
            [this](ns3::Ptr<ns3::Socket> socket, const ns3::Address & /*from*/) {
                accept(socket);
            }));
    client_->Bind();
    client_->SetConnectCallback(
        ns3::Callback<void, ns3::Ptr<ns3::Socket>>([this](ns3::Ptr<ns3::Socket> /*socket*/) {
            connected_ = true;
            fill();
        }),
        ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>());
    client_->SetSendCallback(ns3::Callback<void, ns3::Ptr<ns3::Socket>, uint32_t>(
        [this](ns3::Ptr<ns3::Socket> /*socket*/, uint32_t /*room*/) { fill(); }));
    client_->Connect(server);
}

void TcpConnection::send(uint64_t bytes) {
    unsent_ += bytes;
    fill();
}

void TcpConnection::close() {
    closing_ = true;
    fill();
}

void TcpConnection::abandon() {
    unsent_ = 0;
    close();
}

/* Fills the socket's buffer. */
void TcpConnection::fill() {
    while (connected_ && unsent_ > 0) {
        auto bytes = static_cast<uint32_t>(std::min<uint64_t>(unsent_, client_->GetTxAvailable()));
        if (bytes == 0 || client_->Send(ns3::Create<ns3::Packet>(bytes)) < 0)
            return;
        unsent_ -= bytes;
    }
    if (connected_ && closing_) {
        closing_ = false;
        client_->Close();
    }
}

void TcpConnection::accept(ns3::Ptr<ns3::Socket> socket) {
    listener_->Close();
    socket->SetCloseCallbacks(ns3::Callback<void, ns3::Ptr<ns3::Socket>>(
                                  [](ns3::Ptr<ns3::Socket> closed) { closed->Close(); }),
                              ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>());
    socket->SetRecvCallback(ns3::Callback<void, ns3::Ptr<ns3::Socket>>(
        [this](ns3::Ptr<ns3::Socket> from) { drain(from); }));
}

void TcpConnection::drain(ns3::Ptr<ns3::Socket> socket) {
    uint64_t bytes = 0;
    while (ns3::Ptr<ns3::Packet> packet = socket->Recv())
        bytes += packet->GetSize();
    receive(bytes);
}

} // namespace sim
