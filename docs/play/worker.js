/* worker.js - runs the command away from the page.
 *
 * The page sends {kind: "load", wasm} once, then {kind: "run", id, order,
 * stop}; answers are {kind: "ready"}, {kind: "say", id, stream, text} and
 * {kind: "done", id, code, files}.
 *
 * A program that computes hears no message.  `stop` is the address of a piece
 * of text in the page's memory (a Blob), which the page withdraws when the stop
 * button is pressed: the program looks whether it is still there each time it
 * shows progress.  No request leaves the page for that. */
"use strict";

let hissCompiled = null;

function hissIsWithdrawn(stop) {
    try {
        const request = new XMLHttpRequest();
        request.open("GET", stop, false);
        request.send();
        return request.status !== 200 && request.status !== 0;
    } catch (gone) {
        return true;
    }
}

/* A page from a folder ("blob:null/...") may not read such an address. */
function hissCanBeStopped(stop) {
    return !stop.startsWith("blob:null") && !hissIsWithdrawn(stop);
}

async function hissWork({id, order, stop}) {
    const decoders = {out: new TextDecoder(), err: new TextDecoder()};
    const say = (stream, bytes) => self.postMessage({
        kind: "say", id, stream,
        text: decoders[stream].decode(bytes, {stream: true})});
    const isHeard = hissCanBeStopped(stop);

    self.postMessage({kind: "begin", id, isHeard});
    const {code, files} = await hissRun(
        createHiss, hissCompiled, order, say,
        () => isHeard && hissIsWithdrawn(stop));
    self.postMessage({kind: "done", id, code, files});
}

self.onmessage = async ({data}) => {
    if (data.kind === "load") {
        try {
            hissCompiled = await WebAssembly.compile(data.wasm);
            self.postMessage({kind: "ready"});
        } catch (fault) {
            self.postMessage({kind: "broken", text: String(fault)});
        }
        return;
    }
    try {
        await hissWork(data);
    } catch (fault) {
        self.postMessage({kind: "say", id: data.id, stream: "err",
                          text: hissFault(fault)});
        self.postMessage({kind: "done", id: data.id, code: 3,
                          files: new Map()});
    }
};
