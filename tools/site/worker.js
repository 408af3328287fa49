/* The search of the site runs in a worker, which browsers refuse to pages that
 * were opened as files.  There a hidden frame does the same work. */
(function () {
    if (location.protocol !== "file:")
        return;
    window.Worker = class extends EventTarget {
        constructor(url) {
            super();
            this.frame = document.createElement("iframe");
            this.frame.hidden = true;
            document.body.appendChild(this.frame);
            const inside = this.frame.contentWindow;
            this.ready = new Promise((done) => { inside.hissReady = done; });
            inside.hissSend = (data) => {
                const event = new MessageEvent("message", {data});
                this.dispatchEvent(event);
                if (this.onmessage)
                    this.onmessage(event);
            };
            inside.document.open();
            inside.document.write(
                "<!doctype html><body><script>" +
                "const ready = hissReady, send = hissSend;" +
                "window.postMessage = send;" +
                "window.importScripts = (...urls) => urls.reduce((last, url) =>" +
                " last.then(() => new Promise((done, fail) => {" +
                "  const s = document.createElement('script');" +
                "  s.src = url; s.onload = done; s.onerror = fail;" +
                "  document.body.appendChild(s); })), Promise.resolve());" +
                "<\/script><script src='" + url + "'><\/script>" +
                "<script>ready()<\/script></body>");
            inside.document.close();
            inside.hissReady = inside.hissReady || null;
        }
        postMessage(data) {
            this.ready.then(() => this.frame.contentWindow.dispatchEvent(
                new MessageEvent("message", {data})));
        }
        terminate() {
            this.frame.remove();
        }
    };
})();
