"""Marks of items that probably claim nothing: cases of each reason, and sentences that must not be marked."""

from annotation.splitting import split_items
from annotation.splitting.claim_marks import REASONS, MarkedText, mark_items

BEFORE = MarkedText("Terns fly 17 km on turbid days.", "sentence")
AFTER = [MarkedText("They return in June.", "sentence"), MarkedText("Both papers agree on that.", "sentence")]
PROMPT = "How far do terns fly on turbid days?"


def mark(text: str, prompt: str = PROMPT, *, kind: str = "sentence", in_list: bool = False) -> str:
    """Return the mark of a sentence within a response."""
    return mark_items([BEFORE, MarkedText(text, kind, in_list=in_list), *AFTER], prompt)[1]


def mark_first(text: str, prompt: str = PROMPT) -> str:
    return mark_items([MarkedText(text, "sentence"), *AFTER], prompt)[0]


def mark_last(text: str, prompt: str = PROMPT) -> str:
    return mark_items([BEFORE, MarkedText(text, "sentence")], prompt)[1]


def check_marks(reason: str, *texts: str) -> None:
    """Check that each sentence is marked with this reason."""
    assert {text: mark(text) for text in texts} == dict.fromkeys(texts, reason)


def test_a_question_that_only_asks_is_marked() -> None:
    check_marks("question",
        "Is it safe?", "So why does this matter?", "**What does this mean for councils?**", "But how do we know?",
        "To what extent is the effect real?", "In which months do they breed?",
        "If the water clears, what happens next?", "Any other questions?", "Interested in more details?", "Really?",
        "Ready to start?", "Q: Who counted the nests?", "Why not more?",
        "Could you tell me which of the two papers you mean?", "What is the range? [2]",
        "Is it the light? Or is it the heat?", "Would you like more details on the method?",
    )  # fmt: skip


def test_a_question_that_claims_something_is_not_marked() -> None:
    check_marks("",
        "Is it X? Yes, it is X.", "It is the largest colony, isn't it?", "Any lamp is off, isn't it?",
        "The lamps were off, right?",
        "Did you know that terns fly 17 km on turbid days?", "Do you know that the range doubled?",
        'She asked, "Is the water clear?"', "Given that the range doubled in 2019, what should councils do?",
        "Why did the colony, which had 400 pairs in 1990, move away?", "Terns dive to two meters, but how do they see?",
        "The light was the cause; who would have thought so?",
        "What is BERT (a language model that Google published in 2018)?", "The study asks whether light matters.",
        "The lamps were switched off?", "What matters most is the light.",
        "The purpose of the lamps in the village: what message do they send?",
        "Although the sample was small, is the result not clear?",
        "Theoretically they could switch the lamps off, so why don't they?",
    )  # fmt: skip


def test_questions_that_the_prompt_asks_for_are_not_marked() -> None:
    assert mark("Does part-night lighting restore pollination?", "Which research questions does the paper ask?") == ""
    assert mark("Who counted the nests?", "Write five quiz questions about the article.") == ""


def test_courtesy_is_marked() -> None:
    check_marks("courtesy",
        "Let me know if you have further questions.",
        "Please let me know if you would like more details on any of these points.",
        "If you have any further questions, feel free to ask!",
        "If there is anything else you need, please don't hesitate to reach out.",
        "Feel free to ask if anything is unclear.", "I hope this helps!", "Hope this helps.",
        "I hope this explanation clarifies things.", "Great question!", "That's a really interesting question.",
        "Great question, and a really important one for councils!", "Thank you for your question.",
        "Thanks for asking!", "You're welcome!", "Happy to help with this one!", "I'd be happy to help with that.",
        "I apologize for the confusion.", "Sorry for the mistake in my earlier answer.", "Good luck with your exam!",
        "Best regards,", "I hope this helps! Let me know if you need more.", "Sure, I can help with that!",
    )  # fmt: skip


def test_a_claim_in_polite_words_is_not_marked() -> None:
    check_marks("",
        "Thanks to the lamps, moth visits fell by 29 %.",
        "If you have any questions, contact the instructor at lee@example.edu.",
        "Don't hesitate to reach out to Dr. Lee during office hours.",
        "I hope this helps you see that the lamps caused the decline.",
        "Let me know if the lamps are off, because then the moths return.",
        "Good luck played no part, as the sample was random.", "The question is interesting to ecologists.",
        "Great tits visited the nests twice.", "The authors thank the county for its lamps.",
        "Enjoying the light, moths circled the lamps.", "Feel free to use the lamps until 22:00.",
        "Students are welcome in office hours.", "Great question, terns dive to two meters.",
        "Sure enough, the moths came back.", "Of course the lamps were off.",
        "Sorry, the article does not say who counted the nests.",
    )  # fmt: skip


def test_agreement_is_courtesy_only_where_it_answers_nothing() -> None:
    request = "Summarize how far terns fly."
    assert mark_first("Sure!", request) == mark_first("Certainly!", request) == mark_first("Of course!", request)
    assert mark_first("Sure!", request) == "courtesy"
    assert mark_first("Sure!", "Can you summarize how far terns fly?") == "courtesy"
    assert mark_first("Absolutely!", "Do terns fly further on turbid days?") == ""
    asked = [MarkedText("Do they return?", "sentence"), MarkedText("Absolutely!", "sentence"), *AFTER]
    assert mark_items(asked, request)[:2] == ["question", ""]
    assert mark_first("Yes.", "Do terns fly further on turbid days?") == mark_first("No.") == ""


def test_a_remark_about_the_answer_is_marked() -> None:
    check_marks("meta",
        "Here is a summary of the article.", "Here's a brief overview of the main points.",
        "Sure, here's a quick overview of the recipe.", "Below is a detailed explanation of the method.",
        "Let's break this down step by step.", "Let's take a closer look at each of these.", "Let me explain.",
        "In this answer, I will explain the three causes.", "I will summarize the results of both papers.",
        "This answer is based on the provided article.", "Please note that this summary is not exhaustive.",
        "(Note: this answer is not comprehensive.)", "The above summary provides a brief overview of the topic.",
        "As an AI language model, I don't have personal opinions.", "I have kept the summary under 100 words.",
        "End of summary.",
    )  # fmt: skip


def test_the_length_of_the_answer_is_marked_at_its_end_only() -> None:
    for text in ("Word count: 128", "(Word count: 128)", "Total words: about 130", "(128 words)"):
        assert mark_last(text) == ("" if "about" in text else "meta")
        assert mark_first(text) == ""


def test_a_claim_near_such_words_is_not_marked() -> None:
    check_marks("",
        "Here is why the moths left: the lamps were too bright.", "Here are three datasets.",
        "Here is a summary of the article, which shows that the lamps matter.", "Here the lamps were off.",
        "Let's say that the range is 17 km.", "This list is sorted by length.",
        "The summary of the report is based on 36 verges.", "This overview includes terns, gulls and plovers.",
        "The following answer was given by 30 % of the raters.",
        "As an AI language model, I can say that terns fly 17 km.", "As a language model, BERT predicts masked words.",
        "The word count of the essay is 500 to 700 words.", "I will be tested in June.",
        "The article does not mention the range.", "The essay counts for 30 % of the grade.",
        "This explanation is wrong, because the lamps were off.",
    )  # fmt: skip


def test_a_fragment_is_marked_and_a_short_answer_is_none() -> None:
    for text in ("However,", "For example,", "In conclusion,", "👏", "---", "The main reason is", "and"):
        assert mark(text, kind="item") == "fragment"
    for text in ("42", "B", "Yes", "17 km", "Two", "Adam", "It depends", "The lamps", "x = 3"):
        assert mark(text, kind="item") == ""
        assert mark_items([MarkedText(text, "item")], PROMPT) == [""]


def test_an_entry_that_names_a_part_of_a_text_or_paper_is_marked() -> None:
    for text in (
        "Introduction", "**Conclusion**", "Literature review", "Thesis statement", "Pros and cons",
        "Experimental Setup", "Implementation details", "Results and Discussion", "**Problem Statement**",
    ):  # fmt: skip
        assert mark(text, kind="item", in_list=True) == "outline", text
    for text in ("SQuAD", "Adam optimizer", "Common terns", "Introduction to NLP"):
        assert mark(text, "Which data sets were used?", kind="item", in_list=True) == "", text


def test_a_word_that_may_be_an_answer_is_marked_beside_other_parts_only() -> None:
    def reasons(*texts: str) -> list[str]:
        return mark_items([MarkedText(text, "item", in_list=True) for text in texts], "What does the paper say?")

    assert reasons("Introduction", "Model", "Experimental Setup", "Data") == ["outline"] * 4
    assert reasons("Model", "Data") == ["", ""]
    assert reasons("Model", *["Terns fly far"] * 9, "Introduction", "Conclusion")[0] == ""
    assert reasons("Design", "Measures", "Participants", "Limitations") == ["", "", "", "outline"]


def test_titles_outside_its_list_make_no_answer_a_part_but_an_outline_does() -> None:
    stages = [MarkedText(text, "item", in_list=True) for text in ("Data", "Training", "Evaluation")]
    heads = [MarkedText(text, "heading", rate=False) for text in ("Introduction", "Conclusion")]
    asked = "What are the three stages of the method?"
    assert mark_items([heads[0], *stages, heads[1]], asked) == [""] * 5
    titles = [MarkedText(text, "item") for text in ("Introduction", "Conclusion")]
    assert mark_items([*titles, *stages, *titles], asked)[2:5] == [""] * 3
    outline = "Create an outline for an essay about street lamps."
    assert mark("The history of street lamps", outline, kind="item", in_list=True) == "outline"
    assert mark("The history of street lamps", kind="item", in_list=True) == ""
    assert mark("The history of street lamps", outline, kind="item") == ""
    assert mark("Lamps have been electric since 1880", outline, kind="item", in_list=True) == ""
    assert mark("Lamps are electric", outline, kind="item", in_list=True) == ""


def test_an_echo_of_the_prompt_is_marked() -> None:
    check_marks(
        "echo", PROMPT, f"**Question:** {PROMPT}", "You asked how far terns fly.",
        "The question asks how far terns fly on turbid days.", "How far do the terns fly on turbid days?",
    )  # fmt: skip
    assert mark("Summarize the findings of the paper.", "Summarize the findings of the paper. Be brief.") == "echo"


def test_an_instruction_about_the_answer_is_an_echo_unless_it_answers() -> None:
    for text in (
        "Summarize the main idea of the article in 18 words.", "Describe this passage in two sentences.",
        "Explain the findings of the paper in no more than 50 words.",
    ):  # fmt: skip
        assert mark_first(text) == mark(text, f"{text.split()[0]} what the article says. Be brief.") == "echo"
        assert mark_first(text, "Write three quiz questions about the article.") == ""
    instruction = "Rewrite the story in at most 50 words."
    for prompt in ("What instructions did annotators get?", "What were the raters asked to do?"):
        assert mark(instruction, prompt) == mark_first(instruction, prompt) == ""
    assert mark_items([MarkedText(instruction, "sentence")], PROMPT) == [mark(instruction)] == [""]


def test_a_claim_or_advice_about_length_is_no_echo() -> None:
    check_marks("",
        "The authors summarize the article in 18 words.", "Write the introduction in 200 words.",
        "Describe the terns of the article.", "The article has 18 words.",
    )  # fmt: skip


def test_an_answer_in_the_words_of_the_prompt_is_no_echo() -> None:
    assert mark("Terns do fly far on turbid days.") == ""
    assert mark("The terns could fly further on turbid days.", "Could the terns fly further on turbid days?") == ""
    claim = "Terns fly 17 km on turbid days. Is this true?"
    assert mark_items([MarkedText("Terns fly 17 km on turbid days.", "sentence"), *AFTER], claim)[0] == ""
    assert mark("You asked about terns, but the article is about gulls.") == ""


def test_only_rated_prose_is_marked() -> None:
    assert mark_items([MarkedText("Is it safe?", "sentence", rate=False)], PROMPT) == [""]
    kinds = ["table_row", "math", "heading", "code", "reference"]
    assert mark_items([MarkedText("Is it safe?", kind) for kind in kinds], PROMPT) == [""] * len(kinds)


def test_a_whole_response() -> None:
    response = (
        "Great question!\n\nHere is a summary of the article.\n\nTerns fly 17 km on turbid days [1]. Why is that? "
        "The fish are harder to see, so the birds search longer.\n\nIs it safe for them? Yes, it is.\n\n"
        "I hope this helps! Let me know if you have further questions.\n\nWord count: 41"
    )
    items = [MarkedText(response[s.start : s.end], s.kind, s.rate) for s in split_items(response)]
    marked = [(item.text, reason) for item, reason in zip(items, mark_items(items, PROMPT), strict=True) if reason]
    assert marked == [
        ("Great question!", "courtesy"), ("Here is a summary of the article.", "meta"), ("Why is that?", "question"),
        ("Is it safe for them?", "question"), ("I hope this helps!", "courtesy"),
        ("Let me know if you have further questions.", "courtesy"), ("Word count: 41", "meta"),
    ]  # fmt: skip
    assert {reason for _, reason in marked} <= set(REASONS)


def test_long_texts_take_linear_time() -> None:
    long = "Let me know if " + "you have a question about it and " * 2_000
    assert mark_items([MarkedText(long, "sentence")] * 50, long) == [""] * 50


def test_a_space_that_nobody_sees_may_end_an_item() -> None:
    assert mark("It is true. Also.\u200b") == ""
