/* kernel.c - the same in C: hiss verify ... --kernel ./kernel */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    double x[9], beta = 0.4;
    long n, seed;
    int dim;

    while (scanf("%ld %d %ld%*c", &n, &dim, &seed) == 3 && dim == 9) {
        for (srand48(seed); n > 0 && fread(x, 8, 9, stdin) == 9; n--) {
            int i = (int)(9 * drand48()), row = i / 3 * 3, column = i % 3;
            double field = x[row + (column + 1) % 3] + x[(i + 3) % 9] +
                           x[row + (column + 2) % 3] + x[(i + 6) % 9];

            if (drand48() < exp(-2 * beta * x[i] * field))
                x[i] = -x[i];
            fwrite(x, 8, 9, stdout);
        }
        fflush(stdout);
    }
    return 0;
}
