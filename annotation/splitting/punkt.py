"""NLTK's Punkt, which decides the full stops that our rules do not.

Punkt learns from raw text which words are abbreviations, which words begin sentences and which words are usually
written in lower case. It gets one full stop at a time, with one word on either side: its own tokenizer does the same,
and a bounded context keeps the time linear on any input. The parameters were trained by `train_punkt.py`. NLTK is
imported when the first sentence is split: it takes half of the time in which a process of the site starts.
"""

from collections import defaultdict
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

PARAMETERS = Path(__file__).with_name("english.punkt.txt")


def dump(params: "PunktParameters") -> str:
    """Return parameters as sorted lines: `kind<TAB>value…`, without words seen in one way only once in training."""
    lines = [f"abbreviation\t{word}" for word in params.abbrev_types]
    lines += [f"collocation\t{first}\t{second}" for first, second in params.collocations]
    lines += [f"starter\t{word}" for word in params.sent_starters]
    lines += [f"case\t{word}\t{flags}" for word, flags in params.ortho_context.items() if word.isalpha() and flags]
    return "\n".join(sorted(lines)) + "\n"


def load(path: Path = PARAMETERS) -> "PunktParameters":
    """Read the output of `dump`. Raises ValueError with file and line for a line of another kind."""
    from nltk.tokenize.punkt import PunktParameters

    params = PunktParameters()
    params.ortho_context = defaultdict(int)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match line.split("\t"):
            case ["abbreviation", word]:
                params.abbrev_types.add(word)
            case ["collocation", first, second]:
                params.collocations.add((first, second))
            case ["starter", word]:
                params.sent_starters.add(word)
            case ["case", word, flags] if flags.isdigit():
                params.ortho_context[word] = int(flags)
            case _:
                raise ValueError(
                    f"{path}:{number}: not a Punkt parameter: {line!r}; train again with "
                    "`python -m annotation.splitting.train_punkt`"
                )
    return params


@cache
def _tokenizer() -> "PunktSentenceTokenizer":
    from nltk.tokenize.punkt import PunktSentenceTokenizer

    return PunktSentenceTokenizer(load())


@lru_cache(maxsize=20_000)
def ends_sentence(word: str, following: str) -> bool:
    """Return whether Punkt sees a sentence end between `word` (with its full stop) and the word after it."""
    return bool(_tokenizer().text_contains_sentbreak(f"{word} {following}"))


@lru_cache(maxsize=20_000)
def is_common_word(word: str) -> bool:
    """Return whether training text writes this word in lower case too: "the", "patients", but not "Smith"."""
    flags = _tokenizer()._params.ortho_context.get(word.lower(), 0)
    return bool(flags & _LOWER)


_LOWER = (1 << 4) | (1 << 5) | (1 << 6)
