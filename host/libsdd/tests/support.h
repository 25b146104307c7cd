/* Shared by the tests: conditions from text, flow keys, and common includes. */
#ifndef SDD_TEST_SUPPORT_H
#define SDD_TEST_SUPPORT_H

#include "random.h"
#include "sdd/sdd.h"
#include "testing.h"

/* Parses a text, which must be a condition. */
struct sdd_program condition(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* TCP from 10.0.0.1:source_port to 10.0.1.host:80. */
struct base_flow_key flow_key(unsigned host, uint16_t source_port);

#endif
