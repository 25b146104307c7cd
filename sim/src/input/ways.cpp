#include "input/ways.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sim {

namespace {

using Neighbours = std::map<std::pair<std::string, uint32_t>, std::string>; // by switch and port
using NextHops = std::map<std::string, std::set<std::string>>;

Neighbours neighbours(const Plan &plan) {
    Neighbours found;
    for (const PlanLink &link : plan.links) {
        found[{link.a, link.a_port}] = link.b;
        found[{link.b, link.b_port}] = link.a;
    }
    return found;
}

NextHops next_hops(const Plan &plan, const Plan::Leaf &to, const Neighbours &at, const Json &json) {
    NextHops found;
    for (const Plan::Switch &from : plan.switches) {
        if (from.id == to.id)
            continue;
        auto flows = plan.slots.find(from.id);
        if (flows != plan.slots.end())
            if (auto slots = flows->second.find(to.prefix); slots != flows->second.end())
                for (uint32_t port : slots->second)
                    found[from.id].insert(at.at({from.id, port}));
        if (!found.contains(from.id))
            json.refuse("switch \"" + from.id + "\" has no way to " + to.prefix);
    }
    return found;
}

/* Returns a predicate: whether a next hop is among the remaining switches. */
auto is_in(const NextHops &left) {
    return [&](const std::string &next) { return left.contains(next); };
}

/* Finds a loop among switches each of which has a next hop among them. */
std::string loop_among(const NextHops &left) {
    std::vector<std::string> way = {left.begin()->first};
    for (;;) {
        const auto &hops = left.at(way.back());
        const std::string &next = *std::find_if(hops.begin(), hops.end(), is_in(left));
        auto met = std::find(way.begin(), way.end(), next);
        if (met == way.end()) {
            way.push_back(next);
            continue;
        }
        std::string names;
        for (; met != way.end(); met++)
            names += *met + ", ";
        return names + next;
    }
}

/* Repeatedly removes switches all of whose next hops are removed, beginning with the destination.
 * Remaining switches have a loop. */
void check_loops(NextHops left, const Plan::Leaf &to, const Json &json) {
    size_t before = 0;
    while (left.size() != before) {
        before = left.size();
        for (auto from = left.begin(); from != left.end();) {
            const auto &hops = from->second;
            bool arrives = std::none_of(hops.begin(), hops.end(), is_in(left));
            from = arrives ? left.erase(from) : std::next(from);
        }
    }
    if (!left.empty())
        json.refuse("frames to " + to.prefix + " loop: " + loop_among(left));
}

} // namespace

void check_ways(const Plan &plan, const Json &json) {
    Neighbours at = neighbours(plan);
    for (const Plan::Leaf &to : plan.leaves)
        check_loops(next_hops(plan, to, at, json), to, json);
}

} // namespace sim
