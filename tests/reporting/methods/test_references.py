"""References of the Methods as BibTeX and in words."""

import re

from django.utils import translation

from annotation.reporting.methods.references import ALL, NUMPY, PUNKT, bibtex, cited


def test_an_entry_has_what_bibtex_needs_and_citations_the_words_of_the_language():
    for one in ALL:
        assert re.match(r"@article{\w+,\n", one.bibtex) and one.bibtex.count("{") == one.bibtex.count("}")
        assert {"author", "title", "journal", "year"} <= {name for name, _ in one.fields}
    assert len({one.key for one in ALL}) == len({one.citation for one in ALL}) == len(ALL)
    assert cited("as usual (Harris et al., 2020).") == [NUMPY]
    assert cited("nothing") == [] and bibtex([]) == ""
    with translation.override("es"):
        assert PUNKT.citation == "Kiss y Strunk, 2006"
        assert cited("se usa Punkt (Kiss y Strunk, 2006)") == [PUNKT]
    assert NUMPY.words == (
        "Harris, Charles R.; Millman, K. Jarrod et al. (2020). Array programming with NumPy. Nature, 585, 357–362."
    )
