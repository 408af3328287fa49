"""The Python interface as Markdown, from the docstrings of the package.

    PYTHONPATH=build/release/python python3 tools/site/api_python.py
"""
import inspect
import re
import textwrap


def escape(text):
    text = re.sub(r":(?:func|class|meth):`(\w+)`", r"`\1`", text)
    parts = re.split(r"(``?[^`]+``?)", text)
    return "".join(part if k % 2 else re.sub(r"([\\*_<>\[\]|#])", r"\\\1", part)
                   for k, part in enumerate(parts))


def prose(doc):
    """Paragraphs; lines such as `chains: how many` become a list."""
    out = []
    for line in inspect.cleandoc(doc or "").split("\n"):
        argument = re.match(r"(\*{0,2}\w+(?:, \w+)*): (.*)", line)
        if argument:
            if out and out[-1] and not out[-1].startswith(("- ", "  ")):
                out.append("")
            out.append(f"- `{argument[1]}`: {escape(argument[2])}")
        elif line.startswith("    ") and out and out[-1].strip():
            out.append("  " + escape(line.strip()))
        else:
            out.append(escape(line))
    return "\n".join(out)


def signature(thing):
    try:
        text = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return "(...)"
    text = re.sub(r"'([^']*)'", r"\1", text.replace("(self, ", "("))
    return text.replace("(self)", "()")


def head(name, thing):
    """A call with its arguments, in lines that fit a page."""
    lines = textwrap.wrap(name + signature(thing), 76, break_on_hyphens=False,
                          subsequent_indent="    ")
    return "\n".join(lines)


def members(kind):
    """Public methods and properties that have docstrings, in order."""
    for name, thing in vars(kind).items():
        if not name.startswith("_") and inspect.getdoc(thing):
            yield name, thing


def describe(name, thing):
    out = [f"### {name}", ""]
    if inspect.isclass(thing) and not issubclass(thing, BaseException):
        out += [prose(thing.__doc__), ""]
        for member, what in members(thing):
            is_call = inspect.isfunction(what)
            title = f"{name}.{member}"
            out += ["```text", head(title, what) if is_call else title, "```",
                    "", prose(inspect.getdoc(what)), ""]
    elif callable(thing) and not inspect.isclass(thing):
        out += ["```text", head(name, thing), "```", "",
                prose(thing.__doc__), ""]
    else:
        out += [prose(thing.__doc__), ""]
    return "\n".join(out)


def page():
    import hiss

    samplers = set(hiss.samplers.__all__)
    parts = {"Functions": [], "Results": [], "Samplers": [], "Errors": []}
    for name in sorted([*hiss.__all__, "open"], key=str.lower):
        thing = getattr(hiss, name)
        if inspect.isclass(thing) and issubclass(thing, BaseException):
            where = "Errors"
        elif name in samplers:
            where = "Samplers"
        else:
            where = "Results" if inspect.isclass(thing) else "Functions"
        parts[where].append(describe(name, thing))
    return "\n".join(f"## {title}\n\n" + "\n".join(text)
                     for title, text in parts.items())


if __name__ == "__main__":
    print(page())
