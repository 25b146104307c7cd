#include "fields.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void fields_fail(struct fields *fields, const char *key, const char *format, ...) {
    if (fields->failed)
        return;
    fields->failed = true;
    int used = snprintf(fields->error, sizeof fields->error, "%s%.100s: ", fields->path, key);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fields->error + used, sizeof fields->error - (size_t)used, format, arguments);
    va_end(arguments);
}

void fields_known(struct fields *fields, json_t *object, const char *const *keys) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        const char *const *known = keys;
        while (*known && strcmp(*known, key) != 0)
            known++;
        if (!*known)
            fields_fail(fields, key, "unknown field");
    }
}

int64_t fields_integer(struct fields *fields, json_t *object, const char *key, int64_t least,
                       int64_t most, int64_t fallback) {
    json_t *value = json_object_get(object, key);
    const int64_t on_error = fallback == FIELD_REQUIRED ? least : fallback;
    if (fields->failed || (!value && fallback != FIELD_REQUIRED))
        return on_error;
    if (json_is_integer(value) && json_integer_value(value) >= least &&
        json_integer_value(value) <= most)
        return json_integer_value(value);
    fields_fail(fields, key, "must be a whole number from %" PRId64 " to %" PRId64, least, most);
    return on_error;
}

bool fields_boolean(struct fields *fields, json_t *object, const char *key, bool fallback) {
    json_t *value = json_object_get(object, key);
    if (!value || fields->failed)
        return fallback;
    if (!json_is_boolean(value))
        fields_fail(fields, key, "must be true or false");
    return json_is_true(value);
}

void fields_text(struct fields *fields, json_t *object, const char *key, char *text, size_t size,
                 const char *fallback) {
    json_t *value = json_object_get(object, key);
    snprintf(text, size, "%s", fallback ? fallback : "");
    if (fields->failed || (!value && fallback))
        return;
    const char *found = json_string_value(value);
    const size_t length = json_string_length(value);
    bool good = found && length > 0 && length < size;
    for (size_t i = 0; good && i < length; i++)
        good = (unsigned char)found[i] >= ' ' && found[i] != 127;
    if (good)
        memcpy(text, found, length + 1);
    else
        fields_fail(fields, key, "must be a text of 1 to %zu characters", size - 1);
}

unsigned fields_choice(struct fields *fields, json_t *object, const char *key,
                       const char *const *choices, const char *fallback) {
    char text[32], list[128] = "";
    if (!json_object_get(object, key) && !fallback) {
        fields_fail(fields, key, "is missing");
        return 0;
    }
    fields_text(fields, object, key, text, sizeof text, fallback);
    for (unsigned i = 0; choices[i]; i++) {
        if (strcmp(choices[i], text) == 0)
            return i;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", choices[i]);
    }
    fields_fail(fields, key, "must be one of %s", list);
    return 0;
}

json_t *fields_array(struct fields *fields, json_t *object, const char *key, size_t least,
                     size_t most) {
    json_t *value = json_object_get(object, key);
    if (fields->failed || (!value && least == 0))
        return NULL;
    if (json_is_array(value) && json_array_size(value) >= least && json_array_size(value) <= most)
        return value;
    fields_fail(fields, key, "must be an array of %zu to %zu items", least, most);
    return NULL;
}

json_t *fields_object(struct fields *fields, json_t *object, const char *key, bool required) {
    json_t *value = json_object_get(object, key);
    if (fields->failed || (!value && !required))
        return NULL;
    if (json_is_object(value))
        return value;
    fields_fail(fields, key, "must be an object");
    return NULL;
}

json_t *fields_item(struct fields *fields, json_t *array, const char *key, size_t i) {
    json_t *value = json_array_get(array, i);
    char name[64];
    snprintf(name, sizeof name, "%.40s[%zu]", key, i);
    if (!fields->failed && !json_is_object(value))
        fields_fail(fields, name, "must be an object");
    return fields->failed ? NULL : value;
}

size_t fields_enter(struct fields *fields, const char *key, size_t index) {
    const size_t mark = strlen(fields->path);
    char *end = fields->path + mark;
    const size_t room = sizeof fields->path - mark;
    if (index == SIZE_MAX)
        snprintf(end, room, "%s.", key);
    else
        snprintf(end, room, "%s[%zu].", key, index);
    return mark;
}

void fields_leave(struct fields *fields, size_t mark) {
    fields->path[mark] = '\0';
}
