/* mode_file.h - a file of arbitrary modes, for samplers that take one. */
#ifndef HS_TESTS_MODE_FILE_H
#define HS_TESTS_MODE_FILE_H

#include <stddef.h>

#include "conformance/support/matrix.h"
#include "model/model.h"

#define MODES 3

/* Writes MODES states of the model to a new file, whose name ends in XXXXXX as
 * for mkstemp, and to mode. */
void mode_file_write(const hs_model *m, char *path, int mode[MODES][SPACE_DIM]);

/* The sampler with the name of the file where it has a %. */
void mode_file_in(char *out, size_t size, const char *sampler,
                  const char *path);

#endif
