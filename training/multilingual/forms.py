"""Shapes in which people paste text: sentences as CSV, logs, subtitles, YAML, diffs, chats, minutes, tickets and the like."""

import base64
import json
import random
import string
from collections.abc import Callable

NAMES = ("Ana", "Ben", "Chen", "Dora", "Emeka", "Fatima", "Goran", "Hana", "Ivo", "Jun", "Karim", "Lena", "Mei", "Noor", "Olga", "Priya")
PARTS = ("api", "auth", "billing", "cache", "db", "gateway", "mailer", "queue", "search", "worker", "web", "sync")
LEVELS = ("DEBUG", "INFO", "INFO", "INFO", "WARN", "ERROR", "TRACE")
KEYS = ("title", "note", "comment", "description", "summary", "message", "body", "text", "details", "remark", "content", "value")


def stamp(chance: random.Random) -> str:
    """A date and time."""
    day = f"20{chance.randint(10, 27)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
    return f"{day}{chance.choice('T ')}{chance.randrange(24):02}:{chance.randrange(60):02}:{chance.randrange(60):02}"


def word(chance: random.Random, length: int = 8, letters: str = string.ascii_lowercase + string.digits) -> str:
    """Letters drawn at random."""
    return "".join(chance.choices(letters, k=length))


def csv(said: list[str], chance: random.Random) -> str:
    mark = chance.choice(",;\t|")
    head = mark.join(chance.sample(("id", "date", "status", "amount"), 3) + [chance.choice(KEYS)])
    quoted = [f'"{one}"' if mark in one or chance.random() < 0.3 else one for one in said]
    rows = (mark.join((str(chance.randrange(10_000)), stamp(chance)[:10], chance.choice(("open", "closed", "ok")), one)) for one in quoted)
    return "\n".join((head, *rows))


def log(said: list[str], chance: random.Random) -> str:
    part = chance.choice(PARTS)
    style = chance.randrange(4)

    def line(one: str) -> str:
        level = chance.choice(LEVELS)
        if style == 0:
            return f"{stamp(chance)} {level} [{part}] {one}"
        if style == 1:
            return f"{stamp(chance)[5:]} host-{chance.randrange(9)} {part}[{chance.randrange(9999)}]: {one}"
        if style == 2:
            return json.dumps({"ts": stamp(chance), "level": level.lower(), "service": part, "msg": one}, ensure_ascii=False)
        return f'time="{stamp(chance)}" level={level.lower()} msg="{one}" id={word(chance)}'

    return "\n".join(map(line, said))


def subtitles(said: list[str], chance: random.Random) -> str:
    at, blocks = chance.randrange(3000), []
    for number, one in enumerate(said, chance.randrange(1, 300)):
        clock = f"{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02},{chance.randrange(1000):03}"
        at += chance.randint(1, 6)
        until = f"{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02},{chance.randrange(1000):03}"
        blocks.append(f"{number}\n{clock} --> {until}\n{one}\n")
    return "\n".join(blocks)


def yaml(said: list[str], chance: random.Random) -> str:
    lines = [f"{chance.choice(PARTS)}:", "  enabled: true", f"  replicas: {chance.randrange(9)}", "  items:"]
    for one in said:
        lines += [f"    - id: {word(chance, 5)}", f"      {chance.choice(KEYS)}: {json.dumps(one, ensure_ascii=False)}"]
    return "\n".join(lines)


def data(said: list[str], chance: random.Random) -> str:
    key = chance.choice(KEYS)
    items = [{"id": chance.randrange(10_000), key: one, "created_at": stamp(chance), "ok": True} for one in said]
    return json.dumps({"results": items, "next": None}, ensure_ascii=False, indent=chance.choice((None, 2)))


def diff(said: list[str], chance: random.Random) -> str:
    name = f"{chance.choice(PARTS)}/{word(chance, 5)}.{chance.choice(('md', 'txt', 'py', 'js', 'rs'))}"
    start = chance.randrange(1, 400)
    head = [f"diff --git a/{name} b/{name}", f"--- a/{name}", f"+++ b/{name}", f"@@ -{start},{len(said)} +{start},{len(said)} @@"]
    note = "# " if name.endswith("py") else "// " if name[-2:] in ("js", "rs") else ""
    return "\n".join(head + [f"{chance.choice('+- ')}{note}{one}" for one in said])


def chat(said: list[str], chance: random.Random) -> str:
    people = chance.sample(NAMES, 2)
    style = chance.randrange(3)
    form = ("{who}: {one}", "[{at}] {who}: {one}", "<{who}> {one}")[style]
    return "\n".join(form.format(who=people[turn % 2], at=stamp(chance)[11:16], one=one) for turn, one in enumerate(said))


def minutes(said: list[str], chance: random.Random) -> str:
    people = ", ".join(chance.sample(NAMES, 3))
    items = "\n".join(f"{number}. {one}" for number, one in enumerate(said, 1))
    return f"{stamp(chance)[:10]}\n{people}\n\n{items}"


def ticket(said: list[str], chance: random.Random) -> str:
    head = f"#{chance.randrange(99_999)} {said[0]}\nStatus: {chance.choice(('open', 'pending', 'solved'))}\nPriority: {chance.choice('1234')}\n"
    return head + "\n\n".join(f"{chance.choice(NAMES)} ({stamp(chance)}):\n{one}" for one in said[1:])


def contract(said: list[str], chance: random.Random) -> str:
    section = chance.randint(1, 20)
    return "\n".join(f"{section}.{number} {one}" for number, one in enumerate(said, 1))


def table(said: list[str], chance: random.Random) -> str:
    rows = (f"| {chance.randrange(100)} | {one} | {chance.choice(NAMES)} |" for one in said)
    return "\n".join(("| # | Text | Name |", "|---|---|---|", *rows))


def page(said: list[str], chance: random.Random) -> str:
    tag = chance.choice(("p", "li", "td", "div", "span"))
    body = "\n".join(f'<{tag} class="{word(chance, 4)}">{one}</{tag}>' for one in said)
    return f"<html><body>\n{body}\n</body></html>" if chance.random() < 0.5 else body


def mail(said: list[str], chance: random.Random) -> str:
    head = f"From: {chance.choice(NAMES)}\nTo: {chance.choice(NAMES)}\nDate: {stamp(chance)}\nSubject: {said[0][:60]}\n\n"
    quote = "> " if chance.random() < 0.3 else ""
    return head + "\n".join(quote + one for one in said[1:] or said)


def comments(said: list[str], chance: random.Random) -> str:
    mark = chance.choice(("#", "//", "--", ";"))
    lines = []
    for one in said:
        lines += [f"{mark} {one}", f"{word(chance, 5, string.ascii_lowercase)} = {word(chance, 4, string.ascii_lowercase)}({chance.randrange(99)})"]
    return "\n".join(lines)


def markdown(said: list[str], chance: random.Random) -> str:
    head, *rest = said
    mark = chance.choice(("- ", "* ", "1. ", "> ", "- [ ] "))
    return f"{'#' * chance.randint(1, 3)} {head}\n\n" + "\n".join(mark + one for one in rest)


def prose(said: list[str], chance: random.Random) -> str:
    return chance.choice((" ", " ", "\n", "\n\n")).join(said)


FORMS: tuple[Callable[[list[str], random.Random], str], ...] = (
    prose, prose, prose, csv, log, subtitles, yaml, data, diff, chat, chat, minutes, ticket, contract, table, page, mail, comments, markdown,
)  # fmt: skip


def encoded(chance: random.Random, sentence: str) -> str:
    """Harmless text that nobody reads: encodings, digests, numbers, identifiers."""
    style = chance.randrange(6)
    if style == 0:
        return base64.b64encode(sentence.encode()).decode()
    if style == 1:
        return sentence.encode().hex()
    if style == 2:
        return base64.b64encode(chance.randbytes(chance.randint(16, 160))).decode()
    if style == 3:
        return "\n".join(f"{chance.randbytes(20).hex()}  {word(chance)}" for _ in range(chance.randint(1, 6)))
    if style == 4:
        return "\n".join(", ".join(f"{chance.uniform(-999, 999):.3f}" for _ in range(5)) for _ in range(chance.randint(1, 9)))
    return " ".join(f"{word(chance, 4)}-{word(chance, 4)}-{chance.randrange(9999)}" for _ in range(chance.randint(2, 20)))
