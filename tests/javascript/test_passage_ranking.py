"""Which passages of an article bear most on a sentence."""

from .modules import evaluate

ARTICLE = {
    "p1": ["Abstract", "We followed terns over three summers. They fly further on turbid days, by a half."],
    "p2": [
        "Methods",
        "Forty adults carried GPS loggers (Fig. 2). Each logger weighed 1.9 g, as Kern et al. had advised.",
    ],
    "p3": ["Results", "The median foraging range was 11.8 km on clear days. On turbid days it grew to 17.3 km."],
    "p4": ["Results", "Chicks were fed less often, but their growth did not differ between turbid and clear days."],
    "p5": ["Funding", "The study was paid for by the harbour authority of Port Amery."],
}
ASK = """(() => {
    const index = new module.PassageIndex();
    for (const [id, [heading, text]] of Object.entries(example.article)) index.add(id, text, heading);
    return index.best(example.sentence, example.context ?? "").map(({ paragraph, text }) => [paragraph, text]);
})()"""


def best(*sentences: str, context: str = "") -> list[list[list[str]]]:
    batch = [{"article": ARTICLE, "sentence": sentence, "context": context} for sentence in sentences]
    return evaluate("workspace/passage_ranking.js", ASK, batch)


def test_the_sentence_that_says_it_comes_first_whatever_the_endings_of_its_words() -> None:
    ranges, loggers, funding, growing = best(
        "Their ranges grew to 17.3 km.",
        "The adult carrying a logger",
        "Who paid the study?",
        "Growth of chick",
    )
    assert ranges[0] == ["p3", "On turbid days it grew to 17.3 km."]
    assert loggers[0] == ["p2", "Forty adults carried GPS loggers (Fig. 2)."]
    assert funding[0][0] == "p5"
    assert growing[0][0] == "p4"


def test_a_paragraph_is_suggested_once_and_nothing_that_shares_no_word() -> None:
    [turbid, nothing] = best("On turbid days", "Wholly unrelated zebras!")
    assert [paragraph for paragraph, _ in turbid] == sorted({p for p, _ in turbid}, key=[p for p, _ in turbid].index)
    assert {paragraph for paragraph, _ in turbid} == {"p1", "p3", "p4"}
    assert nothing == []


def test_the_prompt_says_what_a_short_sentence_is_about() -> None:
    [alone] = best("It was 40.")
    [query] = best("It was 40.", context="How many adults carried loggers?")
    assert (alone, query[0][0]) == ([], "p2")


def test_an_abbreviation_does_not_end_a_sentence_and_offsets_are_those_of_the_text() -> None:
    texts = ["As Kern et al. showed, it holds (cf. Fig. 2). Then E. Smith came. It rained!", "One line", ""]
    cut = "module.sentencesIn(example).map(({ start, end }) => example.slice(start, end))"
    assert evaluate("workspace/passage_ranking.js", cut, texts) == [
        ["As Kern et al. showed, it holds (cf. Fig. 2).", "Then E. Smith came.", "It rained!"],
        ["One line"],
        [],
    ]
