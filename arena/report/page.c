/* page.c - the page: who wins where and why, every cell with its command. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/report/figures.h"
#include "arena/report/report.h"
#include "cli/page/html.h"

enum {
    FOOLED_MAX = 12 /* rows of the table of those who are fooled */
};

static const double FOOLED_LEAST = 100; /* DISCS' ESS of such a row */

static const char style[] =
    "<style>main{max-width:84rem}.chips{display:flex;flex-wrap:wrap;"
    "gap:.5rem;list-style:none;padding:0;margin:1rem 0}"
    ".chips li{background:var(--soft);border-radius:1rem;"
    "padding:.25rem .9rem}.chips b{font-size:1.15rem}"
    "td details{max-width:34rem}td code,dd code{font:.8rem/1.4 ui-monospace,"
    "'DejaVu Sans Mono',monospace;overflow-wrap:anywhere;white-space:normal}"
    ".wrong{color:var(--bad)}.right{color:var(--good)}"
    ".target{margin-top:2.2rem;scroll-margin-top:1rem}"
    "h3{font-size:1.05rem;margin:1.4rem 0 .2rem}"
    "dl{margin:.5rem 0}dt{font-weight:600;margin-top:.5rem}dd{margin:0}"
    ".why{min-width:20rem}.name,td a{white-space:nowrap}</style>\n";

/* --- numbers ---------------------------------------------- */

static void put_figure(FILE *to, const arena_figure *f)
{
    fputs("<td class=\"n\">", to);
    arena_put_number(to, f->mean, 3);
    if (!isnan(f->mean) && !isnan(f->se)) {
        fputs(" <small class=\"dim\">\u00b1 ", to);
        arena_put_number(to, f->se, 2);
        fputs("</small>", to);
    }
    fputs("</td>", to);
}

static int targets_of(const arena_report *r)
{
    int count = 0;

    for (const arena_entry *e = arena_catalogue; e->name; e++)
        count += arena_plan_has_target(r->plan, e);
    return count;
}

/* How many gave draws. */
static int contestants_of(const arena_report *r)
{
    int count = 0;

    for (int c = 0; c < r->plan->field->count; c++)
        for (int n = 0; n < r->table.count; n++)
            if (r->table.rows[n].runs > 0 &&
                strcmp(r->table.rows[n].contestant,
                       r->plan->field->at[c].name) == 0) {
                count++;
                break;
            }
    return count;
}

/* --- who wins ---------------------------------------------- */

static int wins_of(const arena_report *r, const char *contestant,
                   arena_race race)
{
    int wins = 0;

    for (int n = 0; n < r->table.count; n++) {
        const arena_row *row = &r->table.rows[n];

        wins += row->is_best && row->race == race &&
                strcmp(row->contestant, contestant) == 0;
    }
    return wins;
}

/* Contestants by falling number of wins. */
static void put_chips(const arena_report *r, FILE *to, arena_race race)
{
    if (!arena_table_has(&r->table, race))
        return;
    fprintf(to, "<p>Most effective draws %s:</p>\n<ul class=\"chips\">\n",
            race == ARENA_EVALS ? "at equal evaluations" : "at equal seconds");
    for (int wins = targets_of(r); wins > 0; wins--)
        for (int c = 0; c < r->plan->field->count; c++) {
            const char *name = r->plan->field->at[c].name;

            if (wins_of(r, name, race) != wins)
                continue;
            fputs("<li>", to);
            cli_html_text(to, name);
            fprintf(to, " <b>%d</b></li>\n", wins);
        }
    fputs("</ul>\n", to);
}

static bool is_auto(const arena_row *row)
{
    return strcmp(row->contestant, "auto") == 0 && row->sampler;
}

/* Whether it is what `auto` chose, under its own name. */
static bool is_same(const arena_row *row, const arena_row *best)
{
    return (is_auto(row) || is_auto(best)) && row->sampler && best->sampler &&
           strcmp(row->sampler, best->sampler) == 0;
}

/* The next one that is right and another sampler, or NULL. */
static const arena_row *next_of(const arena_report *r, const arena_row *best)
{
    const arena_row *last = r->table.rows + r->table.count;

    for (const arena_row *row = best + 1;
         row < last && row->entry == best->entry && row->race == best->race &&
         row->runs > 0 && !arena_row_is_wrong(row);
         row++)
        if (!is_same(row, best))
            return row;
    return NULL;
}

/* What a sampler does, in the words of the library; "" if it is not known. */
static const char *summary_of(const char *sampler)
{
    hiss_type_info info = HISS_INIT(hiss_type_info);
    size_t length = strcspn(sampler, "(");

    for (int n = 0; hiss_sampler_info(n, &info); n++)
        if (strlen(info.name) == length &&
            strncmp(info.name, sampler, length) == 0)
            return info.summary;
    return "";
}

/* What the best does, and how far ahead it is. */
static void put_why(const arena_report *r, FILE *to, const arena_row *best)
{
    const arena_row *next = next_of(r, best);
    const char *summary =
        summary_of(is_auto(best) ? best->sampler : best->contestant);

    fprintf(to, "%s: ", arena_race_names[best->race]);
    if (is_auto(best)) {
        fputs("auto chose <code>", to);
        cli_html_spec(to, best->sampler);
        fputs("</code>; ", to);
    }
    if (*summary) {
        cli_html_text(to, summary);
        fputs("; ", to);
    }
    if (!next) {
        fputs("nobody else is right", to);
        return;
    }
    if (next->is_tied) {
        fputs("level with ", to);
    } else {
        arena_put_number(to, best->ess.mean / next->ess.mean, 2);
        fputs(" times ", to);
    }
    cli_html_text(to, next->contestant);
}

static void put_winner(FILE *to, const arena_row *best)
{
    fputs("<td class=\"name\">", to);
    cli_html_text(to, best ? best->contestant : "nobody");
    fputs("</td><td class=\"n\">", to);
    arena_put_number(to, best ? best->ess.mean : (double)NAN, 3);
    if (best && arena_row_is_poor(best))
        fputs(" <small class=\"dim\">too few</small>", to);
    fputs("</td>", to);
}

static void put_target_line(const arena_report *r, FILE *to,
                            const arena_entry *e)
{
    bool is_first = true;

    fprintf(to, "<td><a href=\"#t-%s\">%s</a></td>", e->name, e->name);
    for (int race = 0; race < ARENA_RACES; race++)
        if (arena_table_has(&r->table, (arena_race)race))
            put_winner(to, arena_table_best(&r->table, e, (arena_race)race));
    for (int race = 0; race < ARENA_RACES; race++)
        if (arena_table_has(&r->table, (arena_race)race)) {
            const arena_row *chain =
                arena_table_best_chain(&r->table, e, (arena_race)race);

            cli_html_cell(to, false, "%s", chain ? chain->contestant : "-");
        }
    fputs("<td class=\"why\">", to);
    for (int race = 0; race < ARENA_RACES; race++) {
        const arena_row *best =
            arena_table_best(&r->table, e, (arena_race)race);

        if (!best)
            continue;
        fputs(is_first ? "" : "<br>", to);
        is_first = false;
        put_why(r, to, best);
    }
    fputs("</td>", to);
}

static void put_wrong(const arena_report *r, FILE *to, const arena_entry *e)
{
    int wrong = 0, all = 0;

    for (int n = 0; n < r->table.count; n++) {
        const arena_row *row = &r->table.rows[n];

        if (row->entry != e || row->race != ARENA_EVALS || row->runs == 0)
            continue;
        all++;
        wrong += arena_row_is_wrong(row);
    }
    cli_html_cell(to, true, "%d of %d", wrong, all);
}

static void put_winners(const arena_report *r, FILE *to)
{
    const char *heads[10] = {"target"};
    int count = 1;

    for (int race = 0; race < ARENA_RACES; race++)
        if (arena_table_has(&r->table, (arena_race)race)) {
            put_chips(r, to, (arena_race)race);
            heads[count++] = race == ARENA_EVALS ? "at equal evaluations"
                                                 : "at equal seconds";
            heads[count++] = "#effective draws";
        }
    for (int race = 0; race < ARENA_RACES; race++)
        if (arena_table_has(&r->table, (arena_race)race))
            heads[count++] = race == ARENA_EVALS ? "best chain, evaluations"
                                                 : "best chain, seconds";
    heads[count++] = "why";
    heads[count++] = "#wrong";
    cli_html_table(to, "Who has the most effective draws where", count, heads);
    for (const arena_entry *e = arena_catalogue; e->name; e++) {
        if (!arena_plan_has_target(r->plan, e))
            continue;
        cli_html_row(to);
        put_target_line(r, to, e);
        put_wrong(r, to, e);
        cli_html_row_end(to);
    }
    cli_html_table_end(to);
}

/* --- who is fooled ---------------------------------------------- */

static bool is_fooled(const arena_row *row)
{
    return row->runs > 0 && row->discs.mean >= FOOLED_LEAST &&
           row->discs.mean > 3.0 * row->ess.mean &&
           (arena_row_is_wrong(row) || arena_row_is_poor(row));
}

/* The row with the largest ratio below `below`, or NULL. */
static const arena_row *most_fooled(const arena_report *r, double below)
{
    const arena_row *worst = NULL;
    double most = 0.0;

    for (int n = 0; n < r->table.count; n++) {
        const arena_row *row = &r->table.rows[n];
        double ratio = row->discs.mean / row->ess.mean;

        if (is_fooled(row) && ratio < below && ratio > most) {
            most = ratio;
            worst = row;
        }
    }
    return worst;
}

static void put_fooled(const arena_report *r, FILE *to)
{
    static const char *const heads[] = {
        "target",          "contestant",        "race",     "#DISCS' ESS",
        "#by known means", "#marginals off by", "draws are"};
    double below = (double)INFINITY;
    const arena_row *row;

    cli_html_paragraph(
        to, NULL,
        "DISCS takes the ESS of a random projection, chain by chain, about "
        "the chain's own mean. A chain that never leaves a mode has a fine "
        "mean there: the number is high and the answer wrong. Known means "
        "cannot be fooled: what is missing is an error in every batch.");
    cli_html_figures(to);
    arena_figure_fooled(r, to);
    cli_html_figures_end(to);
    if (!most_fooled(r, below))
        return;
    cli_html_table(to, "High by the common definition, and wrong", 7, heads);
    for (int n = 0; n < FOOLED_MAX && (row = most_fooled(r, below)); n++) {
        below = row->discs.mean / row->ess.mean;
        cli_html_row(to);
        fprintf(to, "<td><a href=\"#t-%s\">%s</a></td>", row->entry->name,
                row->entry->name);
        cli_html_cell(to, false, "%s", row->contestant);
        cli_html_cell(to, false, "%s", arena_race_names[row->race]);
        put_figure(to, &row->discs);
        put_figure(to, &row->ess);
        put_figure(to, &row->marginals);
        cli_html_cell(to, false, "%s", arena_row_state(row));
        cli_html_row_end(to);
    }
    cli_html_table_end(to);
}

/* --- a target ---------------------------------------------- */

/* Which of the errors any row of a target has. */
struct has {
    bool marginals, modes, log_z, opinion;
};

static struct has look(const arena_report *r, const arena_entry *e)
{
    struct has has = {false, false, false, false};

    for (int n = 0; n < r->table.count; n++) {
        const arena_row *row = &r->table.rows[n];

        if (row->entry != e)
            continue;
        has.marginals |= !isnan(row->marginals.mean);
        has.modes |= !isnan(row->modes.mean);
        has.log_z |= !isnan(row->log_z.mean);
        has.opinion |= row->judged > 0;
    }
    return has;
}

/* Prints the doubts about a row and the command that repeats it. */
static void put_details(FILE *to, const arena_row *row)
{
    fputs("<td><details><summary>command</summary><code>", to);
    cli_html_text(to, row->command);
    fputs("</code>", to);
    if (row->sampler) {
        fputs("<br>run as <code>", to);
        cli_html_spec(to, row->sampler);
        fputs("</code>", to);
    }
    if (row->broken && *row->broken) {
        fputs("<br>its law: ", to);
        cli_html_text(to, row->broken);
    }
    if (row->verdict) {
        fputs("<br>", to);
        cli_html_text(to, row->verdict);
    }
    fputs("</details></td>", to);
}

static void put_row(FILE *to, const arena_row *row, const struct has *has)
{
    char *opinion = arena_row_opinion(row);

    cli_html_row(to);
    fprintf(to, "<td>%s", row->is_best ? "<b>" : "");
    cli_html_text(to, row->contestant);
    fprintf(to, "%s</td>", row->is_best ? "</b>" : "");
    cli_html_cell(to, false, "%s", arena_race_names[row->race]);
    put_figure(to, &row->ess);
    put_figure(to, &row->discs);
    if (has->marginals)
        put_figure(to, &row->marginals);
    if (has->modes)
        put_figure(to, &row->modes);
    if (has->log_z)
        put_figure(to, &row->log_z);
    put_figure(to, &row->evals);
    put_figure(to, &row->seconds);
    fprintf(to, "<td class=\"%s\">",
            arena_row_is_wrong(row) ? "wrong" : "right");
    cli_html_text(to, arena_row_state(row));
    fputs("</td>", to);
    if (has->opinion)
        cli_html_cell(to, false, "%s", opinion);
    put_details(to, row);
    cli_html_row_end(to);
    free(opinion);
}

/* Whether an earlier row, of the other race, has the same doubt. */
static bool is_repeated(const arena_report *r, const arena_row *row)
{
    for (const arena_row *p = r->table.rows; p < row; p++)
        if (p->entry == row->entry && p->runs == 0 && p->fault &&
            strcmp(p->contestant, row->contestant) == 0 &&
            strcmp(p->fault, row->fault) == 0)
            return true;
    return false;
}

/* Who has no draws, and why. */
static void put_absent(const arena_report *r, FILE *to, const arena_entry *e)
{
    bool is_first = true;

    for (int n = 0; n < r->table.count; n++) {
        const arena_row *row = &r->table.rows[n];

        if (row->entry != e || row->runs > 0 || !row->fault ||
            is_repeated(r, row))
            continue;
        fputs(is_first ? "<dl>\n" : "", to);
        is_first = false;
        fputs("<dt>", to);
        cli_html_text(to, row->contestant);
        if (strncmp(row->fault, "not for", 7) != 0)
            fprintf(to, ", %s", arena_race_names[row->race]);
        fputs("</dt><dd>", to);
        cli_html_text(to, row->fault);
        fputs("</dd>\n", to);
    }
    if (!is_first)
        fputs("</dl>\n", to);
}

static void put_table(const arena_report *r, FILE *to, const arena_entry *e)
{
    struct has has = look(r, e);
    const char *heads[12] = {"contestant", "race", "#effective draws",
                             "#DISCS' ESS"};
    int count = 4;

    if (has.marginals)
        heads[count++] = "#marginals off by";
    if (has.modes)
        heads[count++] = "#mode masses off by";
    if (has.log_z)
        heads[count++] = "#log Z off by";
    heads[count++] = "#evaluations";
    heads[count++] = "#seconds";
    heads[count++] = "draws are";
    if (has.opinion)
        heads[count++] = "hiss diagnose";
    heads[count++] = "how";
    cli_html_table(to, e->title, count, heads);
    for (int n = 0; n < r->table.count; n++)
        if (r->table.rows[n].entry == e && r->table.rows[n].runs > 0)
            put_row(to, &r->table.rows[n], &has);
    cli_html_table_end(to);
}

static void put_target(const arena_report *r, FILE *to, const arena_entry *e)
{
    fprintf(to, "<div class=\"target\" id=\"t-%s\">\n<h3>%s: ", e->name,
            e->name);
    cli_html_text(to, e->title);
    fputs("</h3>\n", to);
    cli_html_paragraph(to, NULL, "%s. Truth: %s.", e->about, e->truth);
    if (e->model)
        cli_html_paragraph(to, "dim", "Model: %s", e->model);
    cli_html_figures(to);
    arena_figure_race(r, to, e, ARENA_EVALS);
    arena_figure_race(r, to, e, ARENA_SECONDS);
    cli_html_figures_end(to);
    cli_html_details(to, "All figures and commands");
    put_table(r, to, e);
    put_absent(r, to, e);
    cli_html_details_end(to);
    fputs("</div>\n", to);
}

/* --- the page ---------------------------------------------- */

static void put_rules(const arena_report *r, FILE *to)
{
    cli_html_section(to, "rules", "The rules");
    cli_html_paragraph(
        to, NULL,
        "Four chains from random states, %d seeds, in two races: a number of "
        "evaluations of U or its gradient (a change of one coordinate costs "
        "1/d of one), and a number of seconds of one processor. Pilots, "
        "tuning and warm-up count against the same budget.",
        r->plan->seeds);
    cli_html_paragraph(
        to, NULL,
        "Effective draws: as many independent draws would have the errors "
        "that these have, in numbers whose means are known. Wrong: off by "
        "more than 6 of the draws' own standard errors, a mode of 2 %% or "
        "more never visited, a sampler that is not exact, or a foreign "
        "kernel that does not keep the law. Whose draws are wrong cannot "
        "win. Too few: less than %.0f effective draws. A best chain is the "
        "best of those that do not draw by elimination.",
        ARENA_FEW);
    fputs("<p>This page is of</p>\n<pre>", to);
    cli_html_text(to, r->command);
    fprintf(to, "</pre>\n<p class=\"dim\">hiss %s, %s</p>\n", hiss_version(),
            hiss_isa());
    cli_html_section_end(to);
}

static void put_contents(const arena_report *r, FILE *to)
{
    fputs("<nav aria-label=\"Contents\"><ul><li><a href=\"#findings\">Who wins "
          "where</a></li><li><a href=\"#map\">All cells</a></li><li><a "
          "href=\"#fooled\">High ESS, wrong answer</a></li><li><a "
          "href=\"#targets\">Targets</a></li><li><a href=\"#rules\">Rules</a>"
          "</li></ul></nav>\n",
          to);
    cli_html_paragraph(
        to, "dim",
        "%d targets whose answers are known, %d contestants, the same budget "
        "for all.",
        targets_of(r), contestants_of(r));
}

void arena_report_page(const arena_report *r, FILE *to)
{
    cli_html_begin(to, "The arena of discrete samplers");
    fputs(style, to);
    fputs("<h1>The arena of discrete samplers</h1>\n", to);
    put_contents(r, to);
    cli_html_section(to, "findings", "Who wins where");
    put_winners(r, to);
    cli_html_section_end(to);
    cli_html_section(to, "map", "All cells");
    cli_html_paragraph(to, NULL,
                       "The darker, the nearer to the best of the target "
                       "(white dot); a cross: the draws are wrong; a speck: "
                       "no draws, since the sampler is not for this target or "
                       "its budget was not enough.");
    for (int race = 0; race < ARENA_RACES; race++)
        if (arena_table_has(&r->table, (arena_race)race))
            arena_figure_map(r, to, (arena_race)race);
    cli_html_section_end(to);
    cli_html_section(to, "fooled", "High ESS, wrong answer");
    put_fooled(r, to);
    cli_html_section_end(to);
    cli_html_section(to, "targets", "Targets");
    cli_html_paragraph(to, "dim",
                       "Dot: effective draws by known means; ring: by DISCS' "
                       "definition; orange: the draws are wrong.");
    for (const arena_entry *e = arena_catalogue; e->name; e++)
        if (arena_plan_has_target(r->plan, e))
            put_target(r, to, e);
    cli_html_section_end(to);
    put_rules(r, to);
    cli_html_end(to);
}
