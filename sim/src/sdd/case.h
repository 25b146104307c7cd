/*
 * A case of hosts with libsdd on a hybrid switch: its controller's configuration and its hosts'
 * traffic.
 */
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "host/tcp.h"
#include "input/json.h"
#include "sdd/control.h"
#include "sdd/egress.h"
#include "sdd/hybrid.h"
#include "sdd/traffic.h"
#include "sdd/week.h"

namespace sim {

struct SddCase {
    uint64_t seed;
    std::vector<std::string> names; // of hosts
    std::string config;             // the controller's configuration, for the planner
    bool scheduled;                 // false: no controller, every queue is open
    HybridSettings network;
    EgressSettings egress;
    ControlSettings control;
    uint64_t slot_ns; // slot length of TDMA and FastPass; 0: not configured
    std::variant<MessageSettings, StreamSettings> workload;
    std::optional<TcpSettings> tcp; // TCP for messages; none: UDP
    std::vector<Week> weeks;        // fixed weeks; none: the planner's weeks
};

/* Whether a case is of this kind. */
bool is_sdd_case(const Json &json);

/* Throws InputError. */
SddCase read_sdd_case(const Json &json);

} // namespace sim
