#include "workload/run.h"

#include <stdexcept>

#include "fabric/fabric.h"
#include "ns3/simulator.h"
#include "workload/aftermath.h"
#include "workload/flows.h"
#include "workload/incast.h"
#include "workload/long_flows.h"

namespace sim {

namespace {

/* Creates the source of the case's workload. done: called for each job. */
std::unique_ptr<Source> make_source(const Case &input, Fabric &fabric, Connection::Done done) {
    if (const auto *incast = std::get_if<IncastSettings>(&input.workload))
        return std::make_unique<Incast>(*incast, input, fabric, std::move(done));
    if (const auto *flows = std::get_if<LongFlowSettings>(&input.workload))
        return std::make_unique<LongFlows>(*flows, input, fabric);
    return std::make_unique<Flows>(std::get<FlowSettings>(input.workload), input, fabric,
                                   std::move(done));
}

class Run {
  public:
    Run(const Case &input, Explainer *explainer)
        : input_(input), fabric_(input), aftermath_(input, fabric_) {
        if (explainer)
            explain(*explainer);
        source_ = make_source(input, fabric_, [this](const Job &job) { done(job); });
    }

    Result finish() {
        ns3::Simulator::Stop(ns3::NanoSeconds(most_run_ns));
        ns3::Simulator::Run();
        if (result_.flows.size() < source_->jobs())
            throw std::runtime_error(std::to_string(source_->jobs() - result_.flows.size()) +
                                     " flows did not complete" +
                                     (now_ns() >= most_run_ns ? " in a million seconds" : ""));
        result_.failed_ns = input_.failure ? input_.failure->at_ns : 0;
        result_.links = fabric_.counts();
        result_.between = fabric_.counts_between_switches();
        result_.reroutes = fabric_.reroutes();
        for (const auto &host : fabric_.hosts()) {
            result_.sent += fabric_.nic(host->number()).counts().frames;
            result_.delivered += host->received();
            result_.probes += host->probes();
            result_.flowlets += host->edge().flowlets();
            result_.tcp.recoveries += host->tcp().counts().recoveries;
            result_.tcp.timeouts += host->tcp().counts().timeouts;
        }
        source_->report(result_);
        aftermath_.report(result_);
        return std::move(result_);
    }

  private:
    void explain(Explainer &explainer) {
        for (const auto &host : fabric_.hosts())
            host->edge().set_trace(
                [&explainer, from = host->number()](uint32_t to, const edge_trace &why) {
                    explainer.host(from, to, why);
                });
        for (const auto &at : fabric_.switches())
            at->choice().set_trace([this, &explainer, &from = at->id()](const LeafDecision &why) {
                explainer.leaf(from, input_.plan.leaves[why.to].id, why);
            });
    }

    void done(const Job &job) {
        result_.flows.push_back({job.bytes, now_ns() - job.arrived_ns, job.arrived_ns});
        result_.bytes += job.bytes;
        result_.simulated_ns = now_ns();
    }

    const Case &input_;
    Fabric fabric_;
    Aftermath aftermath_;
    Result result_;
    std::unique_ptr<Source> source_;
};

/* Clears ns-3's global state at the end of a run, also after an exception. */
struct Cleanup {
    ~Cleanup() {
        ns3::Simulator::Destroy();
    }
};

} // namespace

Result run(const Case &input) {
    Cleanup cleanup;
    set_tcp_defaults(input.tcp);
    return Run(input, nullptr).finish();
}

Result run(const Case &input, Explainer &explainer) {
    Cleanup cleanup;
    set_tcp_defaults(input.tcp);
    return Run(input, &explainer).finish();
}

void check(const Case &input) {
    Cleanup cleanup;
    set_tcp_defaults(input.tcp);
    Fabric fabric(input);
    if (input.failure) {
        fabric.fail();
        fabric.follow_plan();
    }
}

} // namespace sim
