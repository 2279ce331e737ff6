"""The texts of questions as the workspace shows them."""

from django.utils.translation import override

from annotation.i18n.protocol_translation import translate_protocol
from annotation.protocols import Condition, Question, builtin


def test_a_conditional_question_does_not_repeat_the_condition_and_others_are_whole() -> None:
    protocol, condition = builtin()["article-accuracy"], Condition.of({"accuracy": ["inaccurate"]})
    assert protocol.questions[1].text.startswith('If you selected "Inaccurate"')
    assert protocol.questions[1].short_text == "Do you think the issue is severe?"
    with override("es"):
        assert translate_protocol(protocol).questions[1].short_text == "¿Cree que el fallo es grave?"
    cites, say = "If the sentence cites a source, is the source reliable?", "If you selected it, say why, in words."
    for text in ("Is it severe?", cites, say):
        assert Question("severity", text, show_when=condition).short_text == text
    text = "If you selected nothing, is it severe?"
    assert Question("severity", text, show_when=condition).short_text == "Is it severe?"
    assert Question("severity", text).short_text == text


def test_a_question_about_an_article_is_known() -> None:
    assert Question("accuracy", "Is it accurate according to the article?").mentions_article
    assert Question("accuracy", "¿Qué tan exacta es según el artículo?").mentions_article
    assert not Question("accuracy", "Are the particles accurate?").mentions_article
