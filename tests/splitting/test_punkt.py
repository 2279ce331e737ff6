"""Punkt's parameters are ours, in one sorted text file, and Punkt decides what no list of ours knows."""

import pytest
from nltk.tokenize.punkt import PunktParameters

from annotation.splitting import punkt
from annotation.splitting.train_punkt import prose


def test_the_committed_file_reads_back_to_the_same_bytes_and_knows_abbreviations():
    committed, params = punkt.PARAMETERS.read_text(encoding="utf-8"), punkt.load()
    assert committed.splitlines() == sorted(committed.splitlines())
    assert punkt.dump(params) == committed
    assert {"e.g", "i.e"} <= params.abbrev_types
    assert punkt.is_common_word("Results") and not punkt.is_common_word("Moreno")
    assert punkt.ends_sentence("gate.", "The") and not punkt.ends_sentence("i.e.", "Moreno")


def test_what_is_dumped_is_loaded_and_a_damaged_file_refused_with_its_line(tmp_path):
    params = PunktParameters()
    params.abbrev_types |= {"ca", "w.r.t"}
    params.collocations.add(("st", "clair"))
    params.sent_starters.add("however")
    params.ortho_context["gate"] = 34
    path = tmp_path / "parameters.txt"
    path.write_text(punkt.dump(params), encoding="utf-8")
    assert vars(punkt.load(path)) == vars(params)
    path.write_text("abbreviation\tca\ncase\tgate\tmany\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"parameters\.txt:2: .*train again"):
        punkt.load(path)


def test_training_reads_paragraphs_of_prose_and_not_code():
    text = "This is a paragraph of plain prose,\nwrapped once by hand.\n\n   >>> x = f(1)\n\nf(x, y) -> z[1:2] = {3}\n"
    assert list(prose(text)) == ["This is a paragraph of plain prose, wrapped once by hand."]
