/* replay.c - runs a fuzz target on files, for compilers without libFuzzer. */
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"

enum {
    INPUT_MAX = 1 << 20
};

int main(int argc, char **argv)
{
    uint8_t *data = malloc(INPUT_MAX);

    for (int a = 1; data && a < argc; a++) {
        FILE *in = fopen(argv[a], "rb");
        size_t size = in ? fread(data, 1, INPUT_MAX, in) : 0;

        if (!in) {
            perror(argv[a]);
            free(data);
            return 1;
        }
        fclose(in);
        LLVMFuzzerTestOneInput(data, size);
    }
    free(data);
    return 0;
}
