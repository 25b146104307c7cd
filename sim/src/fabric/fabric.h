/*
 * A leaf-spine fabric with its hosts, built from a case.
 */
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fabric/scheme.h"
#include "host/host.h"
#include "input/case.h"
#include "switch/switch.h"

namespace sim {

class Fabric final : public Losses {
  public:
    /* Throws InputError where the plan's fabric is none that the case can run on.
     */
    /* The case must outlive the fabric. */
    explicit Fabric(const Case &input);

    Host &host(uint32_t number) {
        return *hosts_[number];
    }
    const std::vector<std::unique_ptr<Host>> &hosts() const {
        return hosts_;
    }
    /* The case's failure happens: links go down or have another rate, and the switches at their
     * ends take them out of their choices, as liveness of ports does it. All else stays. */
    void fail();

    /* What the controller makes of the failure: its groups, and its weights as priors. */
    void follow_plan();

    const Switch &first_leaf() const {
        return *leaves_.front();
    }

    /* The uplinks of the first leaf that the failure's plan gives less of what goes to the last. */
    std::vector<uint32_t> lighter_uplinks() const;

    const std::vector<std::unique_ptr<Switch>> &switches() const {
        return switches_;
    }
    Port &nic(uint32_t host) {
        return *nics_[host];
    }

    /* Sums over all links. */
    LinkCounts counts() const;

    /* Of links between switches, by the sender and its port: "l1/2". */
    std::map<std::string, LinkCounts> counts_between_switches() const;

    /* Of each flow with data, in no order. */
    std::vector<Reroutes> reroutes() const;

    /* The round-trip time of a full segment and its ACK between leaves, with
     * nothing queued. */
    static uint64_t idle_rtt_ns(const Case &input);

  private:
    void lost(const Frame &frame) override {
        hosts_[frame.to]->lost(frame);
    }
    Switch &find(const std::string &id);
    Routes routes(const Switch &from) const;
    std::vector<Routes> leaf_routes() const;
    void add_switches(const Case &input);
    void add_links(const Case &input);
    void add_hosts(const Case &input, const Scheme &scheme);
    void set_choices(const Scheme &scheme);
    std::unique_ptr<Choice> leaf_choice(const Scheme &scheme, size_t leaf,
                                        const Routes &routes) const;
    bool has_priors(const Scheme &scheme) const;
    std::vector<uint32_t> weights(const Scheme &scheme, const Routes &ways, uint32_t at,
                                  uint32_t to) const;
    void set_paths(const Scheme &scheme);
    void set_priors(const Scheme &scheme);
    std::vector<edge_multipath> plan_tables(const std::string &id) const;
    void set_hermes(const Case &input);

    const Case &input_;
    const Plan *plan_;              // that switches and hosts go by
    std::vector<uint32_t> leaf_of_; // of each host
    uint32_t links_ = 0;            // ends of links made so far
    std::vector<std::unique_ptr<Switch>> switches_;
    std::vector<Switch *> leaves_;
    std::map<std::pair<std::string, uint32_t>, std::string> neighbours_; // by switch port
    std::vector<std::unique_ptr<Host>> hosts_;
    std::vector<std::unique_ptr<Port>> nics_;
    std::vector<std::unique_ptr<Prober>> probers_; // of Hermes, by leaf
};

} // namespace sim
