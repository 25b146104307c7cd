/*
 * The parts of each scheme in hosts and in switches.
 */
#pragma once

#include <optional>
#include <ranges>
#include <string_view>

#include "libedge.h"

namespace sim {

/* How the uplink is chosen at a leaf switch. */
enum class Chooser {
    equal, // by the switch with a hash: ECMP
    plan,  // by the switch with a hash over the controller's slots: WCMP; also at spines
    edge,  // by the host
    leaf,  // the switch, for each flowlet
};

struct Scheme {
    std::string_view name;
    edge_scheme host;
    Chooser chooser;
    edge_leaf_scheme leaf;       // for Chooser::leaf
    bool weighted;               // paths start with the plan's shares instead of equal ones
    uint32_t flowcell_bytes = 0; // 0: libedge's
    bool is_hermes = false;      // the host chooses by Hermes instead of libedge
};

#define LIBEDGE(CONSTANT, NAME, ...) {NAME, EDGE_##CONSTANT, Chooser::edge, {}, false},

/* DRB (Cao et al., CoNEXT 2013) is Presto with flowcells of one packet and equal weights. Presto
 * has "ideal" static weights that reflect the topology (Clove, section 5). Of two rows with the
 * same name the last counts. */
constexpr Scheme schemes[] = {
    EDGE_SCHEME_TABLE(LIBEDGE) // those of libedge
    {"ecmp", EDGE_ECMP, Chooser::equal, {}, false},
    {"wcmp", EDGE_ECMP, Chooser::plan, {}, false},
    {"presto", EDGE_PRESTO, Chooser::edge, {}, true},
    {"drb", EDGE_PRESTO, Chooser::edge, {}, false, 1},
    {"hermes", EDGE_ECMP, Chooser::edge, {}, false, 0, true},
    {"letflow", EDGE_ECMP, Chooser::leaf, EDGE_LEAF_LETFLOW, false},
    {"conga", EDGE_ECMP, Chooser::leaf, EDGE_LEAF_CONGA, false},
    {"intflow", EDGE_INTFLOW, Chooser::leaf, EDGE_LEAF_INTFLOW, false},
};

#undef LIBEDGE

constexpr std::optional<Scheme> find_scheme(std::string_view name) {
    for (const Scheme &scheme : std::views::reverse(schemes))
        if (scheme.name == name)
            return scheme;
    return std::nullopt;
}

} // namespace sim
