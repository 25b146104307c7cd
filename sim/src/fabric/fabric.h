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
    /* Throws InputError if the case cannot run on the plan's fabric. */
    /* input: must outlive the fabric. */
    explicit Fabric(const Case &input);

    Host &host(uint32_t number) {
        return *hosts_[number];
    }
    const std::vector<std::unique_ptr<Host>> &hosts() const {
        return hosts_;
    }
    /*
     * Applies the case's failure: links go down or change their rate, and the switches at their
     * ends exclude links that are down from their choices, as with port liveness. Nothing else
     * changes.
     */
    void fail();

    /* Applies the controller's reaction to the failure: its groups, and its weights as priors. */
    void follow_plan();

    const Switch &first_leaf() const {
        return *leaves_.front();
    }

    /* Returns the uplinks of the first leaf whose share of the traffic to the last leaf the
     * failure's plan reduces. */
    std::vector<uint32_t> lighter_uplinks() const;

    const std::vector<std::unique_ptr<Switch>> &switches() const {
        return switches_;
    }
    Port &nic(uint32_t host) {
        return *nics_[host];
    }

    /* Sums over all links. */
    LinkCounts counts() const;

    /* Counts of links between switches, by the sender and its port: "l1/2". */
    std::map<std::string, LinkCounts> counts_between_switches() const;

    /* Reroutes of each flow with data, in no particular order. */
    std::vector<Reroutes> reroutes() const;

    /* The round-trip time of a full segment and its ACK between leaves, with empty queues. */
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
    const Plan *plan_;              // the current plan of switches and hosts
    std::vector<uint32_t> leaf_of_; // of each host
    uint32_t links_ = 0;            // number of link ends created so far
    std::vector<std::unique_ptr<Switch>> switches_;
    std::vector<Switch *> leaves_;
    std::map<std::pair<std::string, uint32_t>, std::string> neighbours_; // by switch port
    std::vector<std::unique_ptr<Host>> hosts_;
    std::vector<std::unique_ptr<Port>> nics_;
    std::vector<std::unique_ptr<Prober>> probers_; // for Hermes, by leaf
};

} // namespace sim
