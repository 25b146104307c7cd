/*
 * Reads the fields of a JSON document strictly: an unknown field, a missing one, a wrong type and a
 * value out of range are errors that name the field by its path, as in
 *
 *     hosts[0].queues[2].priority: must be a whole number from 0 to 63
 *
 * The first error counts. After it, all reads answer their default, so that a reader of a whole
 * document needs no checks between.
 */
#ifndef CONFIGURATION_FIELDS_H
#define CONFIGURATION_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fields {
    char path[256]; /* of the object that is being read, with a final dot; "" for the document */
    char error[512];
    bool failed;
};

#define FIELD_REQUIRED INT64_MIN /* as a default: the field must be there */

/* Fails with path + key + ": " + message. */
void fields_fail(struct fields *fields, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails if the object has a field that is not among the keys (null at the end). */
void fields_known(struct fields *fields, json_t *object, const char *const *keys);

int64_t fields_integer(struct fields *fields, json_t *object, const char *key, int64_t least,
                       int64_t most, int64_t fallback);

bool fields_boolean(struct fields *fields, json_t *object, const char *key, bool fallback);

/* Not empty, without control characters, shorter than size. fallback null: required. */
void fields_text(struct fields *fields, json_t *object, const char *key, char *text, size_t size,
                 const char *fallback);

/* The index of the text among choices (null at the end). fallback null: required. */
unsigned fields_choice(struct fields *fields, json_t *object, const char *key,
                       const char *const *choices, const char *fallback);

/* An array of least to most items; null if it is not there and least is 0, or after an error. */
json_t *fields_array(struct fields *fields, json_t *object, const char *key, size_t least,
                     size_t most);

/* An object; null if it is not there and not required, or after an error. */
json_t *fields_object(struct fields *fields, json_t *object, const char *key, bool required);

/* Item i of an array that must hold objects; null after an error. */
json_t *fields_item(struct fields *fields, json_t *array, const char *key, size_t i);

/* Steps into the object at key (index, if not SIZE_MAX) and returns what fields_leave needs. */
size_t fields_enter(struct fields *fields, const char *key, size_t index);
void fields_leave(struct fields *fields, size_t mark);

#endif
