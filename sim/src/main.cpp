/*
 * Runs one case: reads JSON from standard input and writes a line of JSON to standard output. With
 * --check it only reports whether the case can run. With --explain FILE it also writes the reason
 * for each flowlet's path. A case of hosts with libsdd gets its weeks from --planner COMMAND:
 * ./evenweave schedule.
 *
 * Exit status: 0; 1 if the run failed; 2 if the input is invalid, with the reason in one line.
 */
#include <iostream>
#include <memory>
#include <string_view>

#include "input/case.h"
#include "result/explanation.h"
#include "result/summary.h"
#include "sdd/run.h"
#include "workload/run.h"

namespace {

void run_sdd(const sim::Json &json, int count, char **arguments) {
    sim::SddCase input = sim::read_sdd_case(json);
    std::string planner;
    for (int i = 1; i < count; i++) {
        if (std::string_view(arguments[i]) == "--check")
            return;
        if (std::string_view(arguments[i]) == "--planner" && i + 1 < count)
            planner = arguments[++i];
    }
    auto plans = sim::make_planner(input, planner);
    sim::write_sdd_summary(std::cout, sim::run_sdd(input, plans.get()));
    std::cout.flush();
}

void run_edges(const sim::Json &json, int count, char **arguments) {
    sim::Case input = sim::read_case(json);
    std::string_view option = count > 1 ? arguments[1] : "";
    if (option == "--check") {
        sim::check(input);
    } else if (option == "--explain" && count > 2) {
        if (!sim::is_explained(input.scheme))
            json["scheme"].refuse("libedge chooses no path for a flowlet under \"" + input.scheme +
                                  "\": there is nothing to explain");
        sim::Explanation explanation(arguments[2]);
        sim::Result result = sim::run(input, explanation);
        explanation.finish();
        sim::write_summary(std::cout, result);
    } else {
        sim::write_summary(std::cout, sim::run(input));
    }
}

} // namespace

int main(int count, char **arguments) {
    json_error_t error;
    std::unique_ptr<json_t, void (*)(json_t *)> document(
        json_loadf(stdin, JSON_REJECT_DUPLICATES, &error), json_decref);
    if (!document) {
        std::cerr << "input: line " << error.line << ": " << error.text << '\n';
        return 2;
    }
    try {
        sim::Json json(document.get(), "");
        if (sim::is_sdd_case(json)) {
            run_sdd(json, count, arguments);
            return std::cout ? 0 : 1;
        }
        run_edges(json, count, arguments);
    } catch (const sim::InputError &wrong) {
        std::cerr << wrong.what() << '\n';
        return 2;
    } catch (const std::exception &failure) {
        std::cerr << failure.what() << '\n';
        return 1;
    }
    std::cout.flush();
    return std::cout ? 0 : 1;
}
