/* What every test file needs. */
#ifndef SDD_HOST_TESTS_H
#define SDD_HOST_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
