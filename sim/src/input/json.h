/*
 * A value of a JSON document that knows where it is, so that errors name the place.
 */
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

/* What is wrong with the input; its text is for the user. */
class InputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class Json {
  public:
    /* A document; path: how errors name it. */
    Json(const json_t *value, std::string path)
        : Json(value, std::move(path), std::make_shared<Asked>()) {
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

    /* The value as it is, JSON on one line; somebody else reads its members. */
    std::string line() const;

    /* Members that nobody asks for are no mistake here. */
    void allow_more() const;

    /* Refuses a member, of this object or of one within it, that nobody has asked for: a name that
     * is spelt wrong would be left out without a word. */
    void refuse_unasked() const;

    [[noreturn]] void refuse(const std::string &what) const;

  private:
    /* Members by object; without a name: all of the object's. */
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
