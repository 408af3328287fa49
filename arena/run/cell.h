/* cell.h - one run of a contestant on a target, in a process of its own. */
#ifndef HISS_ARENA_RUN_CELL_H
#define HISS_ARENA_RUN_CELL_H

#include <stdbool.h>
#include <sys/types.h>

#include "arena/judge/score.h"
#include "arena/run/contestant.h"

typedef enum arena_race {
    ARENA_EVALS,   /* equal evaluations */
    ARENA_SECONDS, /* equal seconds */
    ARENA_RACES,
} arena_race;

extern const char *const arena_race_names[ARENA_RACES];

typedef struct arena_budget {
    double evals;   /* of a run by evaluations, pilot and warm-up included */
    double seconds; /* seconds of a run by seconds, likewise */
    double limit;   /* seconds of the processor that any run may take */
    double verdict; /* seconds that a verdict may take; 0: none is asked for */
} arena_budget;

/* A run that is under way. */
typedef struct arena_child {
    pid_t pid; /* 0: none */
    int from;  /* what it says comes here */
    size_t have;
    arena_score score; /* the last one that came whole */
    arena_score next;
    bool has_score;
} arena_child;

/* False if no process could be started. */
bool arena_child_start(arena_child *child, const instance *at,
                       const arena_contestant *c, arena_race race, int seed,
                       const arena_budget *budget);
/* Takes what has come; false at its end. */
bool arena_child_read(arena_child *child);
/* Ends it, if it has not ended; its score says what became of it. */
void arena_child_end(arena_child *child, bool is_killed);

#endif
