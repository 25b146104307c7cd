#include "sdd/assignment.h"

#include <algorithm>
#include <set>

namespace sim {

Assignment::Assignment(const StreamSettings &settings, uint64_t week_ns, uint64_t circuit_bps)
    : settings_(settings), week_ns_(week_ns), circuit_bps_(circuit_bps), weeks_(settings.weeks) {
}

void Assignment::planned(const Week &week, uint64_t start_ns) {
    uint64_t number = start_ns / week_ns_;
    if (number >= weeks_.size())
        return;
    Evaluated &evaluated = weeks_[number];
    evaluated.days = static_cast<uint32_t>(week.days.size());
    evaluated.optimal = evaluated.served = true;
    for (uint32_t from = 0; from < wanted(number).size(); from++) {
        const auto &destinations = wanted(number)[from];
        if (destinations.empty())
            continue;
        std::set<uint32_t> needed(destinations.begin(), destinations.end()), got;
        for (const Day &day : week.days) {
            if (day.to[from] == idle)
                continue;
            got.insert(day.to[from]);
            if (needed.count(day.to[from]))
                evaluated.slot_ns += day.duration_ns;
        }
        evaluated.optimal = evaluated.optimal && got == needed;
        evaluated.served =
            evaluated.served && std::includes(got.begin(), got.end(), needed.begin(), needed.end());
    }
}

void Assignment::sent(const Frame &frame, uint64_t start_ns) {
    uint64_t number = start_ns / week_ns_;
    if (number >= weeks_.size())
        return;
    const auto &destinations = wanted(number)[frame.from];
    if (std::find(destinations.begin(), destinations.end(), frame.to) != destinations.end())
        weeks_[number].sent_bytes += frame.wire_bytes();
}

uint32_t Assignment::weeks_to_optimum() const {
    return weeks_until(&Evaluated::optimal);
}

uint32_t Assignment::weeks_to_serve() const {
    return weeks_until(&Evaluated::served);
}

uint32_t Assignment::weeks_until(bool Evaluated::*reached) const {
    for (uint32_t week = settings_.change + 1; week < weeks_.size(); week++)
        if (weeks_[week].*reached)
            return week - settings_.change;
    return static_cast<uint32_t>(weeks_.size()) - settings_.change;
}

double Assignment::optimal_share() const {
    uint32_t first = settings_.change + weeks_to_optimum();
    if (first >= weeks_.size())
        return 0;
    auto optimal = std::count_if(weeks_.begin() + first, weeks_.end(),
                                 [](const Evaluated &week) { return week.optimal; });
    return static_cast<double>(optimal) / static_cast<double>(weeks_.size() - first);
}

uint32_t Assignment::days(uint64_t from, uint64_t to) const {
    for (uint64_t week = to; week > from; week--)
        if (weeks_[week - 1].optimal)
            return weeks_[week - 1].days;
    return 0;
}

uint32_t Assignment::days_before() const {
    return days(0, std::min<uint64_t>(settings_.change + 1, weeks_.size()));
}

uint32_t Assignment::days_after() const {
    return days(settings_.change + 1, weeks_.size());
}

double Assignment::utilisation() const {
    double sent_ns = 0, slot_ns = 0;
    for (const Evaluated &week : weeks_) {
        if (!week.optimal)
            continue;
        sent_ns += static_cast<double>(week.sent_bytes) * 8e9 / static_cast<double>(circuit_bps_);
        slot_ns += static_cast<double>(week.slot_ns);
    }
    return slot_ns > 0 ? sent_ns / slot_ns : 0;
}

} // namespace sim
