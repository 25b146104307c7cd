/* libsdd as it ships. Its headers have extern "C" guards. In C a function and a struct may have the
 * same name. */
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include "sdd/sdd.h"
#pragma GCC diagnostic pop
