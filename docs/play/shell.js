/* shell.js - lines as a terminal takes them, as far as docs and this page need
 * it: quotes, comments, "< FILE" and "> FILE".
 *
 * hissWords(line) gives the words, or throws an Error that says what a page
 * cannot do.  hissQuote(word) is its inverse. */
"use strict";

function hissWords(line) {
    const words = [];
    let at = 0;

    const blank = (c) => c === " " || c === "\t";
    while (at < line.length) {
        if (blank(line[at])) {
            at++;
            continue;
        }
        if (line[at] === "#")
            break;
        let word = "";
        for (; at < line.length && !blank(line[at]); at++) {
            const quote = line[at];
            if (quote === "'" || quote === '"') {
                const end = line.indexOf(quote, at + 1);
                if (end < 0)
                    throw new Error(`a ${quote} is not closed`);
                word += line.slice(at + 1, end);
                at = end;
            } else if (quote === "\\" && at + 1 < line.length) {
                word += line[++at];
            } else if ("|&;<>$`".includes(quote)) {
                throw new Error(`'${quote}' needs a shell; a page runs one ` +
                                "command, hiss");
            } else {
                word += quote;
            }
        }
        words.push(word);
    }
    return words;
}

function hissQuote(word) {
    return /^[\w@%+=:,./-]+$/.test(word) ? word
                                         : `'${word.replace(/'/g, "'\\''")}'`;
}

if (typeof module === "object" && module.exports)
    module.exports = {hissWords, hissQuote};
