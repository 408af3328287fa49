/* names.c - guesses the meaning of a misplaced word. */
#include "cli/args/names.h"

#include <hiss/hiss.h>

#include <string.h>

static bool is_one(const char *word, int (*type)(int, hiss_type_info *))
{
    size_t length = strcspn(word, "(");
    hiss_type_info info = HISS_INIT(hiss_type_info);

    for (int n = 0; type(n, &info); n++)
        if (strlen(info.name) == length &&
            strncmp(info.name, word, length) == 0)
            return true;
    return false;
}

bool cli_is_model(const char *word)
{
    return is_one(word, hiss_model_info);
}

bool cli_is_sampler(const char *word)
{
    return is_one(word, hiss_sampler_info);
}

bool cli_is_piece(const char *word)
{
    return strchr(word, '=') || strchr(word, ')') || strcmp(word, "(") == 0;
}
