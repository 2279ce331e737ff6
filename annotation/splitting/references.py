"""Reference lists, source lines and lines of citation marks: shown to raters, never rated."""

import re

_TITLE = re.compile(
    r"(?:\d+\.?\s+)?(?:list of\s+|key\s+|selected\s+|cited\s+|additional\s+|external\s+|further\s+)*"
    r"(?:references?|sources?|bibliography|works cited|literature(?: cited)?|citations?|footnotes?|endnotes?"
    r"|reading|links|reading list|notes and references)"
    r"(?:\s+(?:cited|used|list|and (?:notes|links|further reading|sources|citations)))*",
    re.IGNORECASE,
)
_MARK = r"(?:\[\^?[\d\s,;–\-]+\]|\[\^[^\]\s]{1,40}\]|【[^】]{1,60}】|[⁰¹²³⁴⁵⁶⁷⁸⁹]|\[\[\d+\]\]|\^\d+\^?)"
_LINK_TAIL = r"(?:\((?:https?:|www\.|#)[^()\s]*\))?"
_ONLY_MARKS = re.compile(rf"[(*_]*(?:{_MARK}{_LINK_TAIL}[\s,;.]*)+[)*_.]*")
_URL = r"<?(?:https?://|www\.|doi:\s?10\.|10\.\d{4,9}/|arxiv:\s?\d)[^\s]*>?"
_LINK = r"!?\[[^\[\]]{0,300}\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)"
_ONLY_ADDRESS = re.compile(rf"[*_(]*(?:{_MARK}[:.]?\s*)?(?:{_URL}|{_LINK})(?:[\s,;|·•-]+(?:{_URL}|{_LINK}))*[)*_.;,]*")
_SOURCE = re.compile(
    r"[*_(]*(?:sources?|references?|refs?|links?|urls?|citations?|doi|via|retrieved from|available at|read more"
    r"|image source|image credit|photo credit|credit|adapted from|see also|for more information, see)[*_]*\s*"
    r"(?:\(?\[?\d*\]?\)?)\s*:[*_]*+\s*(?P<rest>[^\s].*)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?:\[\^?\d{1,3}\]|\(\d{1,3}\)|【\d+】|[⁰¹²³⁴⁵⁶⁷⁸⁹]+)[:.]?\s+(?P<rest>\S.*)")
_MARK_STARTS = frozenset("([*_【^⁰¹²³⁴⁵⁶⁷⁸⁹")
_MAY_BE_SOURCE = re.compile(r"[:\]]|www\.|\b10\.")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d[a-z]?\b")
_ADDRESS = re.compile(rf"{_URL}|{_LINK}|\bdoi\b|\bISBN\b|\barXiv\b", re.IGNORECASE)
_AUTHORS = re.compile(
    r"[*_\"“]*[^\W\d_][\w'’-]+,?\s+(?:[A-Z]\.?[\s,-]*)+|\bet al\b"
    r"|[A-Z]\.\s?(?:[A-Z]\.\s?)?[A-Z][a-z]+,?\s|\b[A-Z][a-z]+, [A-Z]\."
)
_PUBLISHED = re.compile(
    r"\b(?:vol\.|no\.|pp\.|press|journal|proceedings|conference|\d+\(\d+\)|\d+\s?[–-]\s?\d+)", re.IGNORECASE
)
_LABEL_EDGE = re.compile(r"^[*_#\s]+|[*_:\s.]+$")
_CONVERSATION = re.compile(
    r"\b(?:I|you|your|please|note that|hope|let me|these (?:links|sources|references))\b", re.IGNORECASE
)


def is_reference_title(title: str) -> bool:
    """Return whether a heading or label announces a list of references."""
    bare = _LABEL_EDGE.sub("", title)
    return len(bare) < 60 and bool(_TITLE.fullmatch(bare))


def is_only_marks(line: str) -> bool:
    """Return whether a line holds citation marks and nothing else."""
    return line[0] in _MARK_STARTS and len(line) < 400 and bool(_ONLY_MARKS.fullmatch(line))


def is_source_line(line: str) -> bool:
    """Return whether a line is a bare address, a link and nothing else, or "Source: …"."""
    if len(line) > 2_000 or not _MAY_BE_SOURCE.search(line):
        return False
    if _ONLY_ADDRESS.fullmatch(line):
        return not line.startswith("![")
    match = _SOURCE.fullmatch(line)
    if match is None:
        return False
    rest = match["rest"]
    if _ADDRESS.search(rest) or _YEAR.search(rest):
        return True
    return len(rest.split()) <= 12 and not re.search(r"\b(?:is|are|was|were|can|has|have)\b", rest)


def is_numbered_entry(line: str) -> bool:
    """Return whether a line begins with a citation mark and continues like an entry: authors, a year, an address."""
    match = _NUMBERED.match(line[:2_000]) if line[0] in _MARK_STARTS else None
    return match is not None and _looks_bibliographic(match["rest"])


def _looks_bibliographic(entry: str) -> bool:
    if _ONLY_ADDRESS.fullmatch(entry) or re.match(_URL, entry):
        return True
    signs = [_YEAR.search(entry), _ADDRESS.search(entry), _AUTHORS.match(entry), _PUBLISHED.search(entry)]
    return sum(sign is not None for sign in signs) >= 2


def is_entry(line: str, in_list: bool) -> bool:
    """Return whether a line below a title of references is one of its entries and not a remark about them."""
    sample = line[:2_000]
    if _NUMBERED.match(sample) or _ADDRESS.search(sample) or _looks_bibliographic(sample):
        return not (_CONVERSATION.search(sample) and not in_list and not _YEAR.search(sample))
    return in_list or bool(_YEAR.search(sample)) or (sample[-1:] not in ".!?:" and not _CONVERSATION.search(sample))
