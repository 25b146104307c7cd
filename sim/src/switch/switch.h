/* A switch: forwards a frame to its host, or to a port towards the host's leaf. */
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fabric/port.h"
#include "switch/choice.h"

namespace sim {

class Switch final : public Receiver {
  public:
    /* leaf_of: the leaf of each host. */
    Switch(std::string id, const std::vector<uint32_t> &leaf_of);
    Switch(const Switch &) = delete;
    Switch &operator=(const Switch &) = delete;

    /* Adds a link to a neighbour. number: the plan's, from 1. */
    void add_port(uint32_t number, std::unique_ptr<Port> port);
    void add_host(uint32_t host, std::unique_ptr<Port> port);
    void set_choice(std::unique_ptr<Choice> choice);

    /* port: ingress port of the frame, 0 from a host. */
    void receive(FramePtr frame, uint32_t port) override;

    Choice &choice() {
        return *choice_;
    }
    const std::string &id() const {
        return id_;
    }
    Port &port(uint32_t number) {
        return *ports_.at(number);
    }
    const std::map<uint32_t, std::unique_ptr<Port>> &ports() const {
        return ports_;
    }
    const std::map<uint32_t, std::unique_ptr<Port>> &hosts() const {
        return hosts_;
    }

  private:
    std::string id_;
    const std::vector<uint32_t> &leaf_of_;
    std::map<uint32_t, std::unique_ptr<Port>> ports_;
    std::map<uint32_t, std::unique_ptr<Port>> hosts_;
    std::vector<Port *> by_number_;
    std::vector<Port *> by_host_;
    std::unique_ptr<Choice> choice_;
};

} // namespace sim
