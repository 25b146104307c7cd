/*
 * Runs one case: JSON on the standard input, a line of JSON on the standard
 * output. With --check it only says whether the case can be run.
 *
 * Exit status: 0; 1 if the run failed; 2 if the input is not right, with one
 * line that says why.
 */
#include <iostream>
#include <memory>
#include <string_view>

#include "input/case.h"
#include "result/summary.h"
#include "workload/run.h"

int main(int count, char **arguments) {
    json_error_t error;
    std::unique_ptr<json_t, void (*)(json_t *)> document(
        json_loadf(stdin, JSON_REJECT_DUPLICATES, &error), json_decref);
    if (!document) {
        std::cerr << "input: line " << error.line << ": " << error.text << '\n';
        return 2;
    }
    try {
        sim::Case input = sim::read_case(sim::Json(document.get(), ""));
        if (count > 1 && std::string_view(arguments[1]) == "--check")
            sim::check(input);
        else
            sim::write_summary(std::cout, sim::run(input));
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
