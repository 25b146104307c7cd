/* Plans the weeks: by the shipped planner in a separate process, or with weeks planned before. */
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <sys/types.h>

#include "sdd/week.h"

namespace sim {

/* A host's report of one of its queues at the start of a week. */
struct Report {
    uint32_t from;
    uint32_t to;
    int64_t queued_bytes;
    int64_t arrived_bytes; // in the previous week
};

class Planner {
  public:
    Planner() = default;
    Planner(const Planner &) = delete;
    Planner &operator=(const Planner &) = delete;
    virtual ~Planner() = default;

    /* Plans the week after the one that begins now. Throws InputError if the answer is invalid. */
    virtual Week plan(const std::vector<Report> &reports) = 0;
};

/* Repeats given weeks, independently of the reports. */
class FixedWeeks final : public Planner {
  public:
    /* weeks: at least one. */
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
 * Runs `./evenweave schedule` and queries it line by line: it has the controller's estimate of
 * demand and its schedulers, which have state of earlier weeks.
 */
class PlannerProcess final : public Planner {
  public:
    /*
     * command: a shell command. config: the controller's configuration as JSON on one line. Throws
     * std::runtime_error if the process cannot be started.
     */
    PlannerProcess(const std::string &command, std::string config, std::vector<std::string> names);
    ~PlannerProcess() override;

    /* Throws std::runtime_error if the process gives no answer. */
    Week plan(const std::vector<Report> &reports) override;

  private:
    std::string config_; // until the first line has passed it
    std::vector<std::string> names_;
    pid_t process_ = 0;
    FILE *to_ = nullptr;
    FILE *from_ = nullptr;
    char *line_ = nullptr;
    size_t room_ = 0;
};

} // namespace sim
