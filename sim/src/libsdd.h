/* libsdd as it ships; its headers have their guards for C++. A function and a struct of C may have
 * the same name. */
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include "sdd/sdd.h"
#pragma GCC diagnostic pop
