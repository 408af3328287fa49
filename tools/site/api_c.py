"""The C interface as Markdown, from the comments of include/hiss/*.h."""
import re

ITEM = re.compile(r"/\*\*(?P<comment>(?:[^*]|\*(?!/))*)\*/\s*\n"
                  r"(?P<code>(?:#define (?:[^\n]*\\\n)*[^\n]*\n)|"
                  r"(?:typedef (?:struct|enum|union)[^;{]*\{.*?\n\}[^;]*;)|"
                  r"(?:[^;{]*;))", re.S)
SECTION = re.compile(r"/\* --- (.+?) -+ \*/")
FIRST = re.compile(r"/\*(?P<comment>.*?)\*/", re.S)


def escape(text):
    return re.sub(r"([\\*_<>\[\]|#])", r"\\\1", text)


def prose(comment):
    """Paragraphs; what is set in by four spaces or more is code."""
    lines = [re.sub(r"^ ?\*? ?", "", line) if k else line.strip()
             for k, line in enumerate(comment.strip().split("\n"))]
    out, is_code = [], False
    for line in lines:
        starts_code = line.startswith("    ") and (is_code or not out or
                                                   not out[-1].strip())
        if starts_code != is_code and (line.strip() or is_code):
            out.append("```text" if starts_code else "```")
            is_code = starts_code
        out.append(line[4:] if is_code else escape(line))
    return "\n".join(out + (["```"] if is_code else []))


def name_of(code):
    for pattern in (r"#define (\w+)", r"\}\s*(\w+);", r"\(\*(\w+)\)\(",
                    r"(\w+)\s*\(", r"(\w+)\s*;"):
        found = re.search(pattern, code)
        if found:
            return found[1]
    raise ValueError(f"no name in {code!r}")


def header(path):
    text = path.read_text(encoding="utf-8")
    title, _, about = FIRST.search(text)["comment"].strip().partition(" - ")
    out = [f"## hiss/{title}", "", prose(about[:1].upper() + about[1:]), ""]
    found = [(m.start(), m) for m in ITEM.finditer(text)]
    found += [(m.start(), m) for m in SECTION.finditer(text)]
    for _, m in sorted(found, key=lambda pair: pair[0]):
        if m.re is SECTION:
            out += [f"**{escape(m[1].capitalize())}**", ""]
            continue
        code = m["code"].strip().replace("HISS_API ", "")
        out += [f"### {name_of(code)}", "", "```c", code, "```", "",
                prose(m["comment"]), ""]
    return "\n".join(out)


def page(root):
    """All headers, hiss.h first."""
    paths = sorted((root / "include" / "hiss").glob("*.h"),
                   key=lambda p: (p.name != "hiss.h", p.name))
    return "\n".join(header(path) for path in paths)
