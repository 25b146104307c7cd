/*
 * Evaluates whether weeks have the circuits that the current streams need (Tewari 2015, sections
 * 4.7.2 and 4.7.3).
 */
#pragma once

#include <cstdint>
#include <vector>

#include "sdd/traffic.h"
#include "sdd/week.h"

namespace sim {

class Assignment {
  public:
    /* circuit_bps: rate of a circuit. */
    Assignment(const StreamSettings &settings, uint64_t week_ns, uint64_t circuit_bps);

    void planned(const Week &week, uint64_t start_ns);
    void sent(const Frame &frame, uint64_t start_ns);

    /*
     * Returns the number of weeks from the change (week 0) to the first week in which each
     * streaming host has circuits to its destinations and to no other host; the number of all weeks
     * if there is none.
     */
    uint32_t weeks_to_optimum() const;

    /* The same for the first week with circuits to its destinations, regardless of others. */
    uint32_t weeks_to_serve() const;

    /* Returns the share of optimal weeks from the first optimal one on. */
    double optimal_share() const;

    /* Number of days in the last optimal week before the change, and in the last one of all; 0 if
     * none. */
    uint32_t days_before() const;
    uint32_t days_after() const;

    /* Returns the bytes that streaming hosts sent to their destinations divided by the room of
     * their slots, in optimal weeks; 0 without such weeks. */
    double utilisation() const;

  private:
    struct Evaluated {
        bool optimal = false;
        bool served = false;
        uint32_t days = 0;
        uint64_t slot_ns = 0;    // slots to destinations, of all streaming hosts
        uint64_t sent_bytes = 0; // sent by these hosts
    };

    const std::vector<std::vector<uint32_t>> &wanted(uint64_t week) const {
        return week > settings_.change ? settings_.after : settings_.before;
    }
    uint32_t weeks_until(bool Evaluated::*reached) const;
    uint32_t days(uint64_t from, uint64_t to) const;

    const StreamSettings &settings_;
    uint64_t week_ns_;
    uint64_t circuit_bps_;
    std::vector<Evaluated> weeks_; // by week number
};

} // namespace sim
