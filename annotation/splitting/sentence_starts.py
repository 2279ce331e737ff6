"""Decide whether the text after a mark can begin a sentence."""

import re

from annotation.splitting import word_lists

_OPENING = re.compile(r"[*_~\"“„‘'«「『(\[{（【¿¡\u200b\ufeff]+")
_WORD = re.compile(r"[^\W\d_][\w'’]*(?:[-‑][\w'’]+)*")
# Always written in lower case: mRNA, iPhone, pH, p-values, t-SNE, x, foo_bar, print(), example.com.
_LOWER_BY_NATURE = re.compile(
    r"[a-z]+[A-Z]\w*"
    r"|[a-z]-(?!\s)\w+"
    r"|[b-hj-z](?=[\s,)']|$)(?!\s*\.)"
    r"|[a-z]\w*(?:_\w+|\(\)|\d)\w*"
    r"|[a-z]{1,3}\d"
    r"|[α-ωϕϵ∂](?![α-ω])"
    r"|(?:https?://|www\.)"
    r"|[a-z0-9-]+\.(?:com|org|net|edu|gov|io|ai|py|js|md|json|csv)\b"
)
_PARTICLE = re.compile(r"([a-z']+)\s+(?:[a-z']+\s+)?[A-Z][a-z]")
_ONE_LETTER = re.compile(r"[\W_]*(?:A\s+[a-z]|I(?:\s+[a-z]|['’]))")
_LATE_START = re.compile(r"(?:\.{3}|…)[A-Z][\w'’]*\s")  # "...I know"
_DASH = re.compile(r"[-–—―]+(?=\s|\w)")


def opens_sentence(text: str, index: int, after_mark: str = ".", quoted: bool = False, uncased: bool = False) -> bool:
    """Return whether the text from `index` can open a sentence after `after_mark` (and a quote, if `quoted`)."""
    if index >= len(text):
        return False
    if dash := _DASH.match(text, index):
        # `"Be kind." – Ann` and "Ready? – Yes" go on; "… is done. - Next point" is a list written in one line.
        following = text[dash.end() : dash.end() + 40]
        is_entry = after_mark == "." and not quoted and following.lstrip()[:1].isupper()
        return is_entry or following[:1].isdigit()
    if match := _OPENING.match(text, index):
        index = match.end()
    first = text[index : index + 1]
    if not first:
        return False
    if first in ",;:.?!…)]}%/|=<>+×÷→,、，；：":
        return (
            first in "→<"
            or (first == "." and text[index + 1 : index + 2].isalnum())
            or bool(_LATE_START.match(text, index))
        )
    if first.islower() and not uncased:
        particle = _PARTICLE.match(text, index)
        is_name = particle is not None and particle[1] in word_lists.NAME_PARTICLES
        return is_name or bool(_LOWER_BY_NATURE.match(text, index))
    return not (uncased and first.islower() and first.isascii())


def word_at(text: str, index: int) -> str:
    """Return the word that begins at `index`, opening marks skipped; empty if there is none."""
    if match := _OPENING.match(text, index):
        index = match.end()
    match = _WORD.match(text, index, index + 60)
    return match.group() if match else ""


def plainly_opens(text: str, index: int) -> bool:
    """Return whether the word at `index` certainly opens a sentence: capitalized and usual at a start."""
    word = word_at(text, index).replace("’", "'")
    if not word[:1].isupper():
        return False
    if word in ("A", "I"):
        return bool(_ONE_LETTER.match(text, index))
    # "Surprisingly, …": an adverb set off by a comma opens a sentence as well.
    adverb = word.endswith("ly") and text.startswith(word + ",", text.find(word, index))
    return adverb or word.lower() in word_lists.STARTERS
