/* disk.h - whole reads and writes at a place of a file. */
#ifndef HS_BASE_READ_DISK_H
#define HS_BASE_READ_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False if fewer bytes could be written or read; errno says why. */
bool hs_disk_write(int to, const char *from, size_t size, uint64_t at);
bool hs_disk_read(int from, char *to, size_t size, uint64_t at);

/* Makes a new name of `path` survive a loss of power, if possible. */
void hs_disk_sync_folder(const char *path);

#endif
