#include "input/json.h"

#include <cstdlib>
#include <memory>

namespace sim {

void Json::refuse(const std::string &what) const {
    throw InputError((path_.empty() ? "input" : path_) + ": " + what);
}

bool Json::has(const char *name) const {
    return json_object_get(value_, name) != nullptr;
}

Json Json::operator[](const char *name) const {
    const json_t *member = json_object_get(value_, name);
    if (!member)
        refuse(std::string("has no \"") + name + "\"");
    return {member, path_.empty() ? name : path_ + "." + name};
}

std::vector<Json> Json::items() const {
    if (!json_is_array(value_))
        refuse("must be a list");
    std::vector<Json> items;
    for (size_t i = 0; i < json_array_size(value_); i++)
        items.emplace_back(json_array_get(value_, i), path_ + "[" + std::to_string(i) + "]");
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
