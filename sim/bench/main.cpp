/*
 * Transports one set of flows over one network and prints its cost.
 *
 * usage: bench_sim evenweave|ns3|ns3-global < TRAFFIC
 *
 * The traffic is JSON (read_traffic). Prints an object with the processor time of the simulation,
 * without building the network, with counts, and with each flow's completion time in the order of
 * the flows' arrival.
 */
#include <ctime>
#include <iostream>
#include <memory>
#include <string_view>

#include "network.h"
#include "ns3/simulator.h"
#include "workload/connection.h"

namespace sim::bench {

namespace {

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

std::unique_ptr<Network> make_network(std::string_view name, const Traffic &traffic) {
    if (name == "evenweave")
        return make_evenweave(traffic);
    if (name == "ns3" || name == "ns3-global")
        return make_ns3(traffic, name == "ns3-global");
    throw InputError("no network \"" + std::string(name) + "\"");
}

struct Outcome {
    std::vector<uint64_t> completion_ns; // 0: not completed
    uint64_t bytes = 0;                  // received by servers
};

Outcome carry(Network &network, const Traffic &traffic) {
    Outcome outcome{std::vector<uint64_t>(traffic.flows.size()), 0};
    std::vector<std::unique_ptr<Connection>> connections(traffic.flows.size());
    for (size_t i = 0; i < traffic.flows.size(); i++) {
        const Flow &flow = traffic.flows[i];
        ns3::Simulator::Schedule(ns3::NanoSeconds(flow.at_ns), [&, i] {
            connections[i] = std::make_unique<TcpConnection>(
                network.make_socket(flow.client), network.make_socket(flow.server),
                ns3::InetSocketAddress(network.address(flow.server), flow.port),
                [&, i](const Job &job) { outcome.completion_ns[i] = now_ns() - job.arrived_ns; });
            connections[i]->push(flow.bytes);
            connections[i]->close();
        });
    }
    ns3::Simulator::Run();
    for (const auto &connection : connections)
        outcome.bytes += connection->received_bytes();
    return outcome;
}

void run(std::string_view name, const Traffic &traffic) {
    set_tcp_defaults(traffic.tcp);
    auto network = make_network(name, traffic);
    double began = processor_seconds();
    Outcome outcome = carry(*network, traffic);
    double took = processor_seconds() - began;
    Counts counts = network->counts();
    std::cout << "{\"network\":\"" << name << "\",\"cpuSeconds\":" << took
              << ",\"transmissions\":" << counts.transmissions << ",\"drops\":" << counts.drops
              << ",\"marks\":" << counts.marks << ",\"events\":" << ns3::Simulator::GetEventCount()
              << ",\"bytes\":" << outcome.bytes << ",\"completionNs\":[";
    for (size_t i = 0; i < outcome.completion_ns.size(); i++)
        std::cout << (i ? "," : "") << outcome.completion_ns[i];
    std::cout << "]}\n";
    network.reset();
    ns3::Simulator::Destroy();
}

} // namespace

} // namespace sim::bench

int main(int count, char **arguments) {
    std::unique_ptr<json_t, void (*)(json_t *)> document(
        json_loadf(stdin, JSON_REJECT_DUPLICATES, nullptr), json_decref);
    if (count != 2 || !document) {
        std::cerr << "usage: bench_sim evenweave|ns3|ns3-global < TRAFFIC\n";
        return 2;
    }
    try {
        sim::bench::run(arguments[1], sim::bench::read_traffic(sim::Json(document.get(), "")));
    } catch (const std::exception &wrong) {
        std::cerr << "bench_sim: " << wrong.what() << '\n';
        return 1;
    }
    std::cout.flush();
    return std::cout ? 0 : 1;
}
