/* Circular doubly linked lists; a list is a head whose neighbours are its last and first link. */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct base_list_link {
    struct base_list_link *previous;
    struct base_list_link *next;
};

/* The struct that has this link as its member. */
#define BASE_CONTAINER_OF(link, type, member)                                                      \
    ((type *)(void *)((char *)(link)-offsetof(type, member)))

static inline void base_list_init(struct base_list_link *head) {
    head->previous = head->next = head;
}

static inline bool base_list_empty(const struct base_list_link *head) {
    return head->next == head;
}

static inline void base_list_insert_before(struct base_list_link *link,
                                           struct base_list_link *new_link) {
    new_link->previous = link->previous;
    new_link->next = link;
    link->previous->next = new_link;
    link->previous = new_link;
}

/* Appends a link to the end of the list. */
static inline void base_list_append(struct base_list_link *head, struct base_list_link *new_link) {
    base_list_insert_before(head, new_link);
}

/* Removes a link. It is then a list of its own, so that removing it again is harmless. */
static inline void base_list_remove(struct base_list_link *link) {
    link->previous->next = link->next;
    link->next->previous = link->previous;
    base_list_init(link);
}

#ifdef __cplusplus
}
#endif
#endif
