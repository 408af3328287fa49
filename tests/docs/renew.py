"""What a page shows, with the numbers of what a command prints now.

Lines of a page are found again among the printed ones by their words, numbers
aside, in order; `...` stays where it was.
"""
import difflib
import re


def words(line):
    """A line without its numbers, for finding it again."""
    return re.sub(r"[-+]?\d[\d.]*(?:e[-+]?\d+)?", "0", " ".join(line.split()))


def find(line, printed, begin):
    """The place of the printed line that is most like this one, or None."""
    head = words(line.split("...")[0])
    best, where = 0.7, None
    for k in range(begin, len(printed)):
        other = words(printed[k])
        if "..." in line:
            other = other[:len(head)]
        like = difflib.SequenceMatcher(None, head, other).ratio()
        if like > best:
            best, where = like, k
    return where


def beginning(printed, line):
    """As many words of the printed line as stand before `...` of the other."""
    head, _, tail = line.partition("...")
    found = re.match(r"\s*(?:\S+\s*){%d}" % len(head.split()), printed)
    kept = found[0] if head.endswith(" ") else found[0].rstrip()
    return f"{kept}...{tail}"


def shown_anew(shown, printed):
    """The shown lines, renewed; None where one is not found again."""
    out, at = [], 0
    printed = printed.rstrip("\n").split("\n")
    if "..." not in "".join(shown):
        return printed
    for line in shown:
        if line.strip() in ("", "..."):
            out.append(line)
            continue
        where = find(line, printed, at)
        if where is None:
            return None
        at = where + 1
        out.append(beginning(printed[where], line) if "..." in line
                   else printed[where])
    return out
