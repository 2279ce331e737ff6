"""The numbers of a sentence as values, and which of them an article does not have."""

import pytest

from .modules import evaluate

READ = [
    ("12.50 and 12.5", [12.5, 12.5]),
    ("1,000 and 1 000 and 1 000 and 1'000 and 1,234,567.8", [1000, 1000, 1000, 1000, 1234567.8]),
    ("12,5 km in German, 0,125 too, and .5", [12.5, 0.125, 0.5]),
    ("two birds, Twelve, nineteen and twenty", [2, 12, 19, 20]),
    ("twenty-five, twenty five and ninety‑nine", [25, 25, 99]),
    ("forty-two hundred", [4200]),
    ("two hundred and six; two thousand five hundred", [206, 2500]),
    ("one million two hundred thousand and five", [1200005]),
    ("3 million, 1.2bn, 5k and 3.5M", [3e6, 1.2e9, 5000, 3.5e6]),
    ("half, one third, two-thirds, a quarter, ½ and 2½", [0.5, 1 / 3, 2 / 3, 0.25, 0.5, 2.5]),
    ("a third bird, the second time, someone, often, weight", []),
    ("in 2019, 300 people; 2017 300", [2019, 300, 2017, 300]),
    ("10–20 km, −3 and 1.5-fold, 3x", [10, 20, 3, 1.5, 3]),
    ("a dozen, twice", [12, 2]),
    ("no numbers at all", []),
]

IN_ARTICLE = (
    "The range was 12.50 km. Two birds flew 1,000 m in 3 hours; 0.45 of them, half, or 30 %, came back in 2019."
)
MISSING = [
    ("It was 12.5 km.", []),
    ("It was 12.50 kilometres, or 12,500 m.", []),
    ("It was 12.5 miles.", ["12.5 miles"]),
    ("It was 12.6 km.", ["12.6 km"]),
    ("2 birds, two birds", []),
    ("Three birds", []),
    ("Four birds", ["Four"]),
    ("1000 m, 1 km, 1 000 and 1,000", []),
    ("45 %, 45%, 45 percent and 45 per cent", []),
    ("50 % and fifty percent", []),
    ("thirty percent and 0.3", []),
    ("46%", ["46%"]),
    ("180 minutes", []),
    ("4 hours", ["4 hours"]),
    ("one of them", []),
    ("In 2020.", ["2020"]),
    ("1. First [7], as GPT-4 and CO2 and p53 say [3, 8].", []),
    ("Smith (2020, p. 5), (Smith, 2020, pp. 7–9) and page 11.", []),
    ("In 2020, Peter saw 5.", ["2020", "5"]),
    ("It cost $99 and 7 €.", ["$99", "7 €"]),
    ("The other 250 and 75 % of 12.5", ["250", "75 %"]),
]


def test_numbers_are_read_as_values() -> None:
    read_values = evaluate(
        "workspace/numbers.js", "module.numbersIn(example).map(({ value }) => value)", [t for t, _ in READ]
    )
    for (text, expected), values in zip(READ, read_values, strict=True):
        assert values == pytest.approx(expected), text


def test_a_hint_is_given_for_what_the_article_does_not_have_and_for_nothing_else() -> None:
    sentences = [sentence for sentence, _ in MISSING]
    batch = [{"article": IN_ARTICLE, "sentence": sentence} for sentence in sentences]
    ask = """(() => {
        const numbers = new module.NumberIndex();
        numbers.add(example.article);
        return numbers.missing(example.sentence).map(({ start, end }) => example.sentence.slice(start, end));
    })()"""
    hints = evaluate("workspace/numbers.js", ask, batch)
    assert dict(zip(sentences, hints, strict=True)) == dict(MISSING)


def test_a_number_is_found_as_a_whole_and_not_in_a_name_or_a_bare_one() -> None:
    article = "F1 was 0.9 for 1 of the models, GPT-4 and 4 others."
    sentences = ["This one!", "Only 1 model.", "There were four.", "F1 and GPT-4"]
    ask = """(() => {
        const numbers = new module.NumberIndex();
        numbers.add(example.article, "p1");
        return numbers.occurrences(example.sentence).map(({ start }) => example.article.slice(start - 4, start + 1));
    })()"""
    batch = [{"article": article, "sentence": sentence} for sentence in sentences]
    assert evaluate("workspace/numbers.js", ask, batch) == [[], ["for 1"], ["and 4"], []]
