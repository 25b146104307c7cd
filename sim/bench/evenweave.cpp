#include "fabric/fabric.h"
#include "input/leaf_spine.h"
#include "network.h"

namespace sim::bench {

namespace {

Case case_of(const Traffic &traffic) {
    return {
        .scheme = "ecmp",
        .seed = 1,
        .edge = {.gap_rtts = 1, .guests = {true, false, false}},
        .fabric = traffic.fabric,
        .tcp = traffic.tcp,
        .workload = IncastSettings{}, // unused: carry() opens the connections
        .plan = leaf_spine(traffic.leaves, traffic.spines, 1, traffic.fabric.host_bps),
    };
}

class Evenweave final : public Network {
  public:
    explicit Evenweave(const Traffic &traffic) : case_(case_of(traffic)), fabric_(case_) {
    }

    ns3::Ptr<ns3::Socket> make_socket(uint32_t host) override {
        return fabric_.host(host).tcp().make_socket();
    }
    ns3::Ipv4Address address(uint32_t host) const override {
        return Host::address_of(host);
    }
    Counts counts() const override {
        LinkCounts sum = fabric_.counts();
        return {sum.frames, sum.drops, sum.marks};
    }

  private:
    Case case_;
    Fabric fabric_;
};

} // namespace

std::unique_ptr<Network> make_evenweave(const Traffic &traffic) {
    return std::make_unique<Evenweave>(traffic);
}

} // namespace sim::bench
