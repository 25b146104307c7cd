/*
 * Passes commands to the process that manages a device's edge: a connection requests discovery, and
 * receives a message when discovery begins and when it ends.
 */
#ifndef EDGE_COMMAND_H
#define EDGE_COMMAND_H

#include <stdbool.h>

enum { COMMANDS_WAITING = 16 };

/* The process's side. */
struct commands {
    int listening; /* readable when a command arrives */
    int waiting[COMMANDS_WAITING];
    unsigned count;
};

/* Listens for commands. The caller must be the device's process. Returns false with errno. */
bool commands_listen(struct commands *commands, const char *device);
void commands_close(struct commands *commands);

/* Accepts a command. Returns false if there is none. */
bool commands_take(struct commands *commands);

/* Tells all waiting commands that discovery has ended, or that none is possible. */
void commands_answer(struct commands *commands, bool discovered);

enum command_outcome {
    COMMAND_DONE,
    COMMAND_NOBODY, /* no process manages the device */
    COMMAND_STUCK,  /* the process does not accept commands: its backlog is full */
    COMMAND_IDLE,   /* the process cannot discover now */
    COMMAND_LEFT    /* the process ended meanwhile */
};

/* Requests discovery from the device's process and waits for its end. */
enum command_outcome command_discover(const char *device);

/* The same without waiting. */
void command_begin_discovery(const char *device);

#endif
