/* exact_answers.h - the handle of exact answers and their method. */
#ifndef HS_API_PROBLEM_EXACT_ANSWERS_H
#define HS_API_PROBLEM_EXACT_ANSWERS_H

#include <stdbool.h>

#include <hiss/exact.h>

#include "base/state/domain.h"
#include "exact/counting.h"
#include "exact/elimination.h"
#include "exact/enumerate.h"
#include "exact/network/answers.h"

struct hiss_exact {
    hs_exact exact;             /* owned; empty after elimination */
    hs_elimination elimination; /* owned; empty after enumeration */
    hs_count_answers counted;   /* owned; empty unless counted */
    const char *order;          /* for elimination, else NULL */
    hs_network_answers nearly;  /* owned; without draws if answers are exact */
    bool is_counted;
    double count_log_z;
    double forecast;  /* estimated seconds of counting, if it was given up */
    char *digits;     /* owned: number of solutions, or NULL */
    hs_domain domain; /* owned: a copy, because the model may be gone */
    double states;
    double seconds;
};

#endif
