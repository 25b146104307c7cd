#include "switch/switch.h"

namespace sim {

Switch::Switch(std::string id, const std::vector<uint32_t> &leaf_of)
    : id_(std::move(id)), leaf_of_(leaf_of), by_host_(leaf_of.size()) {
}

void Switch::add_port(uint32_t number, std::unique_ptr<Port> port) {
    if (by_number_.size() <= number)
        by_number_.resize(number + 1);
    by_number_[number] = port.get();
    ports_[number] = std::move(port);
}

void Switch::add_host(uint32_t host, std::unique_ptr<Port> port) {
    by_host_[host] = port.get();
    hosts_[host] = std::move(port);
}

void Switch::set_choice(std::unique_ptr<Choice> choice) {
    choice_ = std::move(choice);
}

void Switch::receive(FramePtr frame, uint32_t port) {
    uint64_t now = now_ns();
    uint32_t to = frame->to;
    if (Port *down = by_host_[to]) {
        if (port != 0)
            choice_->arrived(*frame, leaf_of_[frame->from], now);
        down->send(std::move(frame));
        return;
    }
    uint32_t out = choice_->port(*frame, leaf_of_[to], port, now);
    by_number_[out]->send(std::move(frame));
}

} // namespace sim
