/*
 * Who plans the weeks: the shipped planner in a process of its own, or weeks that
 * it planned before.
 */
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <sys/types.h>

#include "sdd/week.h"

namespace sim {

/* What a host tells of one of its queues when a week begins. */
struct Report {
    uint32_t from;
    uint32_t to;
    int64_t queued_bytes;
    int64_t arrived_bytes; // in the week before
};

class Planner {
  public:
    Planner() = default;
    Planner(const Planner &) = delete;
    Planner &operator=(const Planner &) = delete;
    virtual ~Planner() = default;

    /* The week after the one that begins now. Throws InputError if it is none. */
    virtual Week plan(const std::vector<Report> &reports) = 0;
};

/* Weeks known beforehand, again and again, whatever is reported. */
class FixedWeeks final : public Planner {
  public:
    /* At least one. */
    explicit FixedWeeks(std::vector<Week> weeks) : weeks_(std::move(weeks)) {
    }

    Week plan(const std::vector<Report> & /*reports*/) override {
        return weeks_[next_++ % weeks_.size()];
    }

  private:
    std::vector<Week> weeks_;
    size_t next_ = 0;
};

/*
 * `./evenweave schedule`, asked line by line: the controller's own estimate of
 * demand and its own schedulers, which remember earlier weeks.
 */
class PlannerProcess final : public Planner {
  public:
    /*
     * command: as a shell takes it. config: the controller's, JSON on one line.
     * Throws std::runtime_error if the process cannot be started.
     */
    PlannerProcess(const std::string &command, std::string config, std::vector<std::string> names);
    ~PlannerProcess() override;

    /* Throws std::runtime_error if the process gives no answer. */
    Week plan(const std::vector<Report> &reports) override;

  private:
    std::string config_; // until the first line has told it
    std::vector<std::string> names_;
    pid_t process_ = 0;
    FILE *to_ = nullptr;
    FILE *from_ = nullptr;
    char *line_ = nullptr;
    size_t room_ = 0;
};

} // namespace sim
