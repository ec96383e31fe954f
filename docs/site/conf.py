# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How Sphinx makes the site (tools/docs.sh). Its source folder is the repository's root, so
links between Markdown files mean what they mean on a git host."""

import html
import re
from pathlib import Path
from urllib.parse import unquote

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.matching import patfilter

project = html_title = "Graupel"
root_doc = "docs/site/index"
extensions = ["myst_parser"]
include_patterns = ["**.md", "**.1"]
exclude_patterns = [
    # Of a build, only the pages of the manual.
    "build-*", "build/[!s]*", "build/s[!h]*", "build/share/[!m]*",
    ".*",
    # A part of docs/results/programs.md, which test/programs/table.py writes.
    "test/programs/notes.md",
]
# As git hosts read Markdown.
smartquotes = False
highlight_language = "none"
myst_heading_anchors = 6
myst_disable_syntax = ["myst_block_break", "myst_line_comment", "myst_role", "myst_target"]

html_theme = "furo"
html_static_path = ["static", "../../build/docs-env/static"]
html_css_files = ["site.css"]
html_extra_path = ["index.html"]
html_copy_source = html_use_index = html_show_copyright = False

logger = logging.getLogger(__name__)
linked = set()  # the files and folders that are no pages of their own, but that pages link to


def complete_toctrees(app, docname, source):
    """The index is without patterns that no page matches, like those for a build's pages. Another
    README stands above those of the folders in it, but for docs/, which the index lists."""
    pages = sorted(app.env.found_docs)
    if docname == root_doc:
        source[0] = re.sub(r"^/(.*\*.*)\n", lambda m: m[0] if patfilter(pages, m[1]) else "", source[0],
                           flags=re.M)
    elif re.fullmatch(r"(?!docs/).+/README", docname):
        below = "\n".join(f"/{page}" for page in pages if parent(page, pages) == docname)
        source[0] += f"\n\n```{{toctree}}\n:hidden:\n\n{below}\n```\n" * bool(below)


def parent(page, pages):
    """The README next above a folder's, if there is one."""
    if page.endswith("/README"):
        for folder in Path(page).parent.parents:
            if f"{folder}/README" in pages:
                return f"{folder}/README"
    return None


class LinksToFiles(SphinxTransform):
    """Links to files and folders that are not pages: to a page made for them, or to a folder's
    README, which MyST leads them to as it does links to pages."""
    default_priority = 870  # before MyST looks for anchors of the page itself

    def apply(self):
        for kind in (addnodes.pending_xref, addnodes.download_reference):
            for link in list(self.document.findall(kind)):
                if link["reftype"] == "myst" and link["refdomain"] != "doc":
                    self.adapt(link)

    def adapt(self, link):
        root = Path(self.app.srcdir)
        target, _, anchor = unquote(link["reftarget"]).partition("#")
        path = (root / self.env.doc2path(self.env.docname)).parent.joinpath(target).resolve()
        name = path.relative_to(root).as_posix() if path.is_relative_to(root) else ""
        readme = Path(name, "README").as_posix()
        if not name or name.startswith("build") or not path.exists():
            logger.warning("dead link: %s", link["reftarget"], location=link)
            link.replace_self(link.children)
        elif readme in self.env.found_docs:
            link.attributes.update(refdomain="doc", reftarget=readme, reftargetid=anchor)
        else:
            linked.add(name)
            uri = self.app.builder.get_relative_uri(self.env.docname, f"source/{name}")
            link.replace_self(nodes.reference("", "", *link.children, refuri=uri, internal=True))


def find_dead_anchors(app, doctree):
    """MyST would look for them in other pages, too."""
    for link in list(doctree.findall(addnodes.pending_xref)):
        if link["reftype"] == "myst" and link["refdomain"] != "doc":
            logger.warning("dead link: #%s", link["reftarget"], location=link)
            link.replace_self(link.children)


def mark_pictures(app, doctree):
    for block in list(doctree.findall(nodes.literal_block)):
        if block.get("language") == "mermaid":
            text = f'<pre class="mermaid">{html.escape(block.astext())}</pre>'
            block.replace_self(nodes.raw("", text, format="html"))


def source_pages(app):
    for name in sorted(linked):
        path = Path(app.srcdir, name)
        if path.is_dir():
            entries = sorted(p.name + "/" * p.is_dir() for p in path.iterdir())
            body = "<ul>" + "".join(f"<li>{html.escape(e)}</li>" for e in entries) + "</ul>"
        else:
            try:
                lexer = get_lexer_for_filename(name)
            except ClassNotFound:
                lexer = TextLexer()
            body = highlight(path.read_text(errors="replace"), lexer, HtmlFormatter())
        title = html.escape(name)
        yield f"source/{name}", {"title": title, "body": f"<h1>{title}</h1>{body}"}, "page.html"


def add_mermaid(app, pagename, templatename, context, doctree):
    if '<pre class="mermaid">' in context.get("body", ""):
        app.add_js_file("mermaid.min.js")
        app.add_js_file("pictures.js")


class ManParser(MystParser):
    """Pages of the manual, turned into Markdown: the few macros that this project's have."""
    supported = ("man",)

    def parse(self, inputstring, document):
        self.pages = {Path(page).name: page for page in document.settings.env.found_docs}
        self.lines, self.is_tag = [], False
        for line in inputstring.replace("\\-", "-").splitlines():
            self.add(line)
        super().parse("\n".join(self.lines), document)

    def add(self, line):
        macro, text = re.match(r"(\.\S+ ?)?(.*)", line).groups(default="")
        match macro.strip():
            case ".TH":
                self.lines.append(f"# {text.split()[0].lower()}(1)")
            case ".SH":
                self.lines += ["", f"## {text.capitalize()}", ""]
            case ".PP" | ".RS" | ".RE":
                self.lines.append("")
            case ".TP":
                self.is_tag = True
            case ".br":
                self.lines[-1] += "\\"
            case ".B" | ".I":
                self.add_text(f"`{text}`")
            case ".BR" | ".IR":
                words = [quoted or word for quoted, word in re.findall(r'"([^"]+)"?|(\S+)', text)]
                words[::2] = [re.sub(r"\S+", r"`\g<0>`", word) for word in words[::2]]
                name = words[0].strip("`")
                if text.startswith(f"{name} (") and name in self.pages:
                    words[0] = f"[{words[0]}](/{self.pages[name]}.1)"
                self.add_text("".join(words))
            case "":
                self.add_text(re.sub(r"(`[^`]*`)|([<\[*_])", lambda m: m[1] or "\\" + m[2], text))

    def add_text(self, text):
        self.lines.append(f"* {text}\\" if self.is_tag else text)
        self.is_tag = False


def setup(app):
    app.add_source_suffix(".1", "man")
    app.add_source_parser(ManParser)
    app.connect("source-read", complete_toctrees)
    app.add_transform(LinksToFiles)
    app.connect("doctree-read", find_dead_anchors)
    app.connect("doctree-read", mark_pictures)
    app.connect("html-collect-pages", source_pages)
    app.connect("html-page-context", add_mermaid)
