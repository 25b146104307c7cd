/*
 * A value of a JSON document that knows where it is, so that errors say so.
 */
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <jansson.h>

namespace sim {

/* What is wrong with the input; its text is for the user. */
class InputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class Json {
  public:
    Json(const json_t *value, std::string path) : value_(value), path_(std::move(path)) {
    }

    /* The member of that name; an error if there is none. */
    Json operator[](const char *name) const;
    bool has(const char *name) const;
    std::vector<Json> items() const;

    std::string text() const;
    bool truth() const;
    /* A whole number within bounds. */
    uint64_t whole(uint64_t least, uint64_t most) const;
    double number(double least, double most) const;

    /* The value as it is, JSON on one line. */
    std::string line() const;

    [[noreturn]] void refuse(const std::string &what) const;

  private:
    const json_t *value_;
    std::string path_;
};

} // namespace sim
