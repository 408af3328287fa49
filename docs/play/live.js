/* live.js - a run button for the console blocks of a page of the docs.
 *
 * A block has one if a page can run all of it: commands of hiss without pipes,
 * which && may join with each other and with echo.  <!-- not live: REASON --> before a block leaves it out.  Files that a
 * page writes in its blocks (cat > FILE <<'END') are there, and what earlier
 * blocks have made is made first.  A page has no netCDF, so results are .csv
 * where the block says .nc. */
"use strict";

(function () {
    const folder = document.currentScript.src.replace(/[^/]*$/, "");
    const engine = new HissEngine(folder);
    const files = new Map();
    const steps = []; /* of the page, in order */
    const bytes = (text) => new TextEncoder().encode(text);

    /* {files} that a block of the shell writes. */
    function written(text) {
        const found = new Map();
        const here = /^cat > (\S+) <<'(\w+)'\n([\s\S]*?)^\2$/gm;
        const echo = /^(?:echo|printf) '([^']*)' *> *(\S+)/gm;
        for (const [, name, , lines] of text.matchAll(here))
            found.set(name, bytes(lines));
        for (const [all, line, name] of text.matchAll(echo))
            found.set(name, bytes(all.startsWith("echo") ? line + "\n"
                : line.replace(/\\n/g, "\n")));
        return found;
    }

    /* The lines after "$ ", continued lines joined. */
    function commands(text) {
        const found = [], lines = text.split("\n");
        for (let n = 0; n < lines.length; n++)
            if (lines[n].startsWith("$ ")) {
                let line = lines[n].slice(2);
                while (line.endsWith("\\") && n + 1 < lines.length)
                    line = line.slice(0, -1) + lines[++n].trimStart();
                found.push(line);
            }
        return found;
    }

    function isLeftOut(block) {
        for (let at = block.previousSibling; at; at = at.previousSibling) {
            if (at.nodeType === Node.COMMENT_NODE &&
                at.data.trim().startsWith("not live:"))
                return true;
            if (at.nodeType === Node.ELEMENT_NODE)
                return false;
        }
        return false;
    }

    /* The step of a console block; null if a page cannot run it. */
    function parse(text) {
        const step = {files: new Map(), runs: [], isDone: false};
        for (const line of commands(text)) {
            const made = written(line);
            if (made.size) {
                made.forEach((value, name) => step.files.set(name, value));
                continue;
            }
            try {
                const chain = line.split(" && ").map(hissWords);
                if (chain.some(([first]) => first !== "hiss" &&
                                            first !== "echo"))
                    return null;
                step.runs.push(chain.map((words) => words.map((word) =>
                    word.replace(/^([\w.-]+)\.nc$/, "$1.csv"))));
            } catch (needsShell) {
                return null;
            }
        }
        return step.runs.length ? step : null;
    }

    /* Files that pages take for granted are among the playground's examples. */
    function bringExamples() {
        for (const one of engine.bundle.examples)
            for (const [name, text] of Object.entries(one.files))
                if (!files.has(name))
                    files.set(name, bytes(text));
    }

    /* One command; its exit code. */
    async function call([program, ...words], step, say) {
        if (program === "echo") {
            say(words.join(" ") + "\n");
            return 0;
        }
        const more = words.some((word) => word === "-o") ? ["--force"] : [];
        const run = engine.run(
            {words: [...words, ...more], files: new Map(files)},
            (stream, text) => say(text));
        step.stop = run.stop;
        const done = await run.done;
        done.files.forEach((value, name) => files.set(name, value));
        if (done.code)
            say(`(exit code ${done.code})\n`);
        return done.code;
    }

    async function perform(step, say) {
        step.files.forEach((value, name) => files.set(name, value));
        for (const chain of step.runs) {
            say("$ " + chain.map((words) => words.map(hissQuote).join(" "))
                .join(" && ") + "\n");
            for (const words of chain)
                if (await call(words, step, say))
                    break;
        }
        step.isDone = true;
    }

    function addButton(block, step) {
        const button = document.createElement("button");
        const output = document.createElement("pre");
        let isRunning = false;

        button.type = "button";
        button.className = "hiss-run";
        button.textContent = "Run in this page";
        output.className = "hiss-output";
        output.hidden = true;
        output.tabIndex = 0;
        output.setAttribute("aria-live", "polite");
        output.setAttribute("aria-label", "Output");
        button.onclick = async () => {
            if (isRunning) {
                if (step.stop)
                    step.stop();
                return;
            }
            isRunning = true;
            button.textContent = "Stop";
            output.hidden = false;
            output.textContent = "";
            const say = (text) => { output.append(text); };
            try {
                await engine.load();
                bringExamples();
                for (const before of steps.slice(0, steps.indexOf(step)))
                    if (!before.isDone)
                        await perform(before, () => {});
                await perform(step, say);
            } catch (fault) {
                say(fault.message + "\n");
            }
            isRunning = false;
            button.textContent = "Run again";
        };
        block.after(button, output);
    }

    function begin() {
        const blocks = document.querySelectorAll(
            "div.language-console, div.language-sh");
        for (const block of blocks) {
            const text = block.querySelector("code").textContent;
            if (block.classList.contains("language-sh")) {
                steps.push({files: written(text), runs: [], isDone: false});
                continue;
            }
            const step = isLeftOut(block) ? null : parse(text);
            if (step) {
                steps.push(step);
                addButton(block, step);
            }
        }
    }

    if (document.readyState === "loading")
        document.addEventListener("DOMContentLoaded", begin);
    else
        begin();
})();
