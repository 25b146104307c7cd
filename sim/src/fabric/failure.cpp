/* Applies a failure in the middle of a run to a fabric (case.h, struct Failure). */
#include <algorithm>

#include "fabric/fabric.h"

namespace sim {

namespace {

const PlanLink *find_link(const Plan &plan, const PlanLink &link) {
    auto found = std::find_if(plan.links.begin(), plan.links.end(), [&](const PlanLink &other) {
        return other.a == link.a && other.a_port == link.a_port && other.b == link.b &&
               other.b_port == link.b_port;
    });
    return found == plan.links.end() ? nullptr : &*found;
}

/* Returns the number of slots of the port. */
uint32_t slots_of(const Plan &plan, const std::string &id, const std::string &prefix,
                  uint32_t port) {
    auto at = plan.slots.find(id);
    if (at == plan.slots.end() || !at->second.contains(prefix))
        return 0;
    const auto &slots = at->second.at(prefix);
    return static_cast<uint32_t>(std::count(slots.begin(), slots.end(), port));
}

size_t slots_in_all(const Plan &plan, const std::string &id, const std::string &prefix) {
    auto at = plan.slots.find(id);
    return at == plan.slots.end() || !at->second.contains(prefix) ? 1
                                                                  : at->second.at(prefix).size();
}

} // namespace

void Fabric::fail() {
    const Plan &after = input_.failure->after;
    for (const PlanLink &link : input_.plan.links) {
        Port &a = find(link.a).port(link.a_port), &b = find(link.b).port(link.b_port);
        if (const PlanLink *left = find_link(after, link)) {
            a.set_rate(left->bps);
            b.set_rate(left->bps);
        } else {
            a.take_down();
            b.take_down();
            neighbours_.erase({link.a, link.a_port});
            neighbours_.erase({link.b, link.b_port});
        }
    }
    set_choices(*find_scheme(input_.scheme));
}

void Fabric::follow_plan() {
    Scheme scheme = *find_scheme(input_.scheme);
    plan_ = &input_.failure->after;
    set_choices(scheme);
    if (has_priors(scheme))
        set_priors(scheme);
}

std::vector<uint32_t> Fabric::lighter_uplinks() const {
    std::vector<uint32_t> found;
    const Plan &before = input_.plan, &after = input_.failure->after;
    const std::string &id = leaves_.front()->id(), &prefix = before.leaves.back().prefix;
    for (const auto &[number, port] : leaves_.front()->ports()) {
        uint64_t was = slots_of(before, id, prefix, number) * slots_in_all(after, id, prefix);
        uint64_t is = slots_of(after, id, prefix, number) * slots_in_all(before, id, prefix);
        if (is < was)
            found.push_back(number);
    }
    return found;
}

} // namespace sim
