/* data.h - data files that experiments need and the project does not carry:
 * in $HISS_DATA, which --data sets, or in ./data. */
#ifndef HISS_PAPER_SUPPORT_DATA_H
#define HISS_PAPER_SUPPORT_DATA_H

/* A file, and the message where it is missing. */
typedef struct paper_file {
    const char *name; /* "tsp/eil14.tsp", or one of several, "a.csv|a.csv.gz";
                         NULL ends a list */
    const char *what; /* and where it can be had */
    const char *sha256;
} paper_file;

/* The path of a file, there or not; free() it. */
char *paper_data_path(const char *name);

/* A text that names such a path, with the folder called data: reports do not
 * tell whose machine they come from.  free() it. */
char *paper_data_neutral(const char *text);

/* The first of the files that is not there, or NULL. */
const paper_file *paper_data_missing(const paper_file *files);

/* "tsp needs FILE ..." and where it can be had; free() it. */
char *paper_data_complaint(const char *experiment, const paper_file *file);

#endif
