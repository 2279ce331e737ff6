"""References of the Methods as BibTeX and in words."""

import re

from annotation.reporting.methods.references import ALL, NUMPY, bibtex, cited


def test_an_entry_has_what_bibtex_needs_and_a_text_cites_it():
    for one in ALL:
        assert re.match(r"@article{\w+,\n", one.bibtex) and one.bibtex.count("{") == one.bibtex.count("}")
        assert all([one.author, one.title, one.journal, one.year])
    assert len({one.key for one in ALL}) == len({one.citation for one in ALL}) == len(ALL)
    assert cited("as usual (Harris et al., 2020).") == [NUMPY]
    assert cited("nothing") == [] and bibtex([]) == ""
    assert NUMPY.words == (
        "Harris, Charles R.; Millman, K. Jarrod et al. (2020). Array programming with NumPy. Nature, 585, 357–362."
    )
