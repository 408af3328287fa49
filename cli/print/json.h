/* json.h - jansson with replacements for values that JSON cannot express.
 *
 * NaN and infinities become null, counts are printed as whole numbers if they
 * are whole, bytes that are not UTF-8 become '?'.  Lack of memory ends the
 * process, as in fail.h: draws are saved before anything is printed. */
#ifndef HISS_CLI_PRINT_JSON_H
#define HISS_CLI_PRINT_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/hiss.h>
#include <jansson.h>

json_t *cli_json_object(void);
json_t *cli_json_array(void);

json_t *cli_json_real(double value);
json_t *cli_json_text(const char *text); /* NULL gives null */

/* The manifest of a result. */
json_t *cli_json_manifest(const hiss_result *result);

/* Returns it as printed; free() it. */
char *cli_json_string(const json_t *value);

/* A whole number if it is one below 2^53, else a real number. */
json_t *cli_json_number(double value);

/* Take ownership of `value`. */
void cli_json_put(json_t *object, const char *key, json_t *value);
void cli_json_add(json_t *array, json_t *value);

void cli_json_put_real(json_t *object, const char *key, double value);
void cli_json_put_number(json_t *object, const char *key, double value);
void cli_json_put_whole(json_t *object, const char *key, int64_t value);
void cli_json_put_text(json_t *object, const char *key, const char *text);
void cli_json_put_bool(json_t *object, const char *key, bool value);

/* Prints it, as the last output on stdout, and releases it. */
void cli_json_print(json_t *value);

#endif
