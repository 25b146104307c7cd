/* DCTCP: the sender's reaction to marks and losses, the receiver's echoes, and the resulting
 * queue. */
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "cases.h"
#include "fabric/fabric.h"
#include "host/dctcp.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-route.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "workload/connection.h"
#include "workload/source.h"

using namespace sim;

namespace {

constexpr uint32_t segment = 1460;
constexpr uint32_t frame_bytes = segment + header_bytes + framing_bytes;
constexpr uint64_t link_bps = 10'000'000'000;
constexpr uint32_t mark_frames = 65;

ns3::Ptr<ns3::TcpSocketState> state_of(uint32_t segments) {
    auto state = ns3::CreateObject<ns3::TcpSocketState>();
    state->m_segmentSize = segment;
    state->m_cWnd = segments * segment;
    return state;
}

/* Returns a sender without recent marks. */
template <typename Control> ns3::Ptr<Control> unmarked() {
    auto control =
        ns3::CreateObjectWithAttributes<Control>("DctcpAlphaOnInit", ns3::DoubleValue(0));
    return control;
}

uint32_t after_fast_retransmission(ns3::TcpDctcp &control) {
    auto state = state_of(100);
    control.CongestionStateSet(state, ns3::TcpSocketState::CA_RECOVERY);
    return control.GetSsThresh(state, 100 * segment);
}

void a_loss_halves_the_window_and_marks_do_by_their_share(void ** /*state*/) {
    auto plain = unmarked<ns3::TcpDctcp>();
    assert_int_equal(after_fast_retransmission(*plain),
                     100 * segment); // the error that our class corrects
    auto ours = unmarked<Dctcp>();
    assert_int_equal(after_fast_retransmission(*ours), 50 * segment);
    assert_int_equal(ours->GetSsThresh(state_of(100), 0), 100 * segment);
    ours->expect_loss(true);
    assert_int_equal(ours->GetSsThresh(state_of(100), 0), 50 * segment);
    auto marked = ns3::CreateObject<Dctcp>(); // the share of marks is initially 1
    assert_int_equal(marked->GetSsThresh(state_of(100), 0), 50 * segment);
    assert_int_equal(marked->GetSsThresh(state_of(3), 0), 2 * segment);
}

/* A client that sends ten segments at once, and a server. The test marks some segments and delays
 * some to the end, by their numbers. */
class Wire {
  public:
    struct Ack {
        uint32_t segments; // acknowledged so far
        bool echo;
    };

    std::set<uint32_t> marked;
    std::set<uint32_t> late;
    bool acks_of_another_path = false;

    explicit Wire(bool plain = false) {
        TcpSettings settings = small_case("ecmp", {}, 1).tcp;
        settings.congestion = Congestion::dctcp;
        set_tcp_defaults(settings);
        if (plain)
            ns3::Config::SetDefault("ns3::TcpL4Protocol::SocketType",
                                    ns3::TypeIdValue(ns3::TcpDctcp::GetTypeId()));
        client_ = std::make_unique<TcpStack>("10.0.0.1", ns3::MakeCallback(&Wire::forth, this));
        server_ = std::make_unique<TcpStack>("10.0.0.2", ns3::MakeCallback(&Wire::back, this));
    }

    ~Wire() {
        ns3::Simulator::Destroy();
    }

    /* Returns the final window in segments. */
    uint32_t run(uint32_t segments) {
        auto listener = server_->make_socket();
        listener->Bind(ns3::InetSocketAddress(server_->address(), 5000));
        listener->Listen();
        auto socket = client_->make_socket();
        uint32_t window = 0;
        socket->TraceConnectWithoutContext("CongestionWindow",
                                           ns3::MakeCallback(&Wire::note_window, this));
        socket->Bind();
        socket->Connect(ns3::InetSocketAddress(server_->address(), 5000));
        ns3::Simulator::Schedule(ns3::MilliSeconds(1), [&] {
            socket->Send(ns3::Create<ns3::Packet>(segments * segment));
        });
        ns3::Simulator::Run();
        window = window_ / segment;
        return window;
    }

    const std::vector<Ack> &acks() const {
        return acks_;
    }

    /* Number of segments that ACKs with ECN-echo acknowledged. */
    uint32_t echoed() const {
        uint32_t found = 0, before = 0;
        for (const Ack &ack : acks_) {
            found += ack.echo ? ack.segments - before : 0;
            before = ack.segments;
        }
        return found;
    }

  private:
    void note_window(uint32_t /*before*/, uint32_t now) {
        window_ = now;
    }

    void forth(ns3::Ptr<ns3::Packet> packet, ns3::Ipv4Address from, ns3::Ipv4Address /*to*/,
               uint8_t /*protocol*/, ns3::Ptr<ns3::Ipv4Route> /*route*/) {
        Notice notice;
        uint64_t delay_us = 10;
        ns3::TcpHeader header;
        if (packet->GetSize() > packet->PeekHeader(header)) {
            notice.marked = marked.contains(sent_);
            delay_us += late.contains(sent_);
            sent_++;
        }
        ns3::Simulator::Schedule(ns3::MicroSeconds(delay_us), [this, packet, from, notice] {
            server_->receive(packet, from, notice);
        });
    }

    void back(ns3::Ptr<ns3::Packet> packet, ns3::Ipv4Address from, ns3::Ipv4Address /*to*/,
              uint8_t /*protocol*/, ns3::Ptr<ns3::Ipv4Route> /*route*/) {
        ns3::TcpHeader header;
        packet->PeekHeader(header);
        bool is_data_ack = !(header.GetFlags() & ns3::TcpHeader::SYN);
        if (is_data_ack)
            acks_.push_back({(header.GetAckNumber().GetValue() - 1) / segment,
                             (header.GetFlags() & ns3::TcpHeader::ECE) != 0});
        Notice notice = {false, acks_of_another_path && is_data_ack};
        ns3::Simulator::Schedule(ns3::MicroSeconds(10), [this, packet, from, notice] {
            client_->receive(packet, from, notice);
        });
    }

    std::unique_ptr<TcpStack> client_;
    std::unique_ptr<TcpStack> server_;
    std::vector<Ack> acks_;
    uint32_t sent_ = 0;
    uint32_t window_ = 0;
};

void as_many_segments_are_echoed_as_were_marked(void ** /*state*/) {
    for (const std::set<uint32_t> &marked :
         {std::set<uint32_t>{3, 4, 5}, {0}, {9}, {2, 3}, {1, 3, 5, 7}, {}}) {
        Wire wire;
        wire.marked = marked;
        wire.run(10);
        assert_int_equal(wire.acks().back().segments, 10);
        assert_int_equal(wire.echoed(), marked.size());
    }
    Wire plain(true);
    plain.marked = {3, 4, 5};
    plain.run(10);
    assert_true(plain.echoed() != 3); // the error that our class corrects
}

void a_mark_that_comes_after_a_later_segments_is_echoed(void ** /*state*/) {
    for (bool is_plain : {false, true}) {
        Wire wire(is_plain);
        wire.marked = {4, 9};
        wire.late = {4};
        wire.run(10);
        auto filled = std::find_if(wire.acks().begin(), wire.acks().end(),
                                   [](const Wire::Ack &ack) { return ack.segments == 10; });
        assert_true(filled != wire.acks().end());
        assert_int_equal(filled->echo, !is_plain);
    }
}

void acks_of_another_path_leave_the_window_alone(void ** /*state*/) {
    Wire plain;
    assert_true(plain.run(100) > 100);
    Wire changed;
    changed.acks_of_another_path = true;
    assert_int_equal(changed.run(100), 10); // the initial window
}

/* Returns samples of the queue of the only link between two leaves, in full frames, every 5 us from
 * 10 ms on, sorted by size. Each of `flows` hosts sends without end. */
std::vector<double> queue_of(Congestion congestion, uint32_t flows) {
    Case input = small_case("ecmp", leaf_spine(2, 1, 1, link_bps), flows);
    input.tcp.congestion = congestion;
    input.fabric.buffer_bytes = 1'000'000;
    input.fabric.mark_bytes = mark_frames * frame_bytes;
    set_tcp_defaults(input.tcp);
    std::vector<double> queue;
    {
        Fabric fabric(input);
        std::vector<std::unique_ptr<Connection>> connections;
        for (uint32_t i = 0; i < flows; i++) {
            connections.push_back(std::make_unique<TcpConnection>(
                fabric.host(i), fabric.host(flows + i), first_port, [](const Job &) {}));
            /* Starts are staggered by less than a round-trip time, and not by a fraction of it. */
            ns3::Simulator::Schedule(ns3::MicroSeconds(1000 + 37 * i),
                                     [&, i] { connections[i]->push(1'000'000'000); });
        }
        Port &link = *fabric.switches().front()->ports().at(1);
        for (uint32_t at_us = 10'000; at_us < 40'000; at_us += 5)
            ns3::Simulator::Schedule(ns3::MicroSeconds(at_us), [&] {
                queue.push_back(static_cast<double>(link.backlog_bytes()) / frame_bytes);
            });
        ns3::Simulator::Stop(ns3::MilliSeconds(40));
        ns3::Simulator::Run();
    }
    ns3::Simulator::Destroy();
    std::sort(queue.begin(), queue.end());
    return queue;
}

double mean(const std::vector<double> &values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/*
 * Alizadeh et al., DCTCP, section 3.3: the queue of N flows oscillates between K + N - A and K + N
 * frames, A = sqrt(2 N (C RTT + K)) / 2, so its mean is K + N - A / 2. That holds for synchronised
 * windows and an ACK for each segment. Here an ACK is for two segments, so two more frames may
 * arrive at once, and windows are not synchronised: the tolerance is a tenth.
 */
void the_queue_stays_about_the_marking_threshold(void ** /*state*/) {
    Case idle = small_case("ecmp", leaf_spine(2, 1, 1, link_bps), 2);
    double rtt_s = static_cast<double>(Fabric::idle_rtt_ns(idle)) / 1e9;
    for (uint32_t flows : {2u, 4u, 8u, 16u}) {
        double on_the_way = link_bps / 8.0 / frame_bytes * rtt_s;
        double swing = std::sqrt(2 * flows * (on_the_way + mark_frames)) / 2;
        double wanted = mark_frames + flows - swing / 2;
        std::vector<double> queue = queue_of(Congestion::dctcp, flows);
        assert_true(std::abs(mean(queue) - wanted) < wanted / 10);
        assert_true(queue[queue.size() * 95 / 100] <= mark_frames + flows + 2);
        assert_true(queue.front() > 0); // the link is never idle
        assert_true(mean(queue_of(Congestion::newreno, flows)) < 0.8 * wanted);
    }
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(a_loss_halves_the_window_and_marks_do_by_their_share),
        cmocka_unit_test(as_many_segments_are_echoed_as_were_marked),
        cmocka_unit_test(a_mark_that_comes_after_a_later_segments_is_echoed),
        cmocka_unit_test(acks_of_another_path_leave_the_window_alone),
        cmocka_unit_test(the_queue_stays_about_the_marking_threshold),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
