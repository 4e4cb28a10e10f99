"""Harmless passages from what is installed on the machine: documentation, manual pages, translations, source code, data files.

Their licences are listed in README.md. Which passages are drawn depends on the seed and on the installed files alone.
"""

import gettext
import gzip
import html
import random
import re
import struct
import sysconfig
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from labels import ALIASES, LANGUAGES, UNKNOWN, language

UND = LANGUAGES.index("und")
LARGEST = 200_000
"""Bytes of a file at most."""
MOST_FILES = 6_000
"""Files of a kind at most."""
MARKUP = re.compile(r"<(script|style)\b.*?</\1>|<[^>]+>", re.DOTALL)
ROFF = re.compile(r"^[.'].{0,3}\s?|\\f[A-Z]|\\f\[[A-Z]*\]|\\s[+-]?\d|\\&", re.MULTILINE)


@dataclass(frozen=True)
class Kind:
    """Files of one kind, and how much of the draw they are."""

    name: str
    share: float
    root: str
    globs: tuple[str, ...]
    lang: str | None = None
    """The language of its texts; None where it is not known."""


KINDS = (
    Kind("documentation", 3, "/usr/share/doc", ("**/README*", "**/*.txt", "**/*.txt.gz", "**/*.md", "**/*.rst", "**/*.gz")),
    Kind("licences", 0.5, "/usr/share/doc", ("*/copyright",), "en"),
    Kind("manual", 1.5, "/usr/share/man", ("man[1-8]/*.gz",), "en"),
    Kind("web pages", 1, "/usr/share/doc", ("**/*.html",)),
    Kind("web pages of Rust", 0.5, "~/.rustup", ("toolchains/*/share/doc/**/*.html",), "en"),
    Kind("Python", 1, sysconfig.get_path("stdlib"), ("**/*.py",)),
    Kind("Perl", 0.7, "/usr/share/perl", ("**/*.pm", "**/*.pod", "**/*.pl")),
    Kind("Rust", 1, "~/.cargo/registry/src", ("*/*/src/**/*.rs", "*/*/tests/*.rs")),
    Kind("crates", 0.7, "~/.cargo/registry/src", ("*/*/*.md", "*/*/Cargo.toml")),
    Kind("C", 0.4, "/usr/include", ("**/*.h",)),
    Kind("shell", 0.4, "/usr/share", ("bash-completion/completions/*", "**/*.sh")),
    Kind("data", 1.2, "/usr/share", ("**/*.json", "**/*.xml", "**/*.yaml", "**/*.yml", "**/*.csv", "**/*.conf", "**/*.css")),
    Kind("crate data", 0.8, "~/.cargo/registry/src", ("*/*/**/*.json", "*/*/**/*.yml", "*/*/**/*.yaml", "*/*/**/*.csv")),
    Kind("patches", 0.4, "/usr", ("share/**/*.patch", "share/**/*.diff", "local/**/*.patch", "lib/**/*.patch")),
    Kind("translated manual", 2, "/usr/share/man", ("[a-z][a-z]/man*/*.gz", "[a-z][a-z]_*/man*/*.gz")),
    Kind("translations", 2, "/usr/share/locale", ("*/LC_MESSAGES/*.mo",)),
    Kind("editor tutorials", 0.2, "/usr/share/vim", ("vim*/tutor/*", "vim*/doc/*.txt")),
)


@lru_cache
def files(kind: Kind) -> list[Path]:
    """The files of a kind, in a fixed order."""
    root = Path(kind.root).expanduser()
    if not root.is_dir():
        return []
    found = sorted({path for glob in kind.globs for path in root.glob(glob)})
    found = found if len(found) <= MOST_FILES * 2 else random.Random(kind.name).sample(found, MOST_FILES * 2)
    return [path for path in found if path.is_file() and path.stat().st_size < LARGEST][:MOST_FILES]


@lru_cache
def by_language(kind: Kind) -> list[list[Path]]:
    """The files of a kind in groups, one for each language."""
    groups: dict[int, list[Path]] = {}
    for path in files(kind):
        groups.setdefault(code_of(path, kind), []).append(path)
    return list(groups.values())


@lru_cache(maxsize=512)
def text_of(path: Path) -> str:
    """The readable text of a file, empty where there is none."""
    if path.suffix == ".mo":
        return "\n".join(messages(path))
    data = path.read_bytes()
    if path.suffix == ".gz":
        try:
            data = gzip.decompress(data)
        except OSError:
            return ""
    text = data.decode("utf-8", errors="replace")
    if "\0" in text[:2000] or text.count("\ufffd") > 20:
        return ""
    if path.suffix == ".html":
        text = re.sub(r"\s*\n\s*", "\n", html.unescape(MARKUP.sub(" ", text)))
    return ROFF.sub("", text) if "/man/" in str(path) else text


def messages(path: Path) -> list[str]:
    """The translated messages of a catalogue."""
    try:
        with path.open("rb") as file:
            catalogue = gettext.GNUTranslations(file)._catalog  # noqa: SLF001 (there is no public way to list them)
    except (OSError, ValueError, IndexError, struct.error):
        return []
    pairs = ((key, value) for key, value in catalogue.items() if key and isinstance(value, str))
    return [value for key, value in pairs if value.strip() and value != (key[0] if isinstance(key, tuple) else key)]


def code_of(path: Path, kind: Kind) -> int:
    """The language of a file."""
    if kind.lang:
        return language(kind.lang)
    if kind.name in ("translations", "translated manual"):
        folder = path.relative_to(kind.root).parts[0].split("@")[0]
        short = ALIASES.get(folder, folder.split("_")[0])
        if "@" in path.relative_to(kind.root).parts[0]:
            return UNKNOWN
        known = language(short)
        return UND if known == UNKNOWN else known
    return UNKNOWN


def drawn(chance: random.Random, longest: int) -> tuple[str, int]:
    """A passage of at most `longest` characters and its language, from a kind drawn by its share."""
    while True:
        kind = chance.choices(KINDS, [kind.share for kind in KINDS])[0]
        if not files(kind):
            continue
        path = chance.choice(chance.choice(by_language(kind)))
        text = text_of(path)
        length = chance.randint(min(60, longest), longest)
        start = chance.randrange(max(1, len(text) - length // 2))
        passage = text[start : start + length]
        # Half of the passages begin where a line does, the others anywhere.
        if start and chance.random() < 0.5:
            passage = passage.partition("\n")[2]
        if len(passage.strip()) >= 20:
            return passage.strip("\n"), code_of(path, kind)
