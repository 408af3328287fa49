/* play.js - the playground: a form that becomes a command line, and what the
 * command answers as a page.
 *
 * One run is a chain of commands: sample, diagnose, modes, summary, report.
 * Each is shown when it is done.  Files live in `files` and in no other place. */
"use strict";

const SHOWN = 12; /* rows of a table; the report has all */
const VERDICTS = {
    proved: ["good", "Proved: the draws agree with exact answers."],
    trusted: ["good", "Trusted: the draws can be trusted."],
    consistent: ["warn", "Consistent: no check failed, but some could not " +
                         "be made."],
    "not decided": ["warn", "Not decided."],
    "not trusted": ["bad", "Not trusted: the draws cannot be trusted."],
    wrong: ["bad", "Wrong: the draws do not follow the model."],
};
const FIELDS = ["model", "format", "fix", "evidence", "sampler", "samples",
                "chains", "seed", "observable"];

const by = (id) => document.getElementById(id);
const files = new Map(); /* name: Uint8Array, given or made */
const given = new Set(); /* names that the user brought */
const engine = new HissEngine("");
let running = null, seconds = 0;
let isSampling = false; /* stop keeps what was drawn */
let isGivenUp = false;  /* stop was pressed later: the rest is left out */

/* --- small parts of a page ---------------------------------------------- */

function make(name, attributes, ...inside) {
    const part = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {}))
        part.setAttribute(key, value);
    part.append(...inside);
    return part;
}

function show(id, ...parts) {
    by(id).replaceChildren(...parts);
}

function digits(value, count) {
    return value === null || value === undefined ? "-"
        : String(Number(Number(value).toPrecision(count)));
}

function table(caption, heads, rows) {
    const head = heads.map((text) => make("th",
        text[0] === "#" ? {scope: "col", class: "n"} : {scope: "col"},
        text.replace("#", "")));
    const body = rows.map((cells) => make("tr", {}, ...cells.map((text, n) =>
        make("td", heads[n][0] === "#" ? {class: "n"} : {}, text))));
    return make("div", {class: "wide", tabindex: "0", role: "region",
                        "aria-label": caption},
                make("table", {}, make("caption", {}, caption),
                     make("thead", {}, make("tr", {}, ...head)),
                     make("tbody", {}, ...body)));
}

function complaint(text) {
    return make("pre", {class: "bad", role: "alert"}, text.trim());
}

function saveButton(name, bytes, words) {
    const button = make("button", {type: "button"}, words);
    button.onclick = () => {
        const address = URL.createObjectURL(new Blob([bytes]));
        make("a", {href: address, download: name}).click();
        setTimeout(() => URL.revokeObjectURL(address), 10000);
    };
    return button;
}

function copyButton(words, text) {
    const button = make("button", {type: "button"}, words);
    button.onclick = () => copy(text, button, words);
    return button;
}

/* The clipboard is closed to pages from a folder in some browsers: then the
 * text is shown, to be copied by hand. */
async function copy(text, button, words) {
    try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
        setTimeout(() => { button.textContent = words; }, 1500);
    } catch (closed) {
        window.prompt("Copy this:", text);
    }
}

/* --- runs --------------------------------------------------------------- */

function setBusy(isBusy) {
    for (const id of ["go", "judge-go", "line-go"])
        by(id).disabled = isBusy;
    by("stop").disabled = !isBusy;
    if (!isBusy)
        by("bar").value = 0;
}

/* The bar of progress as the program draws it. */
function watch(stream, text) {
    const found = stream === "err" && text.replace(/\x1b\[K/g, "").match(/([\w-]+) (?:\[[#-]*\] )?\s*(\d+)%(.*)/);
    if (!found)
        return;
    by("bar").value = Number(found[2]);
    by("doing").textContent = `${found[1]} ${found[2]} %${found[3]}`;
}

/* Without the bars of progress, which begin with a carriage return. */
function plain(text) {
    return text.split("\n").map((line) =>
        line.slice(line.lastIndexOf("\r") + 1).replace(/\x1b\[K/g, ""))
        .join("\n").trim();
}

async function run(words) {
    await engine.load();
    const began = performance.now();
    running = engine.run({words, files: new Map(files), bar: true}, watch);
    const done = await running.done;
    seconds = (performance.now() - began) / 1000;
    running = null;
    for (const [name, bytes] of done.files)
        files.set(name, bytes);
    done.err = plain(done.err);
    return done;
}

/* The JSON that it prints; null where it does not, with the reason shown. */
async function answer(words, where, codes) {
    const done = await run([...words, "--json"]);
    if (codes.includes(done.code))
        return JSON.parse(done.out);
    show(where, complaint(done.err || `exit code ${done.code}`));
    return null;
}

function sampleWords() {
    const words = ["sample", by("model").value.trim()];
    const add = (option, value) => {
        if (String(value).trim())
            words.push(option, String(value).trim());
    };
    add("--format", by("format").value);
    add("--fix", by("fix").value);
    add("--evidence", by("evidence").value);
    add("--sampler", by("sampler").value);
    add("--samples", by("samples").value);
    add("--chains", by("chains").value);
    add("--seed", by("seed").value);
    return words;
}

function observables() {
    const text = by("observable").value.trim();
    return text ? ["--observable", text] : [];
}

function commandLine() {
    return ["hiss", ...sampleWords(), "-o", "draws.csv"].map(hissQuote)
        .join(" ");
}

/* --- what a run shows --------------------------------------------------- */

function clearResults() {
    for (const id of ["verdict", "notes", "summary", "modes", "observables",
                      "save", "report"])
        show(id);
}

function showVerdict(where, judged) {
    const [look, words] = VERDICTS[judged.verdict] || ["warn", judged.verdict];
    const list = make("ul", {class: "findings"});
    for (const finding of judged.findings || []) {
        const line = make("li", {},
            make("span", {class: `tag ${finding.outcome}`}, finding.outcome),
            make("strong", {}, finding.name), " ", finding.text);
        if (finding.remedy)
            line.append(make("span", {class: "remedy"}, finding.remedy));
        list.append(line);
    }
    show(where, make("p", {class: `verdict ${look}`}, words),
         make("p", {class: "dim"}, judged.headline || ""), list);
}

function showRun(ran, notes) {
    const rows = [["model", ran.model],
                  ["sampler", ran.resolved ? `${ran.sampler}, which chose ` +
                                             ran.resolved : ran.sampler],
                  ["run", `${ran.chains} chains x ${ran.samples} draws, ` +
                          `warm-up ${ran.warmup}, seed ${ran.seed}`],
                  ["cost", `${digits(seconds, 3)} s, ` +
                           `${digits(ran.evals.energy, 4)} evaluations`],
                  ["smallest effective draws", digits(ran.ess_min, 4)]];
    show("summary", table("The run", ["", ""], rows),
         ...(ran.warnings || []).map((text) => make("p", {}, String(
             text.text || text))));
    show("notes", ...(notes ? [make("pre", {}, notes)] : []));
}

function showModes(found) {
    const rows = found.modes.slice(0, SHOWN).map((mode) => [
        mode.name, digits(mode.log_p ?? mode.u, 6), digits(mode.mass, 4),
        `${mode.chains}`, mode.representative.slice(0, 24).join(" ") +
        (mode.representative.length > 24 ? " ..." : "")]);
    if (rows.length)
        show("modes", table(`Modes: ${found.found} found`,
             ["mode", "#log p", "#share of draws", "#chains", "state"], rows));
}

function showSummary(found) {
    const wanted = found.observables || [];
    const worst = [...found.coordinates].sort((a, b) =>
        (a.ess_bulk ?? Infinity) - (b.ess_bulk ?? Infinity));
    const row = (one) => [one.name, digits(one.mean, 5), digits(one.mcse, 2),
                          digits(one.ess_bulk, 4), digits(one.rhat, 4),
                          one.state || ""];
    const heads = ["", "#mean", "#error", "#effective draws", "#R-hat",
                   "state"];
    const parts = [];
    if (wanted.length)
        parts.push(table("Observables", heads, wanted.map(row)));
    parts.push(table(`Coordinates, the worst first (${Math.min(SHOWN,
        worst.length)} of ${worst.length})`, heads,
        [found.log_p && {...found.log_p, name: "log p"},
         ...worst.slice(0, SHOWN)].filter(Boolean).map(row)));
    show("observables", ...parts);
}

function showReport(html) {
    const frame = make("iframe", {title: "Report of this run",
                                  sandbox: "allow-scripts"});
    frame.onload = () => { frame.dataset.isLoaded = "yes"; };
    frame.srcdoc = html;
    show("report", make("h3", {}, "Report"), frame);
}

function showSave() {
    const parts = [];
    if (files.has("draws.csv"))
        parts.push(saveButton("draws.csv", files.get("draws.csv"),
                              "Save the draws"));
    if (files.has("report.html"))
        parts.push(saveButton("report.html", files.get("report.html"),
                              "Save the report"));
    const line = commandLine();
    parts.push(copyButton("Copy the command line", line));
    show("save", make("p", {class: "buttons"}, ...parts),
         make("p", {class: "dim"}, "The same draws by the installed program:"),
         make("pre", {id: "native"}, line));
}

/* Draws first, then what they are worth; each part appears when it is there. */
async function sampleAndShow() {
    clearResults();
    files.delete("draws.csv");
    files.delete("report.html");
    isSampling = true;
    const done = await run([...sampleWords(), "-o", "draws.csv", "--json"]);
    isSampling = false;
    if (!files.has("draws.csv")) {
        show("verdict", complaint(done.err || "stopped, nothing was drawn"));
        return "failed";
    }
    showRun(JSON.parse(done.out), done.err);
    showSave();
    const judged = await answer(["diagnose", "draws.csv"], "verdict",
                                [0, 1, 4]);
    if (isGivenUp)
        return "stopped";
    if (!judged)
        return "failed";
    showVerdict("verdict", judged);
    const modes = await answer(["modes", "draws.csv"], "modes", [0, 1]);
    if (modes)
        showModes(modes);
    if (isGivenUp)
        return "stopped";
    const summary = await answer(["summary", "draws.csv", ...observables()],
                                 "observables", [0, 1]);
    if (summary)
        showSummary(summary);
    if (isGivenUp)
        return "stopped";
    const page = await run(["report", "draws.csv", "-o", "report.html"]);
    if (files.has("report.html"))
        showReport(new TextDecoder().decode(files.get("report.html")));
    else
        show("report", complaint(page.err));
    showSave();
    return "done";
}

async function judgeAndShow() {
    const words = ["diagnose", by("draws").value.trim()];
    if (by("of").value.trim())
        words.push("--model", by("of").value.trim());
    show("judgement");
    const judged = await answer(words, "judgement", [0, 1, 4]);
    if (judged)
        showVerdict("judgement", judged);
    return judged ? "done" : "failed";
}

async function commandAndShow() {
    const output = by("output");
    output.hidden = false;
    output.textContent = "";
    let words;
    try {
        words = hissWords(by("line").value);
    } catch (fault) {
        output.textContent = fault.message;
        return "failed";
    }
    if (words[0] === "hiss")
        words.shift();
    const done = await run(words);
    output.textContent = plain(done.out) + (done.err ? "\n" + done.err : "") +
        (done.code ? `\n(exit code ${done.code})` : "");
    for (const name of done.files.keys())
        output.append("\n", saveButton(name.split("/").pop(),
                                       done.files.get(name), `Save ${name}`));
    return "done";
}

/* --- the form ----------------------------------------------------------- */

function onSubmit(id, work) {
    by(id).addEventListener("submit", async (event) => {
        event.preventDefault();
        if (running || by("go").disabled)
            return;
        setBusy(true);
        isGivenUp = false;
        by("doing").textContent = "running ...";
        let how = "failed";
        try {
            how = await work();
        } catch (fault) {
            show("verdict", complaint(String(fault)));
        }
        setBusy(false);
        by("doing").textContent = how;
        listFiles();
    });
}

function listFiles() {
    const list = document.querySelector(".files");
    list.replaceChildren(...[...given].map((name) => make("li", {},
        `${name}, ${files.get(name).length} bytes`)));
}

/* Names without folders; what is dropped last is the model (or the draws). */
async function take(dropped, target) {
    for (const file of dropped) {
        const name = file.name.replace(/[^\w.-]/g, "_");
        files.set(name, new Uint8Array(await file.arrayBuffer()));
        given.add(name);
        if (/\.evid$/.test(name))
            by("evidence").value = name;
        else
            by(target).value = name;
    }
    listFiles();
}

function setUpDrops() {
    for (const area of document.querySelectorAll(".drop")) {
        const target = area.dataset.for;
        const over = (isOver) => (event) => {
            event.preventDefault();
            area.classList.toggle("over", isOver);
        };
        area.addEventListener("dragover", over(true));
        area.addEventListener("dragleave", over(false));
        area.addEventListener("drop", (event) => {
            over(false)(event);
            take(event.dataTransfer.files, target);
        });
        area.querySelector("input").addEventListener("change", (event) =>
            take(event.target.files, target));
    }
    /* beside the areas a file would replace the page */
    for (const kind of ["dragover", "drop"])
        window.addEventListener(kind, (event) => event.preventDefault());
}

function setUpExamples(examples) {
    const choice = by("example");
    examples.forEach((one, n) => choice.append(make("option", {value: n},
                                                    one.title)));
    choice.addEventListener("change", () => {
        const one = examples[Number(choice.value)];
        if (choice.value === "" || !one)
            return;
        for (const [name, text] of Object.entries(one.files || {})) {
            files.set(name, new TextEncoder().encode(text));
            given.add(name);
        }
        for (const name of ["format", "fix", "evidence", "sampler"])
            by(name).value = one[name] || "";
        by("model").value = one.model;
        by("observable").value = one.observable || "";
        listFiles();
    });
}

function address() {
    const what = new URLSearchParams();
    for (const name of FIELDS)
        if (by(name).value.trim())
            what.set(name, by(name).value.trim());
    return `${location.href.split("#")[0]}#${what}`;
}

/* Opened by a link with a run in its fragment: the form is filled in, and an
 * example's files come along. */
function readAddress(examples) {
    const what = new URLSearchParams(location.hash.slice(1));
    for (const name of FIELDS)
        if (what.has(name))
            by(name).value = what.get(name);
    for (const one of examples)
        if (one.files && one.model === by("model").value)
            for (const [name, text] of Object.entries(one.files)) {
                files.set(name, new TextEncoder().encode(text));
                given.add(name);
            }
    listFiles();
    return what.has("model");
}

async function offerSamplers() {
    const done = await run(["list", "samplers", "--json"]);
    for (const one of JSON.parse(done.out).samplers)
        by("samplers").append(make("option", {value: one.name}, one.summary));
}

async function begin() {
    setUpDrops();
    onSubmit("run", sampleAndShow);
    onSubmit("judge", judgeAndShow);
    onSubmit("command", commandAndShow);
    by("stop").onclick = () => {
        isGivenUp = !isSampling;
        if (running)
            running.stop();
        by("doing").textContent = "stopping ...";
    };
    by("link").onclick = () => {
        history.replaceState(null, "", address());
        copy(address(), by("link"), "Copy a link to this run");
    };
    try {
        await engine.load();
    } catch (fault) {
        by("state").className = "bad";
        by("state").textContent = fault.message;
        return;
    }
    setUpExamples(engine.bundle.examples);
    const isAsked = readAddress(engine.bundle.examples);
    await offerSamplers();
    by("state").textContent = `Ready: hiss ${engine.bundle.version}.`;
    setBusy(false);
    if (isAsked)
        by("run").requestSubmit();
}

begin();
