#!/usr/bin/env node
/* hiss.cjs - the command of build/wasm under node, by the code of the page.
 *
 * Files of the current folder are copied in, what is new or has changed is
 * copied out.  HISS_WASM names the folder of hiss.js and hiss.wasm.
 * HISS_STOP_AFTER=N presses the stop button when progress of sampling is shown for
 * the Nth time. */
"use strict";
const fs = require("fs");
const path = require("path");

const root = path.resolve(__dirname, "..", "..");
const build = process.env.HISS_WASM || path.join(root, "build", "wasm");
const {hissRun} = require(path.join(root, "docs", "play", "program.js"));

function filesBelow(folder, prefix, found) {
    for (const entry of fs.readdirSync(folder, {withFileTypes: true}))
        if (entry.isDirectory())
            filesBelow(path.join(folder, entry.name), prefix + entry.name + "/",
                       found);
        else if (entry.isFile())
            found.set(prefix + entry.name,
                      new Uint8Array(fs.readFileSync(path.join(folder,
                                                               entry.name))));
    return found;
}

function put(to, bytes) {
    for (let at = 0; at < bytes.length;)
        try {
            at += fs.writeSync(to, bytes, at);
        } catch (fault) {
            if (fault.code !== "EAGAIN")
                throw fault;
        }
}

async function main() {
    const create = require(path.join(build, "hiss.js"));
    const compiled = await WebAssembly.compile(
        fs.readFileSync(path.join(build, "hiss.wasm")));
    const last = Number(process.env.HISS_STOP_AFTER || 0);
    let shown = 0, isSampling = false;

    const {code, files} = await hissRun(create, compiled, {
        words: process.argv.slice(2),
        files: filesBelow(process.cwd(), "", new Map()),
        columns: process.env.COLUMNS,
        bar: last > 0,
    }, (stream, bytes) => {
        put(stream === "out" ? 1 : 2, bytes);
        isSampling = Buffer.from(bytes).includes("sampling");
    }, () => isSampling && ++shown === last);
    for (const [name, bytes] of files) {
        fs.mkdirSync(path.dirname(name), {recursive: true});
        fs.writeFileSync(name, bytes);
    }
    process.exitCode = code;
}

main();
