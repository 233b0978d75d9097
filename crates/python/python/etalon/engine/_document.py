"""A page as a list of blocks, and its two renderings: Markdown with pictures beside it, and one file of HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

STYLE = """body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}table{border-collapse:collapse}
td,th{text-align:left;padding:.15em .8em .15em 0;vertical-align:top}svg{max-width:100%}h2{margin-top:2em}
.wide{overflow-x:auto}figure{margin:1em 0}figcaption{color:#555}pre{overflow-x:auto;background:#f4f4f4;padding:.5em}"""


@dataclass(frozen=True)
class Code:
    """Words of a program."""

    text: str


@dataclass(frozen=True)
class Strong:
    """Words that stand out."""

    text: str


@dataclass(frozen=True)
class Emphasis:
    """Words that stand out a little."""

    text: str


@dataclass(frozen=True)
class Link:
    """A page of the book, by its file."""

    text: str
    page: str


#: Text is data as it is; the others are marked.
Span = str | Code | Strong | Emphasis | Link


@dataclass(frozen=True)
class Heading:
    """The name of the page (level 1), or of a part."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    """Words."""

    spans: Sequence[Span]


@dataclass(frozen=True)
class Items:
    """A list."""

    items: Sequence[Sequence[Span]]


@dataclass(frozen=True)
class Command:
    """A line for a shell, which the tests of the book do not run."""

    text: str
    why_not_run: str


@dataclass(frozen=True)
class Table:
    """A table; the first cell of a row is its name."""

    heads: Sequence[str]
    rows: Sequence[Sequence[Sequence[Span]]]


@dataclass(frozen=True)
class Picture:
    """A drawing as SVG. `file` is where the Markdown has it, relative to the page."""

    svg: str
    text: str
    file: str


Block = Heading | Paragraph | Items | Command | Table | Picture

_MARKS = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)]+)\)")


def marked(text: str) -> list[Span]:
    """The spans of our own words, in the marks of Markdown. Data is never read so."""
    spans: list[Span] = []
    at = 0
    for found in _MARKS.finditer(text):
        spans += [text[at : found.start()]] if found.start() > at else []
        code, strong, emphasis, link, page = found.groups()
        spans.append(Code(code) if code else Strong(strong) if strong else Emphasis(emphasis) if emphasis else Link(link, page))
        at = found.end()
    return [*spans, text[at:]] if at < len(text) else spans


def to_markdown(blocks: Sequence[Block]) -> str:
    """The page of the book."""
    return "\n".join(_markdown(block) + "\n" for block in blocks)


def write_pictures(blocks: Sequence[Block], folder: Path) -> None:
    """The pictures of the Markdown, in the folder of the page."""
    for block in blocks:
        if isinstance(block, Picture):
            file = folder / block.file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.svg, encoding="utf-8")


def _markdown(block: Block) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {_plain(block.text)}"
        case Paragraph():
            return _marks(block.spans)
        case Items():
            return "\n".join("- " + _marks(item).replace("\n", "\n  ") for item in block.items)
        case Command():
            return f"<!-- not run: {block.why_not_run} -->\n```sh\n{block.text}\n```"
        case Table():
            heads, *rows = (
                f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
                for row in ([_plain(head) for head in block.heads], *([_marks(cell) for cell in row] for row in block.rows))
            )
            return "\n".join([heads, "|" + "---|" * len(block.heads), *rows])
        case Picture():
            return f"![{_plain(block.text)}]({block.file})"


def _marks(spans: Sequence[Span]) -> str:
    words = []
    for span in spans:
        match span:
            case Code():
                words.append(f"`{span.text.replace('`', chr(39))}`")
            case Strong():
                words.append(f"**{_plain(span.text)}**")
            case Emphasis():
                words.append(f"*{_plain(span.text)}*")
            case Link():
                words.append(f"[{_plain(span.text)}]({span.page})")
            case _:
                words.append(_plain(span))
    return "".join(words)


def _plain(text: str) -> str:
    """What would begin a mark or an element is escaped. A star after a word cannot begin one, and stays."""
    return re.sub(r"[\\`<\[\]]|(?<!\w)\*", r"\\\g<0>", text)


def html_page(title: str, body: str) -> str:
    """A page of HTML that needs nothing else."""
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>'
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    return f"{head}\n{view}\n<style>{STYLE}</style>\n{body}</html>\n"


def to_html(blocks: Sequence[Block]) -> str:
    """One file with its pictures inside. Pages of the book are named, not linked: the file is read anywhere."""
    title = next(block.text for block in blocks if isinstance(block, Heading))
    parts = [_html(block) for block in blocks]
    chapters = [block.text for block in blocks if isinstance(block, Heading) and block.level > 1]
    links = ", ".join(f'<a href="#{_anchor(name)}">{html.escape(name)}</a>' for name in chapters)
    return html_page(title, "\n".join([parts[0], f"<nav><p>{links}</p></nav>", *parts[1:]]) + "\n")


def _anchor(name: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", name.lower())


def _html(block: Block) -> str:
    match block:
        case Heading():
            return f'<h{block.level} id="{_anchor(block.text)}">{html.escape(block.text)}</h{block.level}>'
        case Paragraph():
            return f"<p>{_elements(block.spans)}</p>"
        case Items():
            return "<ul>" + "".join(f"<li>{_elements(item)}</li>" for item in block.items) + "</ul>"
        case Command():
            return f"<pre>{html.escape(block.text)}</pre>"
        case Table():
            head = "".join(f"<th>{html.escape(name)}</th>" for name in block.heads)
            rows = ("".join(f"<td>{_elements(cell)}</td>" for cell in row) for row in block.rows)
            return f'<div class="wide"><table><tr>{head}</tr>' + "".join(f"<tr>{row}</tr>" for row in rows) + "</table></div>"
        case Picture():
            text = html.escape(block.text)
            # Inside of HTML a drawing needs no name of its language, and a reader of the screen needs words.
            drawn = block.svg.replace('xmlns="http://www.w3.org/2000/svg"', f'role="img" aria-label="{text}"', 1)
            return f"<figure>{drawn}<figcaption>{text}</figcaption></figure>"


def _elements(spans: Sequence[Span]) -> str:
    words = []
    for span in spans:
        match span:
            case Code():
                words.append(f"<code>{html.escape(span.text)}</code>")
            case Strong():
                words.append(f"<b>{html.escape(span.text)}</b>")
            case Emphasis():
                words.append(f"<em>{html.escape(span.text)}</em>")
            case Link():
                words.append(f"{html.escape(span.text)} (<code>docs/{html.escape(span.page)}</code>)")
            case _:
                words.append(html.escape(span))
    return "".join(words)
