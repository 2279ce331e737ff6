"""Reasoning in an answer is a span of its own that is never rated; tags that a sentence is about are text."""

from itertools import pairwise, product

from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.splitting import split
from annotation.splitting.reasoning import REASONING_TAGS, separate
from tests.splitting.marked_text import check

TAGS = ["<{}>\n", "</{}>"], ["[{}]", "[/{}]"], ["<seed:{}>", "</seed:{}>"], ["◁{}▷", "◁/{}▷"]


def test_reasoning_between_tags_is_one_span():
    for name, (opening, closing) in product([*REASONING_TAGS, "THINK", "Thinking"], TAGS):
        check(f"N⟦{opening.format(name)}Is it so?\n\n# Perhaps\n- yes{closing.format(name)}⟧\n\nS⟦The gate is open.⟧")


def test_tags_of_many_models():
    check(
        "N⟦<think>Tides?</think>⟧S⟦Gates open.⟧", 'N⟦<think budget="4">Tides?</think>⟧ S⟦Gates open.⟧',
        "N⟦<think>\n\n</think>⟧\n\nI⟦42⟧", "S⟦Sure.⟧ N⟦<reflection>Is it so? Yes.</reflection>⟧ S⟦Gates open.⟧",
        "S⟦Gates open.⟧\n\nN⟦<thinking>\nAll?\n</thinking>⟧\n\n- I⟦sluices⟧\n- I⟦locks⟧",
        "N⟦<|begin_of_thought|>Tides?<|end_of_thought|>⟧\n\n<|begin_of_solution|>S⟦Gates open.⟧<|end_of_solution|>",
        "N⟦<|START_THINKING|>Tides?<|END_THINKING|>⟧S⟦Gates open.⟧",
        "N⟦<|channel|>analysis<|message|>Hm?<|end|><|start|>assistant<|channel|>final<|message|>⟧S⟦Open.⟧<|return|>",
        'N⟦<details type="reasoning" done="true">\n<summary>5 s</summary>\n> Hm?\n</details>⟧\nS⟦They open.⟧',
        "N⟦<think>Tides?</think>⟧\n<answer>\nS⟦Gates open.⟧\n</answer>",
        "N⟦<think>Tides? `</think>` ends this.</think>⟧ S⟦Gates open.⟧",
        "N⟦analysisTides? Hm.assistantfinal⟧S⟦Gates open.⟧",
        "N⟦analysisWe need tides.\n\nHm.\nassistantfinal⟧\n\n**S⟦Gates** open.⟧".replace("**S⟦", "S⟦**"),
        "N⟦<|channel|>analysis<|message|>Hm?<|end|><|channel|>final <|constrain|>json<|message|>⟧I⟦4⟧",
        "N⟦<|channel>thought\nHm?<channel|>⟧S⟦Gates open.⟧",
        "N⟦<|START_THINKING|>Hm?<|END_THINKING|>⟧<|START_RESPONSE|>S⟦Gates open.⟧<|END_RESPONSE|>",
        "N⟦analysis We need tides. Hm.assistantfinal⟧S⟦Gates open.⟧",
        "N⟦<think>Hm?</think>⟧\n<final>S⟦Gates open.⟧</final>", "N⟦<unused94>thought\nHm?<unused95>⟧S⟦Gates open.⟧",
        "N⟦<|think|>Hm?<|/think|>⟧S⟦Gates open.⟧", "N⟦<|thinking|>\nHm?<|end_thinking|>⟧\nS⟦Gates open.⟧",
        "N⟦<|think|>Hm?⟧<|end|><|begin|>assistant<|content|>S⟦Gates open.⟧<|end|>",
        'N⟦<think>He said "no"</think>⟧\nS⟦Gates open.⟧', "N⟦<think>Tides.</think>⟧ S⟦And gates open.⟧",
        "N⟦<think>a <reflection>b</reflection> c</think>⟧ S⟦Gates open.⟧", "<answer>S⟦Gates open.⟧</answer>",
        "<|START_RESPONSE|>S⟦Gates open.⟧<|END_RESPONSE|>", "N⟦<think>Hm?</think>⟧\n<answer>I⟦4⟧",
    )  # fmt: skip


def test_a_closing_tag_alone_ends_what_began_before_the_text():
    check(
        "N⟦Tides? Hm.\n</think>⟧\n\nS⟦Gates open.⟧", "N⟦Tides.</thinking>⟧S⟦Gates open.⟧",
        "N⟦<think>Tides?</think> More tides.\n</think>⟧\nS⟦Gates open.⟧", "N⟦[/THINK]⟧ S⟦Gates open.⟧",
        "N⟦It is about <think> tags.\nHm.\n</think>⟧\nS⟦Gates open.⟧",
    )  # fmt: skip


def test_reasoning_that_is_never_closed_runs_to_the_end_or_to_the_answer():
    check(
        "N⟦<think>\nTides?\n\nHm.⟧", "S⟦Gates open.⟧\n\nN⟦<cot>\nAll?⟧", "N⟦<think>Hm.⟧ <answer>I⟦42⟧</answer>",
        "N⟦<think>It goes into <answer> tags. Hm.⟧\n<answer>I⟦42⟧</answer>", "S⟦Gates open.⟧N⟦<think>All?⟧",
        "S⟦Gates open.⟧\nN⟦<think>all?⟧",
    )  # fmt: skip


def test_a_text_about_tags_has_no_reasoning():
    check(
        "S⟦R1 reasons in <think> tags.⟧ S⟦They help.⟧", "S⟦R1 writes <think> and </think> around it.⟧ S⟦They help.⟧",
        "S⟦<think> and </think> are tags.⟧", "S⟦It ends with </think>, as others do.⟧ S⟦So it goes.⟧",
        "S⟦Use `<think>` first.⟧ S⟦Then use `</think>` again.⟧", 'S⟦The tag "<think>" is short.⟧',
        "S⟦A <thinker> is no tag.⟧", "C⟦```xml\n<think>\nTides?\n</think>\n```⟧\nS⟦So it is.⟧",
        "S⟦R1 writes <think>hm</think> Then it answers.⟧", "I⟦[Analysis]⟧\nS⟦Gates open at high tide.⟧",
        "S⟦analysis of tides is hard.⟧ S⟦An assistantfinal is no word.⟧",
        'S⟦analysisWe and "assistantfinal" are joined words.⟧',
        "S⟦analysis-channel text comes first, assistantfinal text last.⟧",
    )  # fmt: skip


def test_the_answer_is_split_as_if_it_stood_alone():
    answer = "# Tides\n\nThey rise. They fall [1].\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```"
    alone = [(answer[span.start : span.end], span.kind) for span in split(answer)]
    text = f"<think>Hm.\n```\n</think>\n\n{answer}"
    assert [(text[span.start : span.end], span.kind) for span in split(text)][1:] == alone


PIECES = ["<think>", "</think>", "[THINK]", "[/THINK]", "<answer>", "</answer>", "<|channel|>analysis<|message|>",
          "<|channel|>final<|message|>", "Gates open. ", "\n", "```\n", "`", " ", "\u200b", "42", "- "]  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_reasoning_and_answers_are_disjoint_and_in_order(text):
    found, answers = separate(text)
    assert all(each.first <= each.last for each in found)
    reasoning = [(each.start, each.end) for each in found]
    for parts in (reasoning, answers, sorted([*reasoning, *answers])):
        assert all(start <= end for start, end in parts)
        assert all(end <= start for (_, end), (start, _) in pairwise(parts))
    assert [(s.start, s.end) for s in split(text) if s.kind == "reasoning"] == reasoning
