/* A link: its times, its queue, its marks. */
#include <cmath>
#include <random>
#include <vector>

#include "cases.h"
#include "fabric/port.h"
#include "ns3/simulator.h"

using namespace sim;

namespace {

constexpr LinkSettings ten_gigabit = {10'000'000'000, 5000, 100'000, 30'000, false};
/* The duration of a frame of 1500 bytes at 10 Gb/s: 1538 bytes at 0.8 ns each, rounded up. */
constexpr uint64_t frame_ns = 1231;

class Sink final : public Receiver {
  public:
    void receive(FramePtr frame, uint32_t port) override {
        at_ns.push_back(now_ns());
        marked.push_back(frame->marked);
        ports.push_back(port);
    }
    std::vector<uint64_t> at_ns;
    std::vector<bool> marked;
    std::vector<uint32_t> ports;
};

FramePtr frame(bool ecn_capable = false) {
    auto made = std::make_unique<Frame>();
    made->bytes = 1500;
    made->ecn_capable = ecn_capable;
    return made;
}

int teardown(void ** /*state*/) {
    ns3::Simulator::Destroy();
    return 0;
}

void frames_arrive_after_transmission_and_propagation(void ** /*state*/) {
    Sink sink;
    Port port(ten_gigabit, sink, 7);
    assert_true(port.send(frame()));
    assert_true(port.send(frame()));
    ns3::Simulator::Run();
    assert_int_equal(sink.at_ns.size(), 2);
    assert_int_equal(sink.at_ns[0], 5000 + frame_ns);
    assert_int_equal(sink.at_ns[1], 5000 + 2461); // 2 * 1230.4
    assert_int_equal(sink.ports[0], 7);
}

void what_does_not_fit_is_dropped(void ** /*state*/) {
    Sink sink;
    Port port(ten_gigabit, sink, 0);
    for (int i = 0; i < 100; i++)
        port.send(frame());
    ns3::Simulator::Run();
    assert_int_equal(sink.at_ns.size(), 100'000 / 1538);
    assert_int_equal(port.counts().drops, 100 - 100'000 / 1538);
    assert_int_equal(port.counts().frames, port.counts().arrived);
}

/* In picoseconds at 1 bit/s, 100 MB are more than 64 bits hold. */
void a_large_limit_is_one(void ** /*state*/) {
    Sink sink;
    LinkSettings settings = ten_gigabit;
    settings.limit_bytes = 100'000'000;
    Port port(settings, sink, 0);
    for (int i = 0; i < 2000; i++)
        port.send(frame());
    ns3::Simulator::Run();
    assert_int_equal(port.counts().drops, 0);
    assert_int_equal(sink.at_ns.size(), 2000);
}

void only_ecn_capable_frames_behind_more_than_the_threshold_are_marked(void ** /*state*/) {
    Sink sink;
    Port port(ten_gigabit, sink, 0);
    for (int i = 0; i < 30; i++)
        port.send(frame(i % 2 == 0));
    ns3::Simulator::Run();
    for (size_t i = 0; i < sink.marked.size(); i++)
        assert_int_equal(sink.marked[i], i % 2 == 0 && i * 1538 > 30'000);
}

/* Losses are independent: the test allows 4 standard deviations. */
void a_wire_that_loses_frames_loses_its_share_and_says_nothing(void ** /*state*/) {
    constexpr int frames = 50'000;
    constexpr double share = 0.02;
    LinkSettings lossy = ten_gigabit;
    lossy.loss = share;
    std::vector<uint64_t> at_ns[2];
    for (uint32_t seed : {0u, 1u}) {
        lossy.loss_seed = seed;
        Sink sink;
        Port port(lossy, sink, 0);
        for (int i = 0; i < frames; i++)
            ns3::Simulator::Schedule(ns3::NanoSeconds(i * frame_ns),
                                     [&] { assert_true(port.send(frame())); });
        ns3::Simulator::Run();
        ns3::Simulator::Destroy();
        double deviation = std::sqrt(frames * share * (1 - share));
        auto lost = static_cast<double>(port.counts().lost);
        assert_true(std::abs(lost - frames * share) < 4 * deviation);
        assert_int_equal(port.counts().frames, port.counts().arrived + port.counts().lost);
        assert_int_equal(port.counts().arrived, sink.at_ns.size());
        assert_int_equal(port.counts().drops, 0);
        at_ns[seed] = sink.at_ns;
    }
    assert_true(at_ns[0] != at_ns[1]);
}

void a_queue_waits_as_long_as_theory_says_of_poisson_arrivals(void ** /*state*/) {
    constexpr double load = 0.7;
    constexpr double service_ns = 1230.4;
    constexpr int arrivals = 400'000;
    LinkSettings endless = ten_gigabit;
    endless.limit_bytes = 1'000'000'000;
    Sink sink;
    Port port(endless, sink, 0);
    std::mt19937_64 random(1);
    std::exponential_distribution<double> gap(load / service_ns);
    double at_ns = 0;
    double waited_ns = 0;
    for (int i = 0; i < arrivals; i++) {
        at_ns += gap(random);
        ns3::Simulator::Schedule(ns3::NanoSeconds(static_cast<uint64_t>(at_ns)), [&] {
            waited_ns += static_cast<double>(port.backlog_bytes()) * 0.8;
            port.send(frame());
        });
    }
    ns3::Simulator::Run();
    double theory_ns = load * service_ns / (2 * (1 - load)); // M/D/1
    double mean_ns = waited_ns / arrivals;
    assert_true(std::abs(mean_ns / theory_ns - 1) < 0.02);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test_teardown(frames_arrive_after_transmission_and_propagation, teardown),
        cmocka_unit_test_teardown(what_does_not_fit_is_dropped, teardown),
        cmocka_unit_test_teardown(a_large_limit_is_one, teardown),
        cmocka_unit_test_teardown(only_ecn_capable_frames_behind_more_than_the_threshold_are_marked,
                                  teardown),
        cmocka_unit_test_teardown(a_wire_that_loses_frames_loses_its_share_and_says_nothing,
                                  teardown),
        cmocka_unit_test_teardown(a_queue_waits_as_long_as_theory_says_of_poisson_arrivals,
                                  teardown),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
