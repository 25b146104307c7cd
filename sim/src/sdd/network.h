/* The hosts of a case, each with libsdd before its link to the hybrid switch. */
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "host/host.h"
#include "sdd/case.h"
#include "sdd/station.h"

namespace sim {

class SddNetwork {
  public:
    explicit SddNetwork(const SddCase &input);

    uint32_t hosts() const {
        return static_cast<uint32_t>(egress_.size());
    }
    Egress &egress(uint32_t host) {
        return *egress_[host];
    }
    std::vector<Egress *> egress_of_all();
    HybridSwitch &hybrid() {
        return *switch_;
    }
    const Port &nic(uint32_t host) const {
        return *nics_[host];
    }

    /* Opens a connection for an ordered pair's messages, over the case's transport: TCP or UDP. */
    std::unique_ptr<Connection> open(uint32_t from, uint32_t to, Connection::Done done);

    /* Number of frames that reached hosts. */
    uint64_t delivered() const;

    /* Number of frames that have neither arrived nor been lost: on links, in ports and on
     * circuits. */
    uint64_t under_way() const;

    uint64_t timeouts() const;

  private:
    void add_tcp_hosts(const SddCase &input);

    std::optional<TcpSettings> tcp_;
    std::vector<std::unique_ptr<Station>> stations_; // without TCP
    std::vector<std::unique_ptr<Host>> tcp_hosts_;   // with TCP
    std::optional<HybridSwitch> switch_;
    std::vector<std::unique_ptr<Port>> nics_;
    std::vector<std::unique_ptr<Egress>> egress_;
};

} // namespace sim
