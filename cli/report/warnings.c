/* warnings.c - warnings about the draws of a run, and about its end. */
#include "cli/report/warnings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void cli_warnings_add(cli_warnings *warnings, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    int length;

    if (warnings->count == CLI_WARNINGS_MAX)
        return;
    va_start(arguments, format);
    length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length >= 0)
        warnings->at[warnings->count++] = text;
}

void cli_warnings_clear(cli_warnings *warnings)
{
    for (int w = 0; w < warnings->count; w++)
        free(warnings->at[w]);
    warnings->count = 0;
}

void cli_warnings_of(cli_warnings *warnings, const hiss_diagnosis *diagnosis)
{
    hiss_finding f = HISS_INIT(hiss_finding);

    for (int n = 0; hiss_diagnosis_finding(diagnosis, n, &f); n++)
        if (f.outcome != HISS_PASSED && f.outcome != HISS_SKIPPED)
            cli_warnings_add(warnings, "%s", f.text);
}

void cli_warnings_of_end(cli_warnings *warnings, const hiss_result *result,
                         int64_t asked)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    const char *who;

    hiss_result_info(result, &info);
    who = info.ended == HISS_ENDED_STOPPED ? "a signal"
          : info.ended == HISS_ENDED_EVALS ? "--evals"
                                           : "--time-limit";
    if (hiss_result_warning(result))
        cli_warnings_add(warnings, "%s", hiss_result_warning(result));
    if (info.ended == HISS_ENDED_DONE || info.ended == HISS_ENDED_ESS)
        return;
    if (asked > 0)
        cli_warnings_add(warnings,
                         "%s ended the run after %lld of %lld draws per chain",
                         who, (long long)info.samples, (long long)asked);
    else if (info.ended == HISS_ENDED_STOPPED)
        cli_warnings_add(warnings,
                         "%s ended the run after %lld draws per chain", who,
                         (long long)info.samples);
}

const char *cli_warnings_advice(const hiss_diagnosis *diagnosis)
{
    hiss_finding f = HISS_INIT(hiss_finding);

    for (int n = 0; hiss_diagnosis_finding(diagnosis, n, &f); n++)
        if (f.remedy)
            return f.remedy;
    return NULL;
}
