#include "document.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "part.h"

enum { MAX_FILE_BYTES = 64 << 20 };

bool document_parse(const char *text, size_t length, document_reader *read, void *into, char *error,
                    size_t error_size) {
    json_error_t syntax;
    json_t *document = json_loadb(text, length, JSON_REJECT_DUPLICATES, &syntax);
    if (!document) {
        snprintf(error, error_size, "line %d, column %d: %s", syntax.line, syntax.column,
                 syntax.text);
        return false;
    }
    struct fields fields = {0};
    json_t *own = NULL;
    if (json_is_object(document))
        own = part_of_host(&fields, document);
    else
        fields_fail(&fields, "the document", "must be an object");
    if (own)
        read(&fields, own, into);
    json_decref(own);
    json_decref(document);
    if (fields.failed)
        snprintf(error, error_size, "%s", fields.error);
    return !fields.failed;
}

bool document_load(const char *path, document_reader *read, void *into, char *error,
                   size_t error_size) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        snprintf(error, error_size, "cannot be read: %s", strerrordesc_np(errno));
        return false;
    }
    char *text = malloc(MAX_FILE_BYTES);
    const size_t length = text ? fread(text, 1, MAX_FILE_BYTES, file) : 0;
    bool done = false;
    if (!text || ferror(file) || length == MAX_FILE_BYTES)
        snprintf(error, error_size, "cannot be read or is larger than 64 MB");
    else
        done = document_parse(text, length, read, into, error, error_size);
    free(text);
    (void)fclose(file); /* the file was only read */
    return done;
}

static void *new_object(const struct document_type *type, char *error, size_t error_size) {
    void *object = calloc(1, type->size);
    if (!object)
        snprintf(error, error_size, "out of memory");
    return object;
}

void *document_parse_new(const char *text, size_t length, const struct document_type *type,
                         char *error, size_t error_size) {
    void *object = new_object(type, error, error_size);
    if (!object || document_parse(text, length, type->read, object, error, error_size))
        return object;
    type->release(object);
    return NULL;
}

void *document_load_new(const char *path, const struct document_type *type, char *error,
                        size_t error_size) {
    void *object = new_object(type, error, error_size);
    if (!object || document_load(path, type->read, object, error, error_size))
        return object;
    type->release(object);
    return NULL;
}
