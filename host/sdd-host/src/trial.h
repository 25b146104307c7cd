/*
 * Checks a configuration while another one still runs: whether everything that it names exists.
 * reload.h handles errors that only a start shows.
 */
#ifndef SDD_HOST_TRIAL_H
#define SDD_HOST_TRIAL_H

#include "config.h"

/* False: error says what cannot be had. running: what it holds itself is taken to be free. */
bool trial_passes(const struct config *config, const struct config *running, char *error,
                  size_t error_size);

#endif
