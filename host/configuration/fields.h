/*
 * Reads the fields of a JSON document strictly. Unknown and missing fields, wrong types and values
 * out of range are errors, which name the field by its path, for example
 *
 *     hosts[0].queues[2].priority: must be a whole number from 0 to 63
 *
 * The first error is reported. After it, all reads return their default, so that a function that
 * reads a whole document needs no intermediate checks.
 */
#ifndef CONFIGURATION_FIELDS_H
#define CONFIGURATION_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fields {
    char path[256]; /* of the object being read, with a final dot; "" for the document */
    char error[512];
    bool failed;
};

#define FIELD_REQUIRED INT64_MIN /* as a default: the field is required */

/* Fails with path + key + ": " + message. */
void fields_fail(struct fields *fields, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails if the object has a field that is not among the keys (null at the end). */
void fields_known(struct fields *fields, json_t *object, const char *const *keys);

int64_t fields_integer(struct fields *fields, json_t *object, const char *key, int64_t least,
                       int64_t most, int64_t fallback);

bool fields_boolean(struct fields *fields, json_t *object, const char *key, bool fallback);

/* Reads a text that is not empty, has no control characters and is shorter than size. fallback:
 * null if the field is required. */
void fields_text(struct fields *fields, json_t *object, const char *key, char *text, size_t size,
                 const char *fallback);

/* Returns the index of the text among choices (null at the end). fallback: null if the field is
 * required. */
unsigned fields_choice(struct fields *fields, json_t *object, const char *key,
                       const char *const *choices, const char *fallback);

/* Returns an array of least to most items; null if it is missing and least is 0, or after an
 * error. */
json_t *fields_array(struct fields *fields, json_t *object, const char *key, size_t least,
                     size_t most);

/* Returns an object; null if it is missing and not required, or after an error. */
json_t *fields_object(struct fields *fields, json_t *object, const char *key, bool required);

/* Returns item i of an array, which must be an object; null after an error. */
json_t *fields_item(struct fields *fields, json_t *array, const char *key, size_t i);

/* Appends key, and index unless it is SIZE_MAX, to the path. Returns the argument for
 * fields_leave. */
size_t fields_enter(struct fields *fields, const char *key, size_t index);
void fields_leave(struct fields *fields, size_t mark);

#endif
