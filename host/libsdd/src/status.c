#include "sdd/status.h"

const char *sdd_status_text(enum sdd_status status) {
    switch (status) {
    case SDD_OK:
        return "no error";
    case SDD_ERR_ARGUMENT:
        return "an argument is out of range";
    case SDD_ERR_QUEUE:
        return "no queue with this number is open";
    case SDD_ERR_EXISTS:
        return "a queue with this number is open already";
    case SDD_ERR_BUSY:
        return "in use";
    case SDD_ERR_FULL:
        return "capacity exceeded";
    case SDD_ERR_NOT_FOUND:
        return "no such mapping, condition or trigger";
    case SDD_ERR_UNMAPPED:
        return "no mapping matches the flow";
    case SDD_ERR_PROGRAM:
        return "not a valid program";
    case SDD_ERR_MEMORY:
        return "out of memory";
    }
    return "unknown status";
}
