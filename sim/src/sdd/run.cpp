#include "sdd/run.h"

#include <stdexcept>

#include "ns3/simulator.h"
#include "sdd/assignment.h"
#include "sdd/bursts.h"

namespace sim {

namespace {

constexpr uint64_t sample_ns = 10'000;
/* A host's NIC takes a frame when its wire is free. */
constexpr uint64_t nic_bytes = 100'000;

/* A host: what arrives is counted, and given to its message. */
class Station final : public Receiver {
  public:
    Station(std::vector<std::unique_ptr<Messages>> &messages, uint32_t hosts)
        : messages_(messages), hosts_(hosts) {
    }

    void receive(FramePtr frame, uint32_t /*port*/) override {
        frames_++;
        payload_ += frame->bytes - datagram_header_bytes;
        if (!messages_.empty())
            messages_[frame->from * hosts_ + frame->to]->arrived(*frame);
    }

    uint64_t frames() const {
        return frames_;
    }
    uint64_t payload() const {
        return payload_;
    }

  private:
    std::vector<std::unique_ptr<Messages>> &messages_;
    uint32_t hosts_;
    uint64_t frames_ = 0;
    uint64_t payload_ = 0;
};

class SddRun {
  public:
    SddRun(const SddCase &input, Planner *planner) : input_(input), planner_(planner) {
        add_network();
        if (planner)
            control_.emplace(input.control, *planner, *switch_, egress_of_all(), input.seed);
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
        result_.circuits = switch_->counts();
        result_.under_way = switch_->under_way();
        for (uint32_t host = 0; host < nics_.size(); host++) {
            const LinkCounts &up = nics_[host]->counts(), &down = switch_->port_to(host).counts();
            result_.sent += up.frames;
            result_.under_way += up.frames - up.arrived + down.frames - down.arrived;
            result_.packet_drops += down.drops;
            result_.delivered += stations_[host]->frames();
            result_.payload += stations_[host]->payload();
        }
        result_.weeks = control_ ? control_->weeks() : 0;
        if (streams_)
            result_.streams = {
                assignment_->weeks_to_optimum(),     assignment_->optimal_share(),
                assignment_->days_before(),          assignment_->days_after(),
                assignment_->utilisation(),          by_slot(bursts_->on_deviation_ns()),
                by_slot(bursts_->off_deviation_ns())};
        return std::move(result_);
    }

  private:
    void add_network() {
        auto hosts = static_cast<uint32_t>(input_.names.size());
        std::vector<Receiver *> receivers;
        for (uint32_t host = 0; host < hosts; host++) {
            stations_.push_back(std::make_unique<Station>(messages_, hosts));
            receivers.push_back(stations_.back().get());
        }
        switch_.emplace(input_.network, receivers);
        LinkSettings up = {input_.network.host_bps, input_.network.delay_ns, nic_bytes, no_marks,
                           false};
        for (uint32_t host = 0; host < hosts; host++) {
            nics_.push_back(std::make_unique<Port>(up, *switch_, host));
            egress_.push_back(std::make_unique<Egress>(input_.egress, *nics_.back()));
        }
    }

    std::vector<Egress *> egress_of_all() {
        std::vector<Egress *> all;
        for (const auto &one : egress_)
            all.push_back(one.get());
        return all;
    }

    void add_messages(const MessageSettings &settings) {
        auto hosts = static_cast<uint32_t>(egress_.size());
        for (uint32_t from = 0; from < hosts; from++)
            for (uint32_t to = 0; to < hosts; to++)
                messages_.push_back(std::make_unique<Messages>(
                    from, to, *egress_[from], [this](const Job &job) { done(job); }));
        wanted_ = settings.flows;
        arrivals_.emplace(settings, input_.network.host_bps, hosts, input_.seed, messages_);
    }

    void done(const Job &job) {
        result_.messages.push_back({job.bytes, now_ns() - job.arrived_ns});
        if (result_.messages.size() == wanted_)
            ns3::Simulator::Stop();
    }

    void add_streams(const StreamSettings &settings) {
        uint64_t week_ns = input_.control.week_ns;
        streams_.emplace(settings, week_ns, input_.seed, egress_of_all());
        assignment_.emplace(settings, week_ns,
                            input_.egress.circuit_bps > 0 ? input_.egress.circuit_bps
                                                          : input_.network.host_bps);
        if (control_)
            control_->on_planned([this](const Week &week, uint64_t start_ns) {
                assignment_->planned(week, start_ns);
            });
        /* Between two frames of a slot there is less than a frame's time. */
        bursts_.emplace(input_.slot_ns / 4);
        uint32_t first = 0;
        while (first + 1 < egress_.size() && settings.before[first].empty())
            first++;
        for (uint32_t host = 0; host < egress_.size(); host++)
            egress_[host]->on_sent([this, host, first](const Frame &frame, uint64_t start_ns) {
                assignment_->sent(frame, start_ns);
                if (host == first)
                    bursts_->add(start_ns, frame.wire_bytes() * UINT64_C(8'000'000'000) /
                                               input_.network.host_bps);
            });
        ns3::Simulator::Stop(ns3::NanoSeconds(settings.weeks * week_ns));
    }

    std::optional<double> by_slot(std::optional<double> ns) const {
        if (!ns || input_.slot_ns == 0)
            return std::nullopt;
        return *ns / static_cast<double>(input_.slot_ns);
    }

    void sample() {
        require_no_loss();
        for (uint32_t host = 0; host < egress_.size(); host++) {
            result_.host_queue.add(egress_[host]->queued_bytes());
            result_.switch_queue.add(switch_->port_to(host).backlog_bytes());
        }
        ns3::Simulator::Schedule(ns3::NanoSeconds(sample_ns), [this] { sample(); });
    }

    /* Nothing sends a message's lost frame again. */
    void require_no_loss() const {
        uint64_t lost = switch_->counts().dark;
        for (uint32_t host = 0; host < nics_.size(); host++)
            lost += switch_->port_to(host).counts().drops;
        if (wanted_ > 0 && lost > 0)
            throw std::runtime_error("a message lost a frame, and will never be complete");
    }

    const SddCase &input_;
    Planner *planner_;
    SddResult result_;
    uint64_t wanted_ = 0; // messages
    std::vector<std::unique_ptr<Messages>> messages_;
    std::vector<std::unique_ptr<Station>> stations_;
    std::optional<HybridSwitch> switch_;
    std::vector<std::unique_ptr<Port>> nics_;
    std::vector<std::unique_ptr<Egress>> egress_;
    std::optional<ControlLoop> control_;
    std::optional<MessageArrivals> arrivals_;
    std::optional<Streams> streams_;
    std::optional<Assignment> assignment_;
    std::optional<Bursts> bursts_;
};

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
        throw InputError("sdd.weeks: must be there without a planner");
    return std::make_unique<PlannerProcess>(command, input.config, input.names);
}

SddResult run_sdd(const SddCase &input, Planner *planner) {
    Cleanup cleanup;
    return SddRun(input, planner).finish();
}

} // namespace sim
