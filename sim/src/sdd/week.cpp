#include "sdd/week.h"

#include <algorithm>

namespace sim {

namespace {

constexpr uint64_t most_ns = 10'000'000'000;

uint32_t number_of(const Json &name, const std::vector<std::string> &names) {
    auto found = std::find(names.begin(), names.end(), name.text());
    if (found == names.end())
        name.refuse("no host \"" + name.text() + "\"");
    return static_cast<uint32_t>(found - names.begin());
}

Day read_day(const Json &json, const std::vector<std::string> &names) {
    std::vector<bool> sends(names.size()), receives(names.size());
    Day day = {json["startNs"].whole(0, most_ns), json["durationNs"].whole(1, most_ns),
               std::vector<uint32_t>(names.size(), idle)};
    for (const Json &circuit : json["circuits"].items()) {
        uint32_t from = number_of(circuit["from"], names);
        uint32_t to = number_of(circuit["to"], names);
        if (sends[from])
            circuit["from"].refuse("\"" + names[from] + "\" has another circuit in this day");
        if (receives[to])
            circuit["to"].refuse("\"" + names[to] + "\" has another circuit in this day");
        sends[from] = receives[to] = true;
        /* Solstice completes a matching with circuits of a host to itself. */
        if (from != to)
            day.to[from] = to;
    }
    return day;
}

} // namespace

Week read_week(const Json &json, const std::vector<std::string> &names) {
    json.allow_more(); // demand, served and other members of ./evenweave schedule
    Week week = {json["weekNs"].whole(1, most_ns), json["guardNs"].whole(0, most_ns), {}};
    uint64_t free_ns = week.guard_ns;
    for (const Json &item : json["days"].items()) {
        Day day = read_day(item, names);
        if (day.start_ns < free_ns)
            item["startNs"].refuse(week.days.empty()
                                       ? "must leave the guard time to the week's start"
                                       : "the day overlaps the one before, guards included");
        if (day.end_ns() > week.length_ns)
            item["durationNs"].refuse("the day ends after its week");
        free_ns = day.end_ns() + 2 * week.guard_ns;
        week.days.push_back(std::move(day));
    }
    return week;
}

} // namespace sim
