/* data.h - data files that experiments need: in $HISS_DATA, which --data sets,
 * or in ./data, or with hiss itself (hiss_find_data). */
#ifndef HISS_PAPER_SUPPORT_DATA_H
#define HISS_PAPER_SUPPORT_DATA_H

/* A file, and the message where it is missing. */
typedef struct paper_file {
    const char *name; /* "tsp/eil14.tsp", or one of several, "a.csv|b.csv", each
                         plain or with .gz; NULL ends a list */
    const char *what; /* and where to get it */
    const char *sha256;
    const char *part; /* of the experiment, left out where the file is missing;
                         NULL: there is no experiment without it */
} paper_file;

/* The path of a file, there or not; free() it. */
char *paper_data_path(const char *name);

/* A text that has such a path in quotes, with the folder called data: reports
 * do not tell whose machine they come from.  free() it. */
char *paper_data_neutral(const char *text);

/* The first file that is not there and without which there is no experiment,
 * or NULL. */
const paper_file *paper_data_missing(const paper_file *files);

/* The file of this part where it is missing, or NULL; part NULL: of any. */
const paper_file *paper_data_left_out(const paper_file *files,
                                      const char *part);

/* "tsp needs FILE ..." and where to get it; free() it. */
char *paper_data_complaint(const char *experiment, const paper_file *file);

#endif
