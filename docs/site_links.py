"""A hook of MkDocs: replaces links to folders, and to files outside docs/, by their paths.

The site has neither. A link to what does not exist stays, and fails a strict build.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[1]
_DOCS = _ROOT / "docs"
_LINK = re.compile(r"\[([^\]]*)\]\((\.\./[^)#\s]*)(#[^)\s]*)?\)")


def on_page_markdown(markdown: str, *, page: Any, **_unused: Any) -> str:
    folder = (_DOCS / page.file.src_uri).parent

    def path_in_tree(link: re.Match[str]) -> str:
        target = (folder / link[2]).resolve()
        in_site = target.is_relative_to(_DOCS) and not target.is_dir()
        if in_site or not target.exists():
            return link[0]
        path = f"`{target.relative_to(_ROOT)}`"
        return path if link[1].strip("`") == path.strip("`") else f"{link[1]} ({path})"

    return _LINK.sub(path_in_tree, markdown)
