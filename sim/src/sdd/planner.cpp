#include "sdd/planner.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <sstream>

#include <sys/wait.h>
#include <unistd.h>

namespace sim {

namespace {

constexpr int in = 0, out = 1; // ends of a pipe

void write_reports(std::ostream &line, const std::vector<Report> &reports,
                   const std::vector<std::string> &names) {
    line << "\"reports\":[";
    const char *separator = "";
    for (const Report &report : reports) {
        line << separator << "{\"from\":\"" << names[report.from] << "\",\"to\":\""
             << names[report.to] << "\",\"queuedBytes\":" << report.queued_bytes
             << ",\"arrivedBytes\":" << report.arrived_bytes << '}';
        separator = ",";
    }
    line << "]}\n";
}

} // namespace

PlannerProcess::PlannerProcess(const std::string &command, std::string config,
                               std::vector<std::string> names)
    : config_(std::move(config)), names_(std::move(names)) {
    std::array<int, 2> asked{}, answered{};
    if (pipe(asked.data()) != 0 || pipe(answered.data()) != 0)
        throw std::runtime_error("cannot create a pipe to the planner");
    std::signal(SIGPIPE, SIG_IGN); // a terminated planner is reported as a missing answer
    std::string line = "exec " + command;
    process_ = fork();
    if (process_ < 0)
        throw std::runtime_error("cannot start the planner");
    if (process_ == 0) {
        dup2(asked[in], STDIN_FILENO);
        dup2(answered[out], STDOUT_FILENO);
        for (int end : {asked[in], asked[out], answered[in], answered[out]})
            close(end);
        execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
        _exit(127);
    }
    close(asked[in]);
    close(answered[out]);
    to_ = fdopen(asked[out], "w");
    from_ = fdopen(answered[in], "r");
}

PlannerProcess::~PlannerProcess() {
    fclose(to_);
    fclose(from_);
    waitpid(process_, nullptr, 0);
    free(line_);
}

Week PlannerProcess::plan(const std::vector<Report> &reports) {
    std::ostringstream line;
    line << '{';
    if (!config_.empty())
        line << "\"config\":" << config_ << ',';
    config_.clear();
    write_reports(line, reports, names_);
    std::string text = line.str();
    if (fwrite(text.data(), 1, text.size(), to_) != text.size() || fflush(to_) != 0 ||
        getline(&line_, &room_, from_) <= 0)
        throw std::runtime_error("the planner gave no answer");
    json_error_t error;
    std::unique_ptr<json_t, void (*)(json_t *)> document(json_loads(line_, 0, &error), json_decref);
    if (!document)
        throw std::runtime_error("the planner's answer is not JSON");
    Json answer(document.get(), "schedule");
    if (answer.has("error"))
        throw InputError("schedule: " + answer["error"].text());
    return read_week(answer, names_);
}

} // namespace sim
