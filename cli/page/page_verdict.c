/* page_verdict.c - the verdict, its reasons, and the run. */
#include "cli/page/page.h"

#include <math.h>
#include <stdlib.h>

#include "cli/files/load.h"
#include "cli/page/html.h"

static void print_findings(const cli_page *p)
{
    hiss_finding f = HISS_INIT(hiss_finding);

    fputs("<ul class=\"findings\">\n", p->to);
    for (int n = 0; hiss_diagnosis_finding(p->diagnosis, n, &f); n++) {
        const char *word = hiss_outcome_word(f.outcome);

        fprintf(p->to, "<li><span class=\"tag %s\">%s</span><strong>", word,
                word);
        cli_html_text(p->to, f.name);
        fputs("</strong>: ", p->to);
        cli_html_text(p->to, f.text);
        if (f.remedy) {
            fputs("<span class=\"remedy\">What to do: ", p->to);
            cli_html_text(p->to, f.remedy);
            fputs("</span>", p->to);
        }
        fputs("</li>\n", p->to);
    }
    fputs("</ul>\n", p->to);
}

static void fact(const cli_page *p, const char *label, const char *text)
{
    if (!text)
        return;
    fputs("<tr><th scope=\"row\">", p->to);
    cli_html_text(p->to, label);
    fputs("</th><td>", p->to);
    cli_html_spec(p->to, text);
    fputs("</td></tr>\n", p->to);
}

static const char *s(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* The sampler that a pilot chose. */
static void resolved_fact(const cli_page *p)
{
    const char *resolved = hiss_result_text(p->result, "resolved");

    if (resolved && hiss_result_text(p->result, "pilot"))
        fact(p, "Resolved", resolved);
}

static void print_facts(const cli_page *p)
{
    const hiss_run_info *info = &p->info;
    char text[256], thin[48], *sampler;

    fputs("<div class=\"wide\"><table><tbody>\n", p->to);
    fact(p, "Model", hiss_result_text(p->result, "model"));
    fact(p, "Read as", hiss_result_text(p->result, "reads_as"));
    fact(p, "Note", hiss_result_text(p->result, "note"));
    sampler = cli_load_sampler(p->result);
    fact(p, "Sampler", sampler);
    free(sampler);
    resolved_fact(p);
    snprintf(thin, sizeof thin, "every %lld steps", (long long)info->thin);
    snprintf(text, sizeof text,
             "%d chain%s x %lld draw%s of %d coordinate%s, warm-up %lld "
             "step%s, a draw %s, seed %llu",
             info->chains, s(info->chains), (long long)info->samples,
             s(info->samples), info->dim, s(info->dim), (long long)info->warmup,
             s(info->warmup), info->thin == 1 ? "every step" : thin,
             (unsigned long long)info->seed);
    fact(p, "Run", text);
    snprintf(text, sizeof text,
             "%.3g s with %d thread%s, %.4g energy and %.4g gradient "
             "evaluations",
             info->seconds, info->threads, s(info->threads), info->energy_evals,
             info->gradient_evals);
    fact(p, "Cost", text);
    fact(p, "Date", hiss_result_text(p->result, "created_at"));
    fact(p, "File", p->file);
    fputs("</tbody></table></div>\n", p->to);
}

void cli_page_verdict(const cli_page *p)
{
    static const char *const links[][2] = {
        {"energy", "log p"},    {"observables", "Observables"},
        {"modes", "Modes"},     {"marginals", "Marginals"},
        {"sampler", "Sampler"}, {"repeat", "Repeat"},
    };
    hiss_opinion opinion = hiss_diagnosis_opinion(p->diagnosis);
    const char *look =
        hiss_diagnosis_is_trusted(p->diagnosis) ? "verdict trusted"
        : opinion == HISS_CONSISTENT || opinion == HISS_NOT_DECIDED
            ? "verdict open"
            : "verdict untrusted";
    const char *model = hiss_result_text(p->result, "model");

    fputs("<header><h1>", p->to);
    cli_html_spec(p->to, model ? model : p->file);
    fputs("</h1>\n", p->to);
    cli_html_paragraph(p->to, look, "%s",
                       hiss_diagnosis_headline(p->diagnosis));
    fputs("</header>\n<nav aria-label=\"Contents\"><ul>", p->to);
    for (size_t n = 0; n < sizeof links / sizeof *links; n++)
        if (n != 1 || cli_page_has_observables(p))
            fprintf(p->to, "<li><a href=\"#%s\">%s</a></li>", links[n][0],
                    links[n][1]);
    fputs("</ul></nav>\n", p->to);
    cli_html_section(p->to, "findings", "Why");
    print_findings(p);
    cli_html_section_end(p->to);
    cli_html_section(p->to, "run", "What was run");
    print_facts(p);
    cli_html_section_end(p->to);
}
