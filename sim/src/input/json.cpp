#include "input/json.h"

#include <cstdlib>
#include <memory>

namespace sim {

void Json::refuse(const std::string &what) const {
    throw InputError((path_.empty() ? "input" : path_) + ": " + what);
}

bool Json::has(const char *name) const {
    asked_->emplace(value_, name);
    return json_object_get(value_, name) != nullptr;
}

Json Json::operator[](const char *name) const {
    if (!has(name))
        refuse(std::string("has no \"") + name + "\"");
    return member(name, json_object_get(value_, name));
}

Json Json::member(const char *name, const json_t *value) const {
    return {value, path_.empty() ? name : path_ + "." + name, asked_};
}

void Json::allow_more() const {
    asked_->emplace(value_, "");
}

void Json::refuse_unasked() const {
    if (asked_->contains({value_, ""}))
        return;
    if (json_is_array(value_))
        for (const Json &item : items())
            item.refuse_unasked();
    for (void *at = json_object_iter(const_cast<json_t *>(value_)); at != nullptr;
         at = json_object_iter_next(const_cast<json_t *>(value_), at)) {
        const char *name = json_object_iter_key(at);
        if (!asked_->contains({value_, name}))
            refuse(std::string("unknown member \"") + name + "\"");
        member(name, json_object_iter_value(at)).refuse_unasked();
    }
}

std::vector<Json> Json::items() const {
    if (!json_is_array(value_))
        refuse("must be a list");
    std::vector<Json> items;
    for (size_t i = 0; i < json_array_size(value_); i++)
        items.push_back({json_array_get(value_, i), path_ + "[" + std::to_string(i) + "]", asked_});
    return items;
}

std::string Json::text() const {
    if (!json_is_string(value_))
        refuse("must be a text");
    return json_string_value(value_);
}

bool Json::truth() const {
    if (!json_is_boolean(value_))
        refuse("must be true or false");
    return json_boolean_value(value_);
}

uint64_t Json::whole(uint64_t least, uint64_t most) const {
    json_int_t value = json_integer_value(value_);
    if (!json_is_integer(value_) || value < 0 || static_cast<uint64_t>(value) < least ||
        static_cast<uint64_t>(value) > most)
        refuse("must be a whole number from " + std::to_string(least) + " to " +
               std::to_string(most));
    return static_cast<uint64_t>(value);
}

std::string Json::line() const {
    allow_more();
    std::unique_ptr<char, void (*)(void *)> text(json_dumps(value_, JSON_COMPACT | JSON_ENCODE_ANY),
                                                 free);
    return text.get();
}

double Json::number(double least, double most) const {
    double value = json_number_value(value_);
    if (!json_is_number(value_) || value < least || value > most)
        refuse("must be a number from " + std::to_string(least) + " to " + std::to_string(most));
    return value;
}

} // namespace sim
