/*
 * Checks a configuration while another one still runs: whether everything that it names exists.
 * reload.h handles errors that only a start shows.
 */
#ifndef SDD_HOST_TRIAL_H
#define SDD_HOST_TRIAL_H

#include "config.h"

/* Returns false with the missing object in error. running: objects that it holds count as free. */
bool trial_passes(const struct config *config, const struct config *running, char *error,
                  size_t error_size);

#endif
