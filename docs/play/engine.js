/* engine.js - the command as a page sees it: load it once, run it often.
 *
 * bundle.js, made by `make wasm`, holds the program (HISS_BUNDLE).  It is a
 * script, and the worker is made from its text, since a page that was opened
 * from a folder may load scripts and nothing else.
 *
 *   const engine = new HissEngine(folder);  where bundle.js is, "" or "play/"
 *   await engine.load();
 *   const run = engine.run({words, files}, (stream, text) => ...);
 *   run.stop();  const {code, files, out, err} = await run.done; */
"use strict";

const HISS_PATIENCE = 3000; /* ms from the stop button to the end by force */

async function hissUnpack(base64) {
    const packed = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream()
        .pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
}

function hissLoadScript(address) {
    return new Promise((done, fail) => {
        const script = document.createElement("script");
        script.src = address;
        script.onload = done;
        script.onerror = () => fail(new Error(
            "the program is not here (bundle.js): `make wasm` builds it"));
        document.head.appendChild(script);
    });
}

class HissEngine {
    constructor(folder) {
        this.folder = folder || "";
        this.runs = new Map();
        this.count = 0;
    }

    /* Idempotent; fails with an Error that says what is missing. */
    load() {
        this.loading = this.loading || this.#load();
        return this.loading;
    }

    async #load() {
        if (typeof WebAssembly !== "object" ||
            typeof DecompressionStream !== "function")
            throw new Error("this browser is too old: it needs WebAssembly " +
                            "and DecompressionStream (2023)");
        if (!window.HISS_BUNDLE)
            await hissLoadScript(this.folder + "bundle.js");
        this.bundle = window.HISS_BUNDLE;
        this.wasm = await hissUnpack(this.bundle.wasm);
        await this.#startWorker();
        return this;
    }

    #startWorker() {
        const blob = new Blob([this.bundle.script],
                              {type: "text/javascript"});
        const address = URL.createObjectURL(blob);
        return new Promise((done, fail) => {
            this.worker = new Worker(address);
            this.worker.onerror = (event) => fail(new Error(
                "the program does not start: " + event.message));
            this.worker.onmessage = ({data}) => {
                if (data.kind === "ready")
                    done();
                else if (data.kind === "broken")
                    fail(new Error("this browser cannot run the program: " +
                                   data.text));
                else
                    this.#hear(data);
            };
            this.worker.postMessage({kind: "load", wasm: this.wasm});
        });
    }

    #hear(data) {
        const run = this.runs.get(data.id);
        if (!run)
            return;
        if (data.kind === "begin") {
            run.isHeard = data.isHeard;
        } else if (data.kind === "say") {
            run[data.stream] += data.text;
            if (run.onSay)
                run.onSay(data.stream, data.text);
        } else {
            this.#end(data.id, data.code, data.files);
        }
    }

    #end(id, code, files) {
        const run = this.runs.get(id);
        this.runs.delete(id);
        clearTimeout(run.timer);
        URL.revokeObjectURL(run.stopAt);
        run.finish({code, files, out: run.out, err: run.err});
    }

    /* order: see program.js. */
    run(order, onSay) {
        const id = ++this.count;
        const stopAt = URL.createObjectURL(new Blob(["go on"]));
        const run = {out: "", err: "", onSay, stopAt, isHeard: false};
        run.done = new Promise((finish) => { run.finish = finish; });
        this.runs.set(id, run);
        this.worker.postMessage({kind: "run", id, order, stop: stopAt});
        return {done: run.done, stop: () => this.#stop(id)};
    }

    /* First as Ctrl-C, which keeps what was drawn; by force where the program
     * does not hear it, or does not end. */
    #stop(id) {
        const run = this.runs.get(id);
        if (!run || run.timer)
            return;
        URL.revokeObjectURL(run.stopAt);
        run.timer = setTimeout(() => this.#kill(),
                               run.isHeard ? HISS_PATIENCE : 0);
    }

    #kill() {
        const ids = [...this.runs.keys()];
        this.worker.terminate();
        this.loading = this.#startWorker().then(() => this);
        for (const id of ids) {
            this.runs.get(id).err +=
                "hiss: stopped by force, nothing was kept\n";
            this.#end(id, 130, new Map());
        }
    }
}
