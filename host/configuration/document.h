/* Reads a configuration: a JSON object whose fields a reader of its own takes. */
#ifndef CONFIGURATION_DOCUMENT_H
#define CONFIGURATION_DOCUMENT_H

#include "fields.h"

/* Reads the fields of the document, an object, into a structure of the reader's. */
typedef void document_reader(struct fields *fields, json_t *document, void *into);

/*
 * Parses JSON text and reads it; of a document for all hosts (part.h) this host's part. False: the
 * error is one line that says where (line and column, or the field's path) and what.
 */
bool document_parse(const char *text, size_t length, document_reader *read, void *into, char *error,
                    size_t error_size);

/* The same of a file, which must be smaller than 64 MB. */
bool document_load(const char *path, document_reader *read, void *into, char *error,
                   size_t error_size);

#endif
