/* store.h - the cells that are finished, one line of JSON each.
 *
 * A line is appended as soon as its run has ended, so that an interrupt loses
 * the runs under way and no other; the next call goes on from there. */
#ifndef HISS_ARENA_RUN_STORE_H
#define HISS_ARENA_RUN_STORE_H

#include <stdbool.h>

#include "arena/run/cell.h"

#define ARENA_CELLS "cells.jsonl"

typedef struct arena_cell {
    char *target, *contestant; /* owned */
    char *settings;            /* owned: what it was run with */
    char *command;             /* owned: that makes it again */
    arena_race race;
    int seed;
    arena_score score;
} arena_cell;

void arena_cell_clear(arena_cell *cell);

typedef struct arena_store {
    char *path; /* owned */
    arena_cell *cells;
    int count, room;
} arena_store;

/* Reads what is there; a last line that is not whole is left out.  The exit
 * code. */
int arena_store_open(arena_store *store, const char *folder);
void arena_store_close(arena_store *store);

/* The cell of a target, if it is there with these settings (NULL: any). */
const arena_cell *arena_store_find(const arena_store *store, const char *name,
                                   const char *contestant, arena_race race,
                                   int seed, const char *settings);
/* Takes over the texts of `cell`, and replaces an older one of the same place.
 * The exit code. */
int arena_store_add(arena_store *store, arena_cell *cell);

#endif
