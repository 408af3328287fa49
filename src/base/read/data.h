/* data.h - public data files: the user's and those that come with hiss. */
#ifndef HS_BASE_READ_DATA_H
#define HS_BASE_READ_DATA_H

#include <hiss/status.h>

/* Finds a file such as "tsp/eil14.tsp", also with .gz after it.  The caller
 * owns the path; NULL if there is no such file. */
hiss_status hs_data_find(char **path, const char *name, hiss_error *err);

/* Searches in this folder alone. */
hiss_status hs_data_find_in(char **path, const char *folder, const char *name,
                            hiss_error *err);

/* The folder that is searched first: $HISS_DATA, or "data". */
const char *hs_data_folder(void);

#endif
