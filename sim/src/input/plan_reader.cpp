#include "input/plan_reader.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "input/ways.h"
#include "libedge.h"

namespace sim {

namespace {

using Ports = std::set<std::pair<std::string, uint32_t>>;
using Groups = std::map<uint64_t, std::vector<uint32_t>>;

constexpr uint32_t most_ports = 65535;

bool holds(const Plan &plan, const std::string &id) {
    return std::any_of(plan.switches.begin(), plan.switches.end(),
                       [&](const auto &s) { return s.id == id; });
}

/* Reads the id of a switch of the fabric. */
std::string known_switch(const Plan &plan, const Json &json) {
    std::string id = json.text();
    if (!holds(plan, id))
        json.refuse("the fabric has no switch \"" + id + "\"");
    return id;
}

std::pair<std::string, uint32_t> read_end(const Plan &plan, const Json &json, Ports &ports) {
    std::string end = json.text();
    size_t slash = end.rfind('/');
    uint32_t port = 0;
    if (slash != std::string::npos)
        std::from_chars(end.data() + slash + 1, end.data() + end.size(), port);
    if (port == 0 || port > most_ports)
        json.refuse("must be a switch and a port, for example \"s1/2\"");
    std::pair<std::string, uint32_t> read = {end.substr(0, slash), port};
    if (!holds(plan, read.first))
        json.refuse("the fabric has no switch \"" + read.first + "\"");
    if (!ports.insert(read).second)
        json.refuse("has a link already");
    return read;
}

Ports read_fabric(const Json &fabric, Plan &plan) {
    Ports ports;
    for (const Json &json : fabric["switches"].items()) {
        std::string id = json["id"].text();
        if (holds(plan, id))
            json.refuse("there are two switches \"" + id + "\"");
        plan.switches.push_back({id, static_cast<uint32_t>(json["stage"].whole(1, 2))});
    }
    for (const Json &json : fabric["links"].items()) {
        auto a = read_end(plan, json["a"], ports);
        auto b = read_end(plan, json["b"], ports);
        uint64_t bps = json["bps"].whole(least_bps, 1'000'000'000'000);
        plan.links.push_back({a.first, a.second, b.first, b.second, bps});
    }
    for (const Json &json : fabric["subnets"].items()) {
        std::string id = known_switch(plan, json["switch"]);
        for (const auto &leaf : plan.leaves)
            if (leaf.id == id)
                json.refuse("switch \"" + id + "\" has a prefix already");
        plan.leaves.push_back({id, json["prefix"].text()});
    }
    return ports;
}

uint32_t known_port(const Json &json, const std::string &id, const Ports &ports) {
    auto port = static_cast<uint32_t>(json.whole(1, most_ports));
    if (!ports.contains({id, port}))
        json.refuse("switch \"" + id + "\" has no link at port " + std::to_string(port));
    return port;
}

std::vector<uint32_t> read_slots(const Json &group, const std::string &id, const Ports &ports) {
    std::vector<uint32_t> slots;
    std::vector<Json> members = group["ports"].items();
    std::vector<Json> weights;
    if (group.has("weights"))
        weights = group["weights"].items();
    if (!weights.empty() && weights.size() != members.size())
        group.refuse("must have as many weights as ports");
    for (size_t i = 0; i < members.size(); i++) {
        uint64_t weight = weights.empty() ? 1 : weights[i].whole(0, EDGE_SLOTS);
        slots.insert(slots.end(), weight, known_port(members[i], id, ports));
    }
    if (slots.empty() || slots.size() > EDGE_SLOTS)
        group.refuse("must have 1 to " + std::to_string(EDGE_SLOTS) + " slots");
    return slots;
}

/* Returns the slots of an action that sends to a port or a group; none for other actions. */
std::vector<uint32_t> read_action(const Json &json, const Groups &groups, const std::string &id,
                                  const Ports &ports) {
    std::string action = json.text();
    auto number = [&](const char *name) -> uint32_t {
        size_t at = action.find(name);
        uint32_t value = 0;
        if (at != std::string::npos)
            std::from_chars(action.data() + at + std::string(name).size(),
                            action.data() + action.size(), value);
        return value;
    };
    if (uint32_t group = number("group:")) {
        auto found = groups.find(group);
        if (found == groups.end())
            json.refuse("switch \"" + id + "\" has no group " + std::to_string(group));
        return found->second;
    }
    if (uint32_t port = number("output:")) {
        if (!ports.contains({id, port}))
            json.refuse("switch \"" + id + "\" has no link at port " + std::to_string(port));
        return {port};
    }
    return {};
}

Groups read_groups(const Json &state, const std::string &id, const Ports &ports) {
    Groups groups;
    if (!state.has("groups"))
        return groups;
    for (const Json &group : state["groups"].items()) {
        uint64_t number = group["id"].whole(1, UINT32_MAX);
        if (!groups.emplace(number, read_slots(group, id, ports)).second)
            group["id"].refuse("the second group " + std::to_string(number) + " of switch \"" + id +
                               "\"");
    }
    return groups;
}

} // namespace

Plan read_plan(const Json &json) {
    json.allow_more(); // weights, summary and other members of ./evenweave plan
    Plan plan;
    Ports ports = read_fabric(json["fabric"], plan);
    std::set<std::string> read;
    for (const Json &state : json["state"]["switches"].items()) {
        std::string id = known_switch(plan, state["id"]);
        if (!read.insert(id).second)
            state["id"].refuse("the second state of switch \"" + id + "\"");
        Groups groups = read_groups(state, id, ports);
        for (const Json &flow : state["flows"].items()) {
            std::string match = flow["match"].text();
            if (!plan.slots[id]
                     .emplace(match, read_action(flow["action"], groups, id, ports))
                     .second)
                flow["match"].refuse("the second flow for " + match + " of switch \"" + id + "\"");
        }
    }
    check_ways(plan, json);
    return plan;
}

} // namespace sim
