/* A value of a JSON document with its path, so that errors name the position. */
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <jansson.h>

namespace sim {

/* An error in the input; its text is for the user. */
class InputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class Json {
  public:
    /* path: the document's name in errors. */
    Json(const json_t *value, std::string path)
        : Json(value, std::move(path), std::make_shared<Asked>()) {
    }

    /* Returns the member of that name; throws InputError if there is none. */
    Json operator[](const char *name) const;
    bool has(const char *name) const;
    std::vector<Json> items() const;

    std::string text() const;
    bool truth() const;
    /* Returns a whole number within bounds. */
    uint64_t whole(uint64_t least, uint64_t most) const;
    double number(double least, double most) const;

    /* Returns the value as JSON on one line, for another reader of its members. */
    std::string line() const;

    /* Allows unknown members in this object. */
    void allow_more() const;

    /* Refuses members of this object, or of objects within it, that have not been read: otherwise a
     * misspelt name would be ignored silently. */
    void refuse_unasked() const;

    [[noreturn]] void refuse(const std::string &what) const;

  private:
    /* Members by object; an empty name stands for all members. */
    using Asked = std::set<std::pair<const json_t *, std::string>>;

    Json(const json_t *value, std::string path, std::shared_ptr<Asked> asked)
        : value_(value), path_(std::move(path)), asked_(std::move(asked)) {
    }

    Json member(const char *name, const json_t *value) const;

    const json_t *value_;
    std::string path_;
    std::shared_ptr<Asked> asked_; // of the whole document
};

} // namespace sim
