/* Circular doubly linked lists; a list is a head whose neighbours are its last and first link. */
#ifndef SDD_LIST_H
#define SDD_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "sdd/packet.h"

/* The struct that has this link as its member. */
#define SDD_OF(link, type, member) ((type *)(void *)((char *)(link)-offsetof(type, member)))

static inline void sdd_list_init(struct sdd_link *head) {
    head->previous = head->next = head;
}

static inline bool sdd_list_empty(const struct sdd_link *head) {
    return head->next == head;
}

static inline void sdd_list_insert_before(struct sdd_link *link, struct sdd_link *new_link) {
    new_link->previous = link->previous;
    new_link->next = link;
    link->previous->next = new_link;
    link->previous = new_link;
}

/* At the end of the list. */
static inline void sdd_list_append(struct sdd_link *head, struct sdd_link *new_link) {
    sdd_list_insert_before(head, new_link);
}

/* The link is then a list of its own, so that removing it again does no harm. */
static inline void sdd_list_remove(struct sdd_link *link) {
    link->previous->next = link->next;
    link->next->previous = link->previous;
    sdd_list_init(link);
}

#endif
