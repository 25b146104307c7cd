/* Reads a configuration: a JSON object whose fields a given function reads. */
#ifndef CONFIGURATION_DOCUMENT_H
#define CONFIGURATION_DOCUMENT_H

#include "fields.h"

/* Reads the fields of the document, an object, into the reader's structure `into`. */
typedef void document_reader(struct fields *fields, json_t *document, void *into);

/*
 * Parses JSON text and reads it; for a document for all hosts (part.h), reads this host's part. On
 * failure returns false, and error is one line with the position (line and column, or the field's
 * path) and the reason.
 */
bool document_parse(const char *text, size_t length, document_reader *read, void *into, char *error,
                    size_t error_size);

/* The same for a file, which must be smaller than 64 MB. */
bool document_load(const char *path, document_reader *read, void *into, char *error,
                   size_t error_size);

/* A structure that a document is read into. */
struct document_type {
    size_t size;
    document_reader *read;
    void (*release)(void *object); /* also what a failed read leaves incomplete */
};

/*
 * The same with a new structure, zeroed before it is read, which the caller releases. On failure
 * returns null.
 */
void *document_parse_new(const char *text, size_t length, const struct document_type *type,
                         char *error, size_t error_size);
void *document_load_new(const char *path, const struct document_type *type, char *error,
                        size_t error_size);

#endif
