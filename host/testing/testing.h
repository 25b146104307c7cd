/* Includes cmocka after the four headers that it needs. */
#ifndef TESTING_TESTING_H
#define TESTING_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
