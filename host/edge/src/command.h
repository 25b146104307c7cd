/*
 * How a command reaches the process that manages a device's edge: a connection requests discovery,
 * and receives a message when it begins and when it ends.
 */
#ifndef EDGE_COMMAND_H
#define EDGE_COMMAND_H

#include <stdbool.h>

enum { COMMANDS_WAITING = 16 };

/* In the process. */
struct commands {
    int listening; /* readable when there is a command */
    int waiting[COMMANDS_WAITING];
    unsigned count;
};

/* The caller is the device's process. Returns false, with an errno, if it cannot listen. */
bool commands_listen(struct commands *commands, const char *device);
void commands_close(struct commands *commands);

/* Takes a command. Returns false if there was none. */
bool commands_take(struct commands *commands);

/* Tells all that wait that discovery has ended, or that there is none. */
void commands_answer(struct commands *commands, bool discovered);

enum command_outcome {
    COMMAND_DONE,
    COMMAND_NOBODY, /* no process has the device */
    COMMAND_STUCK,  /* its process takes no commands: those that wait are as many as can */
    COMMAND_IDLE,   /* it cannot discover now */
    COMMAND_LEFT    /* it has ended meanwhile */
};

/* Has the device's process discover paths, and waits until it has. */
enum command_outcome command_discover(const char *device);

/* The same without waiting. */
void command_begin_discovery(const char *device);

#endif
