/* data.h - public data files: those of the user, and those that came along. */
#ifndef HS_BASE_READ_DATA_H
#define HS_BASE_READ_DATA_H

#include <hiss/status.h>

/* The path of a file such as "tsp/eil14.tsp", plain or with .gz after it; owned
 * by the caller, NULL when there is no such file. */
hiss_status hs_data_find(char **path, const char *name, hiss_error *err);

/* The same in this folder alone. */
hiss_status hs_data_find_in(char **path, const char *folder, const char *name,
                            hiss_error *err);

/* The folder that is searched first: $HISS_DATA, or "data". */
const char *hs_data_folder(void);

#endif
