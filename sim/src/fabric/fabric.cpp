#include "fabric/fabric.h"

#include <algorithm>
#include <cmath>

#include "ns3/object-factory.h"
#include "ns3/simulator.h"

namespace sim {

namespace {

/* A host's queue can hold all its sockets' buffers; TCP's window limits them. */
constexpr uint64_t nic_limit_bytes = 100'000'000;

/* Returns the plan's slots of a switch towards a leaf. */
const std::vector<uint32_t> &slots(const Plan &plan, const std::string &id, size_t leaf) {
    static const std::vector<uint32_t> none;
    auto found = plan.slots.find(id);
    if (found == plan.slots.end())
        return none;
    auto slots = found->second.find(plan.leaves[leaf].prefix);
    return slots == found->second.end() ? none : slots->second;
}

uint64_t seed_of(const Case &input, uint64_t what, uint64_t number) {
    return input.seed * 1'000'003 + what * 100'003 + number;
}

} // namespace

Fabric::Fabric(const Case &input) : input_(input), plan_(&input.plan) {
    if (input.plan.leaves.size() < 2)
        throw InputError("plan: the fabric must have prefixes at two switches or more");
    if (input.plan.leaves.size() > EDGE_LEAVES)
        throw InputError("plan: the fabric must have at most " + std::to_string(EDGE_LEAVES) +
                         " prefixes");
    /* ns-3's default is a tree, which allocates memory for each event. The order of events is the
     * same. */
    ns3::Simulator::SetScheduler(ns3::ObjectFactory("ns3::PriorityQueueScheduler"));
    Scheme scheme = *find_scheme(input.scheme);
    for (uint32_t leaf = 0; leaf < input.plan.leaves.size(); leaf++)
        leaf_of_.insert(leaf_of_.end(), input.fabric.hosts_per_leaf, leaf);
    add_switches(input);
    add_links(input);
    add_hosts(input, scheme);
    set_choices(scheme);
    set_paths(scheme);
    if (scheme.is_hermes)
        set_hermes(input);
}

Switch &Fabric::find(const std::string &id) {
    return **std::find_if(switches_.begin(), switches_.end(),
                          [&](const auto &s) { return s->id() == id; });
}

void Fabric::add_switches(const Case &input) {
    for (const auto &made : input.plan.switches)
        switches_.push_back(std::make_unique<Switch>(made.id, leaf_of_));
    for (const auto &leaf : input.plan.leaves)
        leaves_.push_back(&find(leaf.id));
}

void Fabric::add_links(const Case &input) {
    for (const auto &link : input.plan.links) {
        LinkSettings settings = {.bps = link.bps,
                                 .delay_ns = input.fabric.delay_ns,
                                 .limit_bytes = input.fabric.buffer_bytes,
                                 .mark_bytes = input.fabric.mark_bytes,
                                 .measured = true,
                                 .losses = this};
        Switch &a = find(link.a);
        Switch &b = find(link.b);
        auto from = [&](const Switch &sender) {
            LinkSettings own = settings;
            own.loss = sender.id() == input.fabric.drops.at ? input.fabric.drops.share : 0;
            own.loss_seed = static_cast<uint32_t>(seed_of(input, 3, links_++));
            return own;
        };
        a.add_port(link.a_port, std::make_unique<Port>(from(a), b, link.b_port));
        b.add_port(link.b_port, std::make_unique<Port>(from(b), a, link.a_port));
        neighbours_[{link.a, link.a_port}] = link.b;
        neighbours_[{link.b, link.b_port}] = link.a;
    }
}

void Fabric::add_hosts(const Case &input, const Scheme &scheme) {
    uint64_t rtt_ns = idle_rtt_ns(input);
    edge_params params =
        edge_defaults(scheme.host, static_cast<uint32_t>(rtt_ns), input.fabric.host_bps);
    params.gap_ns = static_cast<uint32_t>(input.edge.gap_rtts * static_cast<double>(rtt_ns));
    params.gap_adapt = static_cast<uint32_t>(std::lround(256 * input.edge.gap_adapt));
    if (input.edge.metric_age_rtts > 0)
        params.metric_age_ns =
            static_cast<uint32_t>(input.edge.metric_age_rtts * static_cast<double>(rtt_ns));
    params.explore = input.edge.explore;
    params.answer_ns = input.edge.answer_rtts * static_cast<uint32_t>(rtt_ns);
    params.settle_ns = static_cast<uint32_t>(input.edge.settle_rtts * static_cast<double>(rtt_ns));
    if (scheme.flowcell_bytes > 0)
        params.flowcell_bytes = scheme.flowcell_bytes;
    if (input.edge.flowcell_bytes > 0)
        params.flowcell_bytes = input.edge.flowcell_bytes;
    LinkSettings down = {.bps = input.fabric.host_bps,
                         .delay_ns = input.fabric.delay_ns,
                         .limit_bytes = input.fabric.buffer_bytes,
                         .mark_bytes = input.fabric.mark_bytes,
                         .measured = false,
                         .losses = this};
    LinkSettings up = down;
    up.limit_bytes = nic_limit_bytes;
    for (uint32_t number = 0; number < leaf_of_.size(); number++) {
        Switch &leaf = *leaves_[leaf_of_[number]];
        hosts_.push_back(std::make_unique<Host>(number, params, input.edge.guests,
                                                input.edge.in_order, seed_of(input, 1, number)));
        nics_.push_back(std::make_unique<Port>(up, leaf, 0));
        hosts_.back()->attach(*nics_.back());
        leaf.add_host(number, std::make_unique<Port>(down, *hosts_.back(), 0));
    }
}

/* Returns the ports that lead towards each leaf: directly, or to a switch with a link to it. */
Routes Fabric::routes(const Switch &from) const {
    auto is_link_to = [&](const std::string &id, const std::string &to) {
        return std::any_of(neighbours_.begin(), neighbours_.end(),
                           [&](const auto &n) { return n.first.first == id && n.second == to; });
    };
    bool is_leaf = std::find(leaves_.begin(), leaves_.end(), &from) != leaves_.end();
    Routes routes(leaves_.size());
    for (size_t leaf = 0; leaf < leaves_.size(); leaf++) {
        const std::string &to = leaves_[leaf]->id();
        if (to == from.id())
            continue;
        for (const auto &[number, port] : from.ports()) {
            auto next = neighbours_.find({from.id(), number});
            if (next != neighbours_.end() &&
                (next->second == to || (is_leaf && is_link_to(next->second, to))))
                routes[leaf].push_back(number);
        }
        if (routes[leaf].empty())
            throw InputError("plan: the fabric has no way from \"" + from.id() + "\" to \"" + to +
                             "\"");
    }
    return routes;
}

/* Returns the routes of each leaf. */
std::vector<Routes> Fabric::leaf_routes() const {
    std::vector<Routes> found;
    for (const Switch *leaf : leaves_)
        found.push_back(routes(*leaf));
    return found;
}

/* Returns the plan's slots without those of links that are down, which the switch itself
 * excludes. */
std::vector<edge_multipath> Fabric::plan_tables(const std::string &id) const {
    std::vector<edge_multipath> tables(plan_->leaves.size());
    for (size_t leaf = 0; leaf < tables.size(); leaf++) {
        for (uint32_t port : slots(*plan_, id, leaf))
            if (neighbours_.contains({id, port}))
                tables[leaf].port[tables[leaf].slots++] = static_cast<uint16_t>(port);
        if (tables[leaf].slots == 0 && id != plan_->leaves[leaf].id)
            throw InputError("plan: switch \"" + id + "\" has no way to " +
                             plan_->leaves[leaf].prefix);
    }
    return tables;
}

void Fabric::set_choices(const Scheme &scheme) {
    for (uint32_t i = 0; i < switches_.size(); i++) {
        Switch &at = *switches_[i];
        Routes ways = routes(at);
        auto leaf = std::find(leaves_.begin(), leaves_.end(), &at);
        if (input_.fabric.perfect_hashing)
            at.set_choice(std::make_unique<DealtChoice>(plan_tables(at.id())));
        else if (input_.edge.ports > 0)
            at.set_choice(std::make_unique<SourcePortChoice>(plan_tables(at.id()), i + 1));
        else if (scheme.chooser == Chooser::plan)
            at.set_choice(std::make_unique<TableChoice>(plan_tables(at.id()), i + 1));
        else if (leaf == leaves_.end())
            at.set_choice(std::make_unique<AlignedChoice>(ways));
        else
            at.set_choice(leaf_choice(scheme, leaf - leaves_.begin(), ways));
    }
}

std::unique_ptr<Choice> Fabric::leaf_choice(const Scheme &scheme, size_t leaf,
                                            const Routes &routes) const {
    if (scheme.chooser == Chooser::equal)
        return std::make_unique<TableChoice>(equal_tables(routes), 0);
    if (scheme.chooser == Chooser::edge)
        return std::make_unique<PathChoice>(routes);
    std::vector<uint32_t> uplinks;
    std::vector<uint64_t> bps;
    for (const auto &[number, port] : leaves_[leaf]->ports()) {
        if (!neighbours_.contains({leaves_[leaf]->id(), number}))
            continue;
        uplinks.push_back(number);
        bps.push_back(port->bps());
    }
    for (size_t to = 0; to < routes.size(); to++)
        if (to != leaf && routes[to] != uplinks)
            throw InputError("plan: for " + input_.scheme + " every uplink of \"" +
                             leaves_[leaf]->id() + "\" must lead to every leaf");
    if (uplinks.size() > EDGE_UPLINKS)
        throw InputError("plan: for " + input_.scheme + " a leaf must have at most " +
                         std::to_string(EDGE_UPLINKS) + " uplinks");
    auto gap_ns =
        static_cast<uint32_t>(input_.edge.gap_rtts * static_cast<double>(idle_rtt_ns(input_)));
    return std::make_unique<LeafChoice>(scheme.leaf, gap_ns, uplinks, bps,
                                        seed_of(input_, 2, leaf));
}

bool Fabric::has_priors(const Scheme &scheme) const {
    return scheme.chooser == Chooser::edge && input_.edge.ports == 0 &&
           (scheme.weighted || input_.edge.prior);
}

/* Returns the weights of the paths from one leaf to another. */
std::vector<uint32_t> Fabric::weights(const Scheme &scheme, const Routes &ways, uint32_t at,
                                      uint32_t to) const {
    const auto &ports = ways[to];
    if (input_.edge.ports > 0)
        return std::vector<uint32_t>(input_.edge.ports, 1);
    std::vector<uint32_t> weights(ports.empty() ? 1 : ports.size(), 1);
    if (has_priors(scheme))
        for (size_t i = 0; i < ports.size(); i++) {
            const auto &shares = slots(*plan_, leaves_[at]->id(), to);
            weights[i] = static_cast<uint32_t>(std::count(shares.begin(), shares.end(), ports[i]));
        }
    if (weights.size() > EDGE_MAX_PATHS)
        throw InputError("plan: a leaf must have at most " + std::to_string(EDGE_MAX_PATHS) +
                         " uplinks");
    return weights;
}

/*
 * A path is an uplink of the leaf, because spines are aligned, or, with edge.ports, a source port,
 * which switches hash. ALB has one table for each leaf (section II.B b), Clove one for each host
 * (section 3). If switches choose, hosts have one path, and leaves may have any number of
 * uplinks.
 */
void Fabric::set_paths(const Scheme &scheme) {
    if (scheme.host == EDGE_ECMP) {
        for (const auto &host : hosts_)
            host->edge().set_one_path();
        return;
    }
    bool per_leaf = scheme.host == EDGE_ALB;
    std::vector<Routes> ways = leaf_routes();
    for (const auto &host : hosts_) {
        uint32_t at = leaf_of_[host->number()];
        for (uint32_t to = 0; to < hosts_.size(); to++)
            host->edge().set_paths(to, per_leaf ? leaf_of_[to] : to,
                                   weights(scheme, ways[at], at, leaf_of_[to]));
    }
}

/* If a leaf lost an uplink, its paths use the remaining links; their priors stay. */
void Fabric::set_priors(const Scheme &scheme) {
    bool per_leaf = scheme.host == EDGE_ALB;
    std::vector<Routes> ways = leaf_routes();
    for (const auto &host : hosts_) {
        uint32_t at = leaf_of_[host->number()];
        for (uint32_t to = 0; to < (per_leaf ? leaves_.size() : hosts_.size()); to++) {
            uint32_t leaf = per_leaf ? to : leaf_of_[to];
            host->edge().set_priors(to, weights(scheme, ways[at], at, leaf));
        }
    }
}

/* The first host of each leaf probes for its rack and answers probes. */
void Fabric::set_hermes(const Case &input) {
    HermesParams params = hermes_defaults(hosts_.front()->edge().params());
    std::vector<Routes> ways = leaf_routes();
    uint32_t per_leaf = input.fabric.hosts_per_leaf;
    for (uint32_t leaf = 0; leaf < leaves_.size(); leaf++) {
        Host &agent = *hosts_[leaf * per_leaf];
        probers_.push_back(std::make_unique<Prober>(
            agent.number(), leaf_of_, params,
            [&agent](FramePtr probe) { agent.send_probe(std::move(probe)); },
            seed_of(input, 4, leaf)));
        for (uint32_t to = 0; to < leaves_.size(); to++)
            if (to != leaf)
                probers_.back()->add_leaf(to, to * per_leaf,
                                          static_cast<uint32_t>(ways[leaf][to].size()));
    }
    for (const auto &host : hosts_) {
        uint32_t at = leaf_of_[host->number()];
        auto hermes = std::make_unique<Hermes>(params, input.fabric.host_bps,
                                               seed_of(input, 5, host->number()));
        for (uint32_t to = 0; to < hosts_.size(); to++) {
            size_t paths = std::max<size_t>(1, ways[at][leaf_of_[to]].size());
            hermes->set_paths(to, leaf_of_[to], static_cast<uint32_t>(paths));
        }
        probers_[at]->add(*hermes);
        host->edge().set_hermes(std::move(hermes));
        host->set_prober(*probers_[at]);
    }
}

std::vector<Reroutes> Fabric::reroutes() const {
    std::vector<Reroutes> found;
    for (const auto &host : hosts_)
        host->edge().collect(found);
    for (const auto &at : switches_)
        at->choice().collect(found);
    return found;
}

LinkCounts Fabric::counts() const {
    LinkCounts sum;
    auto add = [&](const Port &port) {
        sum.frames += port.counts().frames;
        sum.bytes += port.counts().bytes;
        sum.drops += port.counts().drops;
        sum.marks += port.counts().marks;
        sum.arrived += port.counts().arrived;
        sum.lost += port.counts().lost;
    };
    for (const auto &nic : nics_)
        add(*nic);
    for (const auto &at : switches_) {
        for (const auto &[number, port] : at->ports())
            add(*port);
        for (const auto &[number, port] : at->hosts())
            add(*port);
    }
    return sum;
}

std::map<std::string, LinkCounts> Fabric::counts_between_switches() const {
    std::map<std::string, LinkCounts> found;
    for (const auto &at : switches_)
        for (const auto &[number, port] : at->ports())
            found[at->id() + '/' + std::to_string(number)] = port->counts();
    return found;
}

uint64_t Fabric::idle_rtt_ns(const Case &input) {
    uint64_t fabric_bps = 0;
    for (const auto &link : input.plan.links)
        fabric_bps = std::max(fabric_bps, link.bps);
    auto one_way = [&](uint64_t payload) {
        uint64_t bits = (payload + header_bytes + framing_bytes) * 8;
        return 2 * bits * 1'000'000'000 / input.fabric.host_bps +
               (fabric_bps ? 2 * bits * 1'000'000'000 / fabric_bps : 0) + 4 * input.fabric.delay_ns;
    };
    return one_way(input.tcp.segment_bytes) + one_way(0);
}

} // namespace sim
