/* Random elements of the model's histories. */
#ifndef SDD_TEST_MODEL_RANDOM_H
#define SDD_TEST_MODEL_RANDOM_H

#include "model.h"
#include "random.h"

/* Returns one of nine keys: three destinations, three source ports. */
struct base_flow_key random_key(struct random *random);
struct sdd_match random_match(struct random *random);

/* Returns a condition of any class about times close to now. */
struct sdd_program random_condition(struct random *random, int64_t now_ns);
struct sdd_queue_config random_config(struct random *random, enum model_discipline *discipline);

#endif
