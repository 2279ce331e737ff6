"""The texts of questions as the workspace shows them."""

from django.utils.translation import override

from annotation.i18n.protocol_translation import translate_protocol
from annotation.protocols import Condition, Question, builtin

CHOSEN = Condition({"accuracy": frozenset({"inaccurate"})})


def severity(text: str, *, is_conditional: bool = True) -> Question:
    return Question("severity", text, show_when=CHOSEN) if is_conditional else Question("severity", text)


def test_a_conditional_question_does_not_repeat_the_condition_and_others_are_whole() -> None:
    question = builtin()["article-accuracy"].questions[1]
    assert question.text.startswith('If you selected "Inaccurate"')
    assert question.short_text == "Do you think the issue is severe?"
    with override("es"):
        assert (
            translate_protocol(builtin()["article-accuracy"]).questions[1].short_text == "¿Cree que el fallo es grave?"
        )
    cites, say = "If the sentence cites a source, is the source reliable?", "If you selected it, say why, in words."
    for text in ("Is it severe?", cites, say):
        assert severity(text).short_text == text


def test_without_a_condition_the_text_is_whole_and_one_about_an_article_is_known() -> None:
    text = "If you selected nothing, is it severe?"
    assert severity(text).short_text == "Is it severe?"
    assert severity(text, is_conditional=False).short_text == text
    assert severity("Is it accurate according to the article?").mentions_article
    assert severity("¿Qué tan exacta es según el artículo?").mentions_article
    assert not severity("Are the particles accurate?").mentions_article
