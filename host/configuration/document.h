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

#endif
