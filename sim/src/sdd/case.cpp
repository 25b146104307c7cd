#include "sdd/case.h"

#include <algorithm>

#include "input/case.h"

namespace sim {

namespace {

constexpr uint64_t most_ns = 10'000'000'000;
constexpr uint64_t most_bps = 100'000'000'000;
/* Maximum size of a queue; the port counts in picoseconds. */
constexpr uint64_t most_bytes = 1'000'000'000;
constexpr uint32_t most_hosts = 1024;

uint64_t whole_or(const Json &json, const char *name, uint64_t most, uint64_t otherwise) {
    return json.has(name) ? json[name].whole(0, most) : otherwise;
}

std::vector<std::string> read_names(const Json &json) {
    std::vector<std::string> names;
    for (const Json &name : json.items()) {
        if (std::find(names.begin(), names.end(), name.text()) != names.end())
            name.refuse("the second host \"" + name.text() + "\"");
        names.push_back(name.text());
    }
    if (names.size() < 2 || names.size() > most_hosts)
        json.refuse("must be from 2 to " + std::to_string(most_hosts) + " hosts");
    return names;
}

uint32_t read_host(const Json &json, const std::vector<std::string> &names) {
    auto found = std::find(names.begin(), names.end(), json.text());
    if (found == names.end())
        json.refuse("no host \"" + json.text() + "\"");
    return static_cast<uint32_t>(found - names.begin());
}

/* most: maximum number of destinations of each host; the first ones are used. */
std::vector<std::vector<uint32_t>> read_pattern(const Json &json, size_t most,
                                                const std::vector<std::string> &names) {
    std::vector<std::vector<uint32_t>> pattern(names.size());
    for (const Json &row : json.items()) {
        uint32_t from = read_host(row["from"], names);
        for (const Json &name : row["to"].items()) {
            uint32_t to = read_host(name, names);
            if (to == from)
                name.refuse("must differ from \"from\"");
            if (pattern[from].size() < most)
                pattern[from].push_back(to);
        }
    }
    return pattern;
}

StreamSettings read_streams(const Json &json, const std::vector<std::string> &names) {
    auto weeks = static_cast<uint32_t>(json["flows"].whole(2, 1'000'000));
    return {.bps = json["streamBps"].whole(1, most_bps),
            .weeks = weeks,
            .change = static_cast<uint32_t>(json["change"].whole(0, weeks)),
            .before = read_pattern(json["before"], names.size(), names),
            .after = read_pattern(
                json["after"], whole_or(json, "destinations", names.size(), names.size()), names)};
}

MessageSettings read_messages(const Json &json) {
    return {.sizes = read_sizes(json["sizes"]),
            .load = json["load"].number(0.01, 1),
            .flows = static_cast<uint32_t>(json["flows"].whole(1, 100'000'000))};
}

bool has_circuit(const Week &week) {
    return std::any_of(week.days.begin(), week.days.end(), [](const Day &day) {
        return std::any_of(day.to.begin(), day.to.end(), [](uint32_t to) { return to != idle; });
    });
}

std::vector<Week> read_weeks(const Json &json, const std::vector<std::string> &names,
                             uint64_t week_ns) {
    std::vector<Week> weeks;
    for (const Json &item : json.items()) {
        weeks.push_back(read_week(item, names));
        if (weeks.back().length_ns != week_ns)
            item["weekNs"].refuse("must be config.periodNs, " + std::to_string(week_ns));
    }
    if (std::none_of(weeks.begin(), weeks.end(), has_circuit))
        json.refuse("must have a day with a circuit");
    return weeks;
}

/* Messages go from any host to any other, and messages of a pair without a circuit would wait for
 * ever. */
void check_pairs(const Json &json, const std::vector<Week> &weeks,
                 const std::vector<std::string> &names) {
    std::vector<std::vector<bool>> served(names.size(), std::vector<bool>(names.size()));
    for (const Week &week : weeks)
        for (const Day &day : week.days)
            for (uint32_t from = 0; from < names.size(); from++)
                if (day.to[from] != idle)
                    served[from][day.to[from]] = true;
    for (uint32_t from = 0; from < names.size(); from++)
        for (uint32_t to = 0; to < names.size(); to++)
            if (from != to && !served[from][to])
                json.refuse("no day has a circuit from \"" + names[from] + "\" to \"" + names[to] +
                            "\", and messages go from each host to each");
}

} // namespace

bool is_sdd_case(const Json &json) {
    return json.has("sdd");
}

SddCase read_sdd_case(const Json &json) {
    Json sdd = json["sdd"];
    Json config = sdd["config"];
    Json control = sdd["control"];
    auto names = read_names(config["hosts"]);
    bool scheduled = sdd["scheduled"].truth();
    bool circuits = sdd["circuits"].truth();
    uint64_t host_bps = sdd["hostBps"].whole(1, most_bps);
    uint64_t circuit_bps = config["circuitBps"].whole(1, host_bps);
    uint64_t packet_bps = config["packetBps"].whole(0, host_bps);
    uint64_t week_ns = config["periodNs"].whole(1, most_ns);
    if (circuits && !scheduled)
        sdd["circuits"].refuse("must be false if nothing is scheduled");
    SddCase read = {
        .seed = json["seed"].whole(0, INT64_MAX),
        .names = names,
        .config = config.line(),
        .scheduled = scheduled,
        .network = {.circuits = circuits,
                    .host_bps = host_bps,
                    .packet_bps = std::max<uint64_t>(packet_bps, 1),
                    .delay_ns = sdd["delayNs"].whole(0, most_ns),
                    .buffer_bytes = sdd.has("bufferBytes") ? sdd["bufferBytes"].whole(1, most_bytes)
                                                           : no_limit},
        .egress = {.hosts = static_cast<uint32_t>(names.size()),
                   .scheduled = scheduled,
                   .circuit_bps = circuit_bps < host_bps ? circuit_bps : 0,
                   .packet_bps = packet_bps,
                   .queue_bytes = sdd["queueBytes"].whole(0, most_bytes)},
        .control = {.week_ns = week_ns,
                    .tight = config["loop"].text() == "tight",
                    .delay_ns = control["delayNs"].number(0, 1e9),
                    .spread_ns = control["spreadNs"].number(0, 1e9)},
        .slot_ns = whole_or(config, "slotNs", most_ns, 0),
        .workload = json["workload"].has("streamBps")
                        ? std::variant<MessageSettings, StreamSettings>(
                              read_streams(json["workload"], names))
                        : read_messages(json["workload"]),
        .tcp = json.has("tcp") ? std::optional(read_tcp(json["tcp"])) : std::nullopt,
        .weeks = sdd.has("weeks") ? read_weeks(sdd["weeks"], names, week_ns) : std::vector<Week>(),
    };
    if (!read.weeks.empty() && std::holds_alternative<MessageSettings>(read.workload))
        check_pairs(sdd["weeks"], read.weeks, names);
    json.refuse_unasked();
    return read;
}

} // namespace sim
