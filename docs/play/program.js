/* program.js - one run of the command `hiss`, compiled to WebAssembly.
 *
 * For a worker, a page and node alike; `create` is what Emscripten made and
 * `compiled` a WebAssembly.Module.  Every run is an instance of its own, so that
 * nothing of one is seen by the next but the files that it is given.
 *
 * hissRun(create, compiled, {words, files, columns, bar}, say, stops)
 *   words   of the command line, without "hiss"
 *   files   a Map of names to Uint8Array, which the run finds in its folder; a
 *           name with "/" lies in folders
 *   columns width of texts, 80 by default
 *   bar     true: progress is shown as on a terminal
 *   input   Uint8Array: standard input
 *   say     called as say("out" | "err", bytes) whenever there is some output
 *   stops   asked when the program shows progress; true is Ctrl-C
 * gives {code, files}: the exit code, and a Map of the files that are new or
 * have changed. */
"use strict";

const HISS_HOME = "/home/hiss";
const HISS_SIGINT = 2;

/* Bytes of one stream, given on in pieces: at the end of a line, or of the bar
 * of progress, which is flushed without one. */
class HissStream {
    constructor(say, name) {
        this.bytes = [];
        this.flush = () => {
            if (this.bytes.length)
                say(name, Uint8Array.from(this.bytes));
            this.bytes.length = 0;
        };
        this.put = (byte) => {
            this.bytes.push(byte);
            if (byte === 10 || this.bytes.length > 4095)
                this.flush();
        };
    }
}

function hissReader(input) {
    let at = 0;
    return () => input && at < input.length ? input[at++] : null;
}

function hissFolders(fs, path) {
    const parts = path.split("/").slice(0, -1);
    for (let n = 1; n <= parts.length; n++) {
        const folder = parts.slice(0, n).join("/");
        if (folder && !fs.analyzePath(folder).exists)
            fs.mkdir(folder);
    }
}

/* All files below a folder, as they are now. */
function hissFilesBelow(fs, folder, prefix, found) {
    for (const name of fs.readdir(folder)) {
        if (name === "." || name === "..")
            continue;
        const path = folder + "/" + name;
        if (fs.isDir(fs.stat(path).mode))
            hissFilesBelow(fs, path, prefix + name + "/", found);
        else
            found.set(prefix + name, fs.readFile(path));
    }
    return found;
}

function hissIsSame(a, b) {
    return !!a && a.length === b.length && a.every((byte, n) => byte === b[n]);
}

async function hissRun(create, compiled, order, say, stops) {
    const out = new HissStream(say, "out"), err = new HissStream(say, "err");
    const given = order.files || new Map();
    let code = 0, isStopped = false;

    const module = await create({
        thisProgram: "hiss",
        instantiateWasm(imports, done) {
            WebAssembly.instantiate(compiled, imports).then(done);
            return {};
        },
        preRun: [(m) => {
            m.FS.init(hissReader(order.input), out.put, err.put);
            m.ENV.HOME = HISS_HOME;
            m.ENV.USER = "hiss";
            m.ENV.TERM = order.bar ? "xterm" : "dumb";
            if (order.columns)
                m.ENV.COLUMNS = String(order.columns);
            hissFolders(m.FS, HISS_HOME + "/x");
            m.FS.chdir(HISS_HOME);
            for (const [name, bytes] of given) {
                hissFolders(m.FS, HISS_HOME + "/" + name);
                m.FS.writeFile(HISS_HOME + "/" + name, bytes);
            }
        }],
        quit(status, end) {
            code = status;
            throw end;
        },
        print: (line) => say("out", new TextEncoder().encode(line + "\n")),
        printErr: (line) => say("err", new TextEncoder().encode(line + "\n")),
    });
    if (order.bar) {
        const stream = module.FS.streams[2];
        stream.tty = {ops: {}};
        const write = stream.stream_ops.write;
        stream.stream_ops = Object.assign({}, stream.stream_ops, {
            write(...what) {
                const written = write(...what);
                err.flush();
                if (!isStopped && stops && stops()) {
                    isStopped = true;
                    module._cli_interrupt_note(HISS_SIGINT);
                }
                return written;
            }});
    }
    try {
        const status = module.callMain(order.words);
        code = code || status || 0;
    } catch (end) {
        if (!end || end.name !== "ExitStatus") {
            out.flush();
            err.flush();
            say("err", new TextEncoder().encode(hissFault(end)));
            code = 3;
        }
    }
    out.flush();
    err.flush();
    const files = new Map();
    for (const [name, bytes] of hissFilesBelow(module.FS, HISS_HOME, "",
                                               new Map()))
        if (!hissIsSame(given.get(name), bytes))
            files.set(name, bytes);
    return {code, files};
}

/* What ended the program other than itself. */
function hissFault(end) {
    const text = String(end && end.message || end);
    if (/memory|allocat/i.test(text))
        return "hiss: out of memory: a page has 4 GiB at most\n";
    return "hiss: the program ended unexpectedly: " + text + "\n";
}

if (typeof module === "object" && module.exports)
    module.exports = {hissRun};
