"""Reasoning is separated from the answer, in whatever form a model or an endpoint gives it."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotation.model_calls.reasoning import separated, separated_message
from annotation.splitting import split
from annotation.splitting.reasoning import REASONING_TAGS
from tests.cpu_time import cpu_seconds

ANSWER = "Terns nest on sand."
FORMS = {
    **{name: (f"<{name}>", f"</{name}>") for name in REASONING_TAGS},
    **{f"seed:{name}": (f"<seed:{name}>", f"</seed:{name}>") for name in REASONING_TAGS},
    "Open WebUI": ('<details type="reasoning" done="true">', "</details>"),
    "with attributes": ('<think effort="high">', "</think>"),
    "in capitals": ("<THINK>", "</THINK>"),
    "Magistral": ("[THINK]", "[/THINK]"),
    "Kimi": ("◁think▷", "◁/think▷"),
    "Command A": ("<|START_THINKING|>", "<|END_THINKING|><|START_RESPONSE|>"),
    "Sky-T1": ("<|begin_of_thought|>", "<|end_of_thought|>\n<|begin_of_solution|>"),
    "Gemma": ("<|channel>thought\n", "<channel|>"),
    "gpt-oss": ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    "gpt-oss with a format": ("<|channel|>analysis<|message|>", "<|channel|>final <|constrain|>json<|message|>"),
    "gpt-oss in short": ("<|channel|>analysis", "<|channel|>final"),
    "gpt-oss without its tokens": ("analysis", "assistantfinal"),
    "gpt-oss without its tokens, with a space": ("analysis ", "assistantfinal"),
    "MedGemma": ("<unused94>thought\n", "<unused95>"),
    "Apertus": ("<|inner_prefix|>", "<|inner_suffix|>"),
    "a token": ("<|think|>", "<|/think|>"),
    "a token with its end": ("<|thinking|>", "<|end_thinking|>"),
}

WITH_TAGS = [form for form in FORMS if not form.startswith("gpt-oss without its tokens")]
WITH_ENDS = [form for form in WITH_TAGS if form != "Open WebUI"]  # </details> alone ends no reasoning


@pytest.mark.parametrize("form", FORMS)
def test_what_judges_read_is_what_raters_see(form):
    opening, closing = FORMS[form]
    for draft in ("Herons? Or terns.", '{"answers": {"a": "b"}}', "Score: 1/2", "Answer: no\n"):
        text, found = f"{opening}{draft}{closing}{ANSWER}", separated(f"{opening}{draft}{closing}{ANSWER}")
        assert [text[span.start : span.end] for span in split(text) if span.rate] == [found.answer] == [ANSWER]
        assert found.reasoning.startswith(draft.strip())


@pytest.mark.parametrize("form", WITH_ENDS)
def test_without_the_opening_tag_the_text_begins_with_reasoning_and_without_the_closing_one_it_ends_with_it(form):
    opening, closing = FORMS[form]
    without_opening = separated(f"Herons? Or terns.{closing}\n{ANSWER}")
    assert without_opening.answer == ANSWER and without_opening.reasoning.startswith("Herons? Or terns.")
    without_closing = separated(f"{opening}Herons? Or terns.")
    assert (without_closing.answer, without_closing.reasoning) == ("", "Herons? Or terns.")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (f"<think>a</think>\n<think>b</think>\n{ANSWER}", ANSWER),
        (f"<think>a <think>b</think> c</think>{ANSWER}", ANSWER),
        (f"<think>a <reflection>b</reflection> c</think>{ANSWER}", ANSWER),
        (f"<think>a</thinking>{ANSWER}", ANSWER),
        (f"<think>\n\n</think>\n\n{ANSWER}", ANSWER),
        (f"<think>a</think><answer>{ANSWER}</answer>", ANSWER),
        (f"<think>One ends it with `</think>`, or so.\n</think>\n{ANSWER}", ANSWER),
        (f"<think>```\n</think>\n```\n</think>\n{ANSWER}", ANSWER),
        (f"a\n```python\nb\n</think>\n```json\n{ANSWER}\n```", f"```json\n{ANSWER}\n```"),
        ('<details type="reasoning">Herons?', ""),
        ("<think>Herons?\n<answer>Terns.</answer>", "Terns."),
        (f"{ANSWER}<think>cut", ANSWER),
        (f"{ANSWER}\n<think>cut", ANSWER),
        ("Sure. <scratchpad>a</scratchpad> Terns.", "Sure.  Terns."),
        (
            f"<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>{ANSWER}<|return|>",
            ANSWER,
        ),
        ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>commentary to=f<|message|>b", ""),
    ],
)
def test_mixed_repeated_and_unfinished_reasoning(text, answer):
    assert separated(text).answer == answer


@pytest.mark.parametrize(
    "text",
    [
        ANSWER,
        "  as it is \n",
        "Models write `<think>` before they answer.",
        "Models write <think> before they answer.",
        "It ends with </think>, as in other models.",
        "In R1,\n<think> marks the start of the reasoning.",
        "It folds.\n<details><summary>More</summary>Terns nest.</details>\nIt is so.",
        'The tag "<think>" is new, "</think>" ends it.',
        "```html\n<think>\nHerons\n</think>\n```\nThat is it.",
        '{"reason": "It has <think> and </think>.", "quote": "<|channel|>final"}',
        "An analysis of terns. <b>Bold</b> [think tank]",
        "[Analysis]\nTerns nest on sand.",
        "analysis of terns: `assistantfinal` is no word",
    ],
)
def test_tags_that_are_talked_about_stay(text):
    assert (separated(text).answer, separated(text).reasoning) == (text, "")


@given(st.text(alphabet=st.sampled_from('ab `"{}<>/|.\n'), max_size=30), st.sampled_from(WITH_TAGS))
@example("</think>", "think")
@example("```\n</think>", "think")
def test_no_reasoning_is_left_in_the_answer(reasoning, form):
    opening, closing = FORMS[form]
    found = separated(f"{opening}{reasoning}ZX{closing}\n{ANSWER}")
    assert found.answer == ANSWER and "ZX" in found.reasoning
    assert separated(found.answer).answer == found.answer


THOUGHT, TEXT = {"type": "text", "text": "Herons?"}, {"type": "text", "text": ANSWER}


@pytest.mark.parametrize(
    "fields",
    [
        {"reasoning_content": "Herons?"},
        {"reasoning": "Herons?"},
        {"reasoning": {"content": "Herons?"}},
        {"reasoning": "Herons?", "reasoning_details": [{"type": "reasoning.text", "text": "Herons?"}]},
        {"reasoning": "Herons?", "reasoning_details": [{"type": "reasoning.encrypted", "data": "x"}]},
        {"reasoning_details": [{"type": "reasoning.summary", "summary": "Herons?"}]},
        {"thinking_blocks": [{"type": "thinking", "thinking": "Herons?", "signature": "x"}]},
        {"content": [{"type": "thinking", "thinking": "Herons?"}, TEXT]},
        {"content": [{"type": "thinking", "thinking": [THOUGHT]}, TEXT]},
        {"content": [{"type": "reasoning", "summary": [{"type": "summary_text", "text": "Herons?"}]}, TEXT]},
        {"content": [{"type": "reasoning", "text": "Herons?"}, {"type": "output_text", "text": ANSWER}]},
        {"content": [{"thought": True, "text": "Herons?"}, {"text": ANSWER}]},
        {"content": [{"type": "text", "text": "<think>Herons?</think>Terns "}, {"type": "text", "text": ANSWER[6:]}]},
        {"content": ["<think>Herons?</think>", ANSWER]},
        {"content": f"<think>Herons?</think>{ANSWER}", "refusal": None, "tool_calls": None},
    ],
)
def test_the_reasoning_of_a_message_is_found_wherever_it_is(fields):
    found = separated_message({"role": "assistant", "content": ANSWER, **fields})
    assert (found.answer, found.reasoning) == (ANSWER, "Herons?")


def test_a_message_without_text_is_empty_and_a_refusal_is_the_answer():
    assert separated_message({"content": None}).answer == ""
    assert separated_message({"content": None, "refusal": "I will not."}).answer == "I will not."
    assert separated_message({"content": [{"type": "refusal", "refusal": "I will not."}]}).answer == "I will not."
    tool_and_text = [{"type": "tool_use", "input": {}}, {"type": "text", "text": "x"}]
    assert separated_message({"content": tool_and_text}).answer == "x"
    found = separated_message({"content": None, "reasoning_content": "Herons?"})
    assert (found.answer, found.reasoning) == ("", "Herons?")
    with pytest.raises(TypeError):
        separated_message({"content": 3})


PIECES = [
    *("<think>", "</think>", "x<think>", "x <think>\n", "<think>\n<answer>", "<think> <cot>", "a <think> ", "<think "),
    *("analysis assistantfinal ", "`<think>", '{"a":', '{"a": [', "```\n", "``` x\n", "`` ` ", "`"),
    *("<|channel|>final ", "<|end|> "),
]


@pytest.mark.parametrize("piece", PIECES)
def test_the_time_grows_with_the_length(piece):
    once, four_times = (cpu_seconds(separated, f"<think>a</think>{piece * n}x") for n in (2_000, 8_000))
    assert four_times < 10 * once + 0.02
