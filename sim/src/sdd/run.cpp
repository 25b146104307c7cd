#include "sdd/run.h"

#include <stdexcept>

#include "ns3/simulator.h"
#include "sdd/assignment.h"
#include "sdd/bursts.h"
#include "sdd/network.h"

namespace sim {

namespace {

constexpr uint64_t sample_ns = 10'000;
/* By this time the connections' handshakes have had circuits. */
constexpr uint64_t tcp_first_ns = 20'000'000;
constexpr uint64_t udp_first_ns = 1'000'000;

class SddRun {
  public:
    SddRun(const SddCase &input, Planner *planner) : input_(input), network_(input) {
        if (planner)
            control_.emplace(input.control, *planner, network_.hybrid(), network_.egress_of_all(),
                             input.seed);
        if (const auto *messages = std::get_if<MessageSettings>(&input.workload))
            add_messages(*messages);
        else
            add_streams(std::get<StreamSettings>(input.workload));
        if (control_)
            control_->begin();
        sample();
    }

    SddResult finish() {
        ns3::Simulator::Run();
        result_.simulated_ns = now_ns();
        result_.circuits = network_.hybrid().counts();
        for (uint32_t host = 0; host < network_.hosts(); host++)
            result_.sent += network_.nic(host).counts().frames;
        result_.packet_drops = drops();
        result_.delivered = network_.delivered();
        result_.under_way = network_.under_way();
        result_.timeouts = network_.timeouts();
        result_.weeks = control_ ? control_->weeks() : 0;
        if (streams_)
            result_.streams = stream_result();
        return std::move(result_);
    }

  private:
    void add_messages(const MessageSettings &settings) {
        for (uint32_t from = 0; from < network_.hosts(); from++)
            for (uint32_t to = 0; to < network_.hosts(); to++)
                connections_.push_back(
                    from == to ? nullptr
                               : network_.open(from, to, [this](const Job &job) { done(job); }));
        wanted_ = settings.flows;
        arrivals_.emplace(settings, input_.network.host_bps, network_.hosts(), input_.seed,
                          input_.tcp ? tcp_first_ns : udp_first_ns, connections_);
    }

    void done(const Job &job) {
        result_.messages.push_back({job.bytes, now_ns() - job.arrived_ns});
        result_.payload += job.bytes;
        if (result_.messages.size() == wanted_)
            ns3::Simulator::Stop();
    }

    void add_streams(const StreamSettings &settings) {
        uint64_t week_ns = input_.control.week_ns;
        streams_.emplace(settings, week_ns, input_.seed, network_.egress_of_all());
        uint64_t drain_bps = input_.egress.circuit_bps;
        assignment_.emplace(settings, week_ns, drain_bps > 0 ? drain_bps : input_.network.host_bps);
        if (control_)
            control_->on_planned([this](const Week &week, uint64_t start_ns) {
                assignment_->planned(week, start_ns);
            });
        /* Gaps between frames of a slot are shorter than a frame. */
        bursts_.emplace(input_.slot_ns / 4);
        uint32_t first = 0;
        while (first + 1 < network_.hosts() && settings.before[first].empty())
            first++;
        for (uint32_t host = 0; host < network_.hosts(); host++)
            network_.egress(host).on_sent(
                [this, host, first](const Frame &frame, uint64_t start_ns) {
                    assignment_->sent(frame, start_ns);
                    result_.payload += frame.bytes - datagram_header_bytes;
                    if (host == first)
                        bursts_->add(start_ns, frame.wire_bytes() * UINT64_C(8'000'000'000) /
                                                   input_.network.host_bps);
                });
        ns3::Simulator::Stop(ns3::NanoSeconds(settings.weeks * week_ns));
    }

    StreamResult stream_result() const {
        return {.weeks_to_serve = assignment_->weeks_to_serve(),
                .weeks_to_optimum = assignment_->weeks_to_optimum(),
                .optimal_share = assignment_->optimal_share(),
                .days_before = assignment_->days_before(),
                .days_after = assignment_->days_after(),
                .utilisation = assignment_->utilisation(),
                .on_deviation = by_slot(bursts_->on_deviation_ns()),
                .off_deviation = by_slot(bursts_->off_deviation_ns())};
    }

    std::optional<double> by_slot(std::optional<double> ns) const {
        if (!ns || input_.slot_ns == 0)
            return std::nullopt;
        return *ns / static_cast<double>(input_.slot_ns);
    }

    void sample() {
        /* Lost datagrams of a message are not retransmitted. */
        if (wanted_ > 0 && !input_.tcp && network_.hybrid().counts().dark + drops() > 0)
            throw std::runtime_error("a message lost a frame and can never complete");
        for (uint32_t host = 0; host < network_.hosts(); host++) {
            result_.host_queue.add(network_.egress(host).queued_bytes());
            result_.switch_queue.add(network_.hybrid().port_to(host).backlog_bytes());
        }
        ns3::Simulator::Schedule(ns3::NanoSeconds(sample_ns), [this] { sample(); });
    }

    uint64_t drops() {
        uint64_t drops = 0;
        for (uint32_t host = 0; host < network_.hosts(); host++)
            drops += network_.hybrid().port_to(host).counts().drops;
        return drops;
    }

    const SddCase &input_;
    SddResult result_;
    uint64_t wanted_ = 0; // messages
    SddNetwork network_;
    std::vector<std::unique_ptr<Connection>> connections_; // indexed by sender and receiver
    std::optional<ControlLoop> control_;
    std::optional<MessageArrivals> arrivals_;
    std::optional<Streams> streams_;
    std::optional<Assignment> assignment_;
    std::optional<Bursts> bursts_;
};

/* Clears ns-3's global state at the end of a run, also after an exception. */
struct Cleanup {
    ~Cleanup() {
        ns3::Simulator::Destroy();
    }
};

} // namespace

std::unique_ptr<Planner> make_planner(const SddCase &input, const std::string &command) {
    if (!input.scheduled)
        return nullptr;
    if (!input.weeks.empty())
        return std::make_unique<FixedWeeks>(input.weeks);
    if (command.empty())
        throw InputError("sdd.weeks: is required without a planner");
    return std::make_unique<PlannerProcess>(command, input.config, input.names);
}

SddResult run_sdd(const SddCase &input, Planner *planner) {
    Cleanup cleanup;
    if (input.tcp)
        set_tcp_defaults(*input.tcp);
    return SddRun(input, planner).finish();
}

} // namespace sim
