/* Return values of libsdd. */
#ifndef SDD_STATUS_H
#define SDD_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* A call that returns an error has changed nothing, unless its comment states otherwise. */
enum sdd_status {
    SDD_OK = 0,
    SDD_ERR_ARGUMENT,  /* an argument is out of its documented range */
    SDD_ERR_QUEUE,     /* no queue with this number is open */
    SDD_ERR_EXISTS,    /* a queue with this number is open already */
    SDD_ERR_BUSY,      /* the queue still has packets, in-flight packets or flow mappings */
    SDD_ERR_FULL,      /* a capacity of struct sdd_limits or of the queue is exhausted */
    SDD_ERR_NOT_FOUND, /* no such mapping, condition or trigger */
    SDD_ERR_UNMAPPED,  /* no mapping matches the packet's flow */
    SDD_ERR_PROGRAM,   /* the byte code does not pass sdd_program_check */
    SDD_ERR_MEMORY     /* the system gave no memory */
};

/* Returns an English phrase, never null. */
const char *sdd_status_text(enum sdd_status status);

#ifdef __cplusplus
}
#endif
#endif
