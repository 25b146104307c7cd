/* What histories of the model are made of. */
#ifndef SDD_TEST_MODEL_RANDOM_H
#define SDD_TEST_MODEL_RANDOM_H

#include "model.h"
#include "random.h"

/* One of nine: three destinations, from three ports. */
struct base_flow_key random_key(struct random *random);
struct sdd_match random_match(struct random *random);

/* Of every class, about times near to now. */
struct sdd_program random_condition(struct random *random, int64_t now_ns);
struct sdd_queue_config random_config(struct random *random, enum model_discipline *discipline);

#endif
