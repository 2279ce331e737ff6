"""Lead-ins that claim something are rated; those that only announce what follows are not."""

from annotation.splitting import split, split_items
from annotation.splitting.lead_ins import claims_something


def test_a_whole_clause_with_a_claim_is_rated() -> None:
    check_claims(True,
        "The study gives **no clear answer**, because its two methods contradict each other:",
        "Full-night lighting harms the moths, but it leaves the bats alone:",
        "Although the sample was small, the effect was significant:", "Overall, the evidence for the effect is weak:",
        "According to the theorem, the square of any real number is non-negative:",
        "Adding one to a number does not change its sign:", "Part-night lighting increased the moth visits by 29 %:",
        "The lamps reduced pollination on rural verges [2]:", "The treatment has no effect on mortality:",
        "While the drug is safe, it did not reduce mortality:",
    )  # fmt: skip


def test_a_mere_lead_in_is_not_rated() -> None:
    check_claims(False,
        "The main findings are:", "Here are the results:", "Here is what the study found:", "For example:",
        "This implies:", "In summary, the paper reports the following results:", "The authors used three datasets:",
        "The approaches can be categorized into several main strategies:",
        "There are several reasons why this does not work:", "To find the value, substitute it into the function:",
        "If the image is not located online, you would provide the full URL:",
        "Let's break it down, because it is complicated:",
        "Some of the common misconceptions about bonding are[1] [2]:", "The lamps affect moths in several ways:",
        "This expression can be rewritten as:", "The abstract highlights these methods:",
        "We can see this from the steps below:", "You do not need all of it:", "The formula of the loss is simple:",
        "Calculate each term:", "She asked whether it was not too late, and he said:",
        "Which of the lamps were not off:", "Advantages:",
    )  # fmt: skip


def check_claims(expected: bool, *lead_ins: str) -> None:
    assert {lead_in: claims_something(lead_in) for lead_in in lead_ins} == dict.fromkeys(lead_ins, expected)


def test_the_kind_stays_lead_in() -> None:
    response = "The study gives no answer, because its methods contradict each other:\n\n- One is fast.\n- One is slow."
    assert next((span.kind, span.rate) for span in split(response)) == ("lead_in", False)
    spans = [(span.kind, span.rate) for span in split_items(response)]
    assert spans == [("lead_in", True), ("sentence", True), ("sentence", True)]
