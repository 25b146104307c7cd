/*
 * Whether circuits are those that hosts need: the evaluation of weeks against the
 * streams that run (Tewari 2015, sections 4.7.2 and 4.7.3).
 */
#pragma once

#include <cstdint>
#include <vector>

#include "sdd/traffic.h"
#include "sdd/week.h"

namespace sim {

class Assignment {
  public:
    /* Circuits carry so many bits per second. */
    Assignment(const StreamSettings &settings, uint64_t week_ns, uint64_t circuit_bps);

    void planned(const Week &week, uint64_t start_ns);
    void sent(const Frame &frame, uint64_t start_ns);

    /*
     * From the week of the change, counted as 0, to the first one in which each host that streams
     * has circuits to its destinations and to no other; as many as there are if none has.
     */
    uint32_t weeks_to_optimum() const;

    /* The same for the first week in which it has those to its destinations, whatever others. */
    uint32_t weeks_to_serve() const;

    /* Of the weeks from the first optimal one on, the share that is so. */
    double optimal_share() const;

    /* Days of the last optimal week before the change, and of the last one of all; 0 if none. */
    uint32_t days_before() const;
    uint32_t days_after() const;

    /* What hosts that stream sent to their destinations by what their slots had room for, in
     * optimal weeks; 0 if there is none. */
    double utilisation() const;

  private:
    struct Evaluated {
        bool optimal = false;
        bool served = false;
        uint32_t days = 0;
        uint64_t slot_ns = 0;    // to destinations, of all hosts that stream
        uint64_t sent_bytes = 0; // by these
    };

    const std::vector<std::vector<uint32_t>> &wanted(uint64_t week) const {
        return week > settings_.change ? settings_.after : settings_.before;
    }
    uint32_t weeks_until(bool Evaluated::*reached) const;
    uint32_t days(uint64_t from, uint64_t to) const;

    const StreamSettings &settings_;
    uint64_t week_ns_;
    uint64_t circuit_bps_;
    std::vector<Evaluated> weeks_; // by number
};

} // namespace sim
