"""Words of messages: the field's terms, American spelling and correct plurals in pages, mails, commands and the API.

Messages are the msgids of both catalogs, what templates say, and the literals of modules whose texts are English alone.
The texts of built-in protocols are exempt from the terms, because projects have pinned them byte for byte.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tests.conftest import CODE

LOCALE = CODE / "locale/es/LC_MESSAGES"
PINNED = re.compile(r"annotation/protocols/builtin/(earlier/)?[^/]+\.toml")

REPLACEMENTS = {
    r"\b(gives?|gave|given) (it|this|the response|this response|something|work) back\b": "return to the queue",
    r"\b(response|match|passage) before\b": "previous response, match, passage",
    r"\bby (itself|themselves)\b": "automatically",
    r"\bstill open\b": "unanswered",
    r"\ball the same\b": "anyway",
    r"\bcomes? back\b": "flag for later, flagged",
    r"\bpile\b": "flagged",
    r"\b(takes?|taken|taking) back\b": "cleared, revoked",
    r"\bcut (it|this|anew|by hand)\b": "edit sentence boundaries",
    r"\b(this|wrong) split\b": "sentence-boundary error",
    r"\banew\b": "again",
    r"\bgo(es|ing)? on\b": "continue",
    r"\bwork(s|ed|ing)? out\b": "compute",
    r"\bmeanwhile\b": "in the meantime",
    r"\b(some|any|every)(body|one)\b|\bnobody\b|\bwhoever\b": "name the role: a rater, another person, an admin",
    r"\blit\b": "highlighted, current",
    r"\bjust now\b|\bat this moment\b": "now",
    r"\b(all|no|another) (tries|try)\b|\btries of\b": "attempt",
    r"\blet \S+ in\b": "waive qualification",
    r"\b(began|begun|begin|begins|beginnings?)\b": "start, first words",
    r"\bfor good\b": "permanently",
    r"\bany ?more\b": "no longer",
    r"\btak(e|en) (it )?out\b": "remove",
    r"\btak(e|en|es) (it )?up again\b": "continue, unarchive",
    r"\bload (a|the|some) (data|response)|\bloaded from\b": "import",
    r"\bthat is there\b": "existing",
    r"\ba reading\b|\breadings of\b": "annotation",
    r"\bone a (line|row)\b|\ba line each\b": "one per line",
    r"\b(one in )?so many (prompts|raters|responses)\b|\bone in so many\b": "number of",
    r"\bleft out\b|\bleav(e|es|ing) (\w+ ){0,2}out\b": "excluded, omit",
    r"\bstart page\b": "home page",
    r"\bgot it\b": "the action: close hint",
    r"\breleas(e|es|ed) (it|the lease|your leases)\b|\bleases? \w+ released\b": "return to the queue, end",
    r"\bopen (the )?account\b|\baccount can be opened\b": "reopen",
    r"\band the like\b": "such as",
    r"\btakes a moment\b|\bnot there\b|\bmeant to\b|\bsurvives?\b": "what happens, literally",
    r": right\.|\bright on\b": "correct",
    r"\bstands? on\b": "depend on",
    r"\bcompare two$|\bpeople of the project\b": "two reports, members",
    r"\b(how far it is|how sure)\b": "progress, precision",
    r"\bat work\b": "active",
    r"\bwithout a network\b": "offline",
    r"\bwhat chance draws\b": "sampling unit (cluster)",
    r"\bdrawn toward\b": "shrunk toward",
    r"\bwhat is meant\b": "more about this question",
    r"\beach takes you\b": "median time per sentence",
    r"\blook again\b": "check for new work, check again",
    r"\btake (it|them) home\b|\btaken home\b": "export",
    r"\bwritten to the letter\b|\bto the letter\b": "exact",
    r"\bheard of\b": "respond",
    r"\bstands? (there|here|under|beside)\b": "is, has",
    r"\b(decide|decides|decided|decision|decisions)\b": "adjudicate, adjudication",
    r"\be-mails?\b|\bmails?\b": "email",
    r"\bwhite space\b": "whitespace",
    r"\bbreaks? down over\b|\bbroke down\b": "failed",
}
"""Words that pages and messages have given up, as patterns, with what they say instead."""

BRITISH = {
    r"\b(col|neighb|behavi|fav|hon|lab|rum|hum)our": "-or",
    r"\b(tokeni|recogni|summari|organi|optimi|normali|locali|randomi)s(e|ed|es|ing|er|ation)\b": "-z-",
    r"\b(standardi|capitali|generali)s(e|ed|es|ing|ation)\b": "-z-",
    r"\banalys(e|ed|er|ing)\b": "analyze",
    r"\b(cancel|label|model|travel|signal)l(ed|ing)\b": "one l",
    r"\blicence\b": "license",
    r"\bcentre\b": "center",
    r"\bcatalogue\b": "catalog",
    r"\bgrey\b": "gray",
    r"\bwhilst\b|\bamongst\b": "while, among",
    r"\bjudgement": "judgment",
    r"\bfulfil\b": "fulfill",
    r"\bper cent\b": "percent",
    r"\bprogramme\b": "program",
}
"""British spellings, with the American ones."""

COUNTED = (
    "analyses|annotations|assignments|attempts|cells|claims|comments|documents|facts|items|leases|links|minutes|pairs"
    "|passages|people|prompts|projects|questions|raters|ratings|records|reports|responses|rows|seconds|sentences|slots|tests"
)
PLURAL = re.compile(rf"(?P<before>^|\S+\s)%\((?P<name>\w+)\)s (?:more |finished |new )?(?:{COUNTED})\b")
"""A number before a plural noun: right for one only if the message has both forms."""
MANY = ("all", "and", "below", "first", "last", "least", "most", "of", "than", "the", "these", "to")
"""After these words the number is a limit, a total or above one."""
ABOVE_ONE = (
    "%(documents)s with %(prompts)s prompts each",
    "%(found)s prompts have the text %(named)s; use the prompt's id",
    "One in %(gold_every)s responses",
    "With %(clusters)s, no p below %(p)s is possible after adjusting for %(pairs)s pairs, whatever the difference.",
    "Closest match to the published evaluation: %(prompts)s prompts about %(documents)s articles, with "
    "%(mean_tokens)s tokens on average.",
)
"""Messages whose number is never one."""


@dataclass(frozen=True)
class Message:
    """A text that people read, and where it is written. `has_plural`: whether it has a form for one and for many."""

    text: str
    source: str
    has_plural: bool = False
    is_pinned: bool = False


def problems_of(message: Message) -> list[str]:
    """Return what is wrong with the words of a message, a line each."""
    rules = BRITISH if message.is_pinned else REPLACEMENTS | BRITISH
    text = re.sub(r"%\(\w+\)s", "", message.text)
    found = [(match[0], instead) for rule, instead in rules.items() if (match := re.search(rule, text, re.I))]
    is_safe = message.has_plural or message.text in ABOVE_ONE
    plurals = [] if is_safe else [match for match in PLURAL.finditer(message.text) if not _is_many(match)]
    found += [(match[0].strip(), "ngettext") for match in plurals]
    return [f"{message.source}: “{message.text}”: {words!r} → {instead}" for words, instead in found]


def _is_many(match: re.Match[str]) -> bool:
    return match["before"].strip(" (,;").lower() in MANY


def catalog_messages(domain: str) -> Iterator[Message]:
    with (LOCALE / f"{domain}.po").open("rb") as file:
        for entry in read_po(file):
            texts = entry.id if isinstance(entry.id, tuple) else (entry.id,)
            files = [name for name, _ in entry.locations]
            pinned = bool(files) and all(PINNED.fullmatch(name) for name in files)
            for text in filter(None, texts):
                yield Message(text, files[0] if files else domain, len(texts) > 1, pinned)


def literals(path: Path) -> Iterator[Message]:
    """Return the texts of a module that has messages outside the catalogs. Docstrings are not shown to anybody."""
    tree = ast.parse(path.read_text())
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
        if is_text and id(node) not in docstrings:
            # Both forms of a message stand in a condition, so that a fixed plural cannot be told apart here.
            yield Message(node.value, f"{path.relative_to(CODE)}:{node.lineno}", has_plural=True)


def texts_of(template: Path) -> Iterator[Message]:
    """Return the texts of a template, block by block, and those of its attributes."""
    text = re.sub(r"\{#.*?#\}|<(script|style)\b.*?</\1>", " ", template.read_text(), flags=re.DOTALL)
    attributes = re.findall(r'\b(?:title|aria-label|placeholder|alt|data-[a-z-]+)="([^"]*)"', text)
    blocks = re.sub(r"<[^>]*>", "\n\n", re.sub(r"\{%.*?%\}|\{\{.*?\}\}", "…", text, flags=re.DOTALL)).split("\n\n")
    for words in (" ".join(each.split()) for each in [*blocks, *attributes]):
        if " " in words:
            yield Message(words, str(template.relative_to(CODE)))


FOLDERS = (
    "management", "api", "exporting", "quickstart", "site", "importing", "metrics", "projects", "reporting",
    "web/datasets", "web/generation", "web/judging", "web/operation", "web/projects", "web/protocols", "web/reports",
    "web/review",
)  # fmt: skip
MODULES = sorted(path for folder in FOLDERS for path in (CODE / "annotation" / folder).rglob("*.py"))


@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_messages_of_pages_use_the_fields_words(domain: str) -> None:
    messages = list(catalog_messages(domain))
    assert len(messages) > 100
    assert [problem for message in messages for problem in problems_of(message)] == []


def test_texts_in_english_alone_use_the_fields_words() -> None:
    messages = [message for path in MODULES for message in literals(path)]
    messages += [message for path in sorted((CODE / "templates").rglob("*.html")) for message in texts_of(path)]
    assert len(messages) > 3_000
    assert [problem for message in messages for problem in problems_of(message)] == []


def test_a_word_given_up_a_british_spelling_and_a_fixed_plural_are_found() -> None:
    for text, words, instead in (
        ("Give this response back", "Give this response back", "return to the queue"),
        ("The response before", "response before", "previous response, match, passage"),
        ("Nobody rates here.", "Nobody", "name the role: a rater, another person, an admin"),
        ("Choose another colour.", "colour", "-or"),
        ("The tokeniser is unknown.", "tokeniser", "-z-"),
        ("This job was cancelled.", "cancelled", "one l"),
        ("%(n)s rows are empty.", "%(n)s rows", "ngettext"),
        ("in %(number)s responses", "in %(number)s responses", "ngettext"),
    ):
        assert problems_of(Message(text, "page.html")) == [f"page.html: “{text}”: {words!r} → {instead}"]


def test_the_words_in_use_a_message_with_both_forms_and_a_pinned_text_pass() -> None:
    for text in (
        "Return this response to the queue?",
        "Choose another color.",
        "Use at most %(most)s characters.",
        "%(k)s of %(n)s raters",
        "An exercise of analysis, with a promise.",
    ):
        assert problems_of(Message(text, "page.html")) == []
    assert problems_of(Message("%(n)s rows are empty.", "page.html", has_plural=True)) == []
    assert problems_of(Message("Judge the lit sentence.", "protocol.toml", is_pinned=True)) == []
    assert problems_of(Message("The colour is lit.", "protocol.toml", is_pinned=True)) != []
