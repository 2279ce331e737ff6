"""A protocol as a form: what a post without a change keeps, what the fields and buttons change, problems in place."""

import re
from html import unescape

import pytest
from django.test import Client

from annotation import protocols
from annotation.models import ProtocolVersion
from annotation.protocols.draft_fields import CONDITIONS
from annotation.protocols.examples import builtin_example_text
from annotation.protocols.protocol_draft import ProtocolDraft
from annotation.web.protocols import views
from annotation.web.protocols.form_words import LABELS
from annotation.web.protocols.protocol_form import FIELDS, field_count, form_parts
from tests.cast import signed_in, study
from tests.protocol_text import choice, protocol_text
from tests.web.pages import fields_of, html_of, text_of

pytestmark = pytest.mark.django_db

NEW = "/protocols/new/"
PREVIEW = f"{NEW}questions/"
OWN = protocol_text(
    "own",
    choice("so", "Is it so?", {"yes": "Yes", "no": "No"}, "12"),
    choice("why", "Why?", {"a": "A", "b": "B"}, show_when={"so": ["no"]}),
    counts={"so": ["yes"]},
    among={"so": ["yes", "no"]},
)


@pytest.fixture(scope="module")
def lena(module_rows) -> Client:
    """Return a client in which Lena is signed in, the lead of a study."""
    study()
    return signed_in("lena")


def page_of(response) -> str:
    assert response.status_code == 200
    return response.content.decode()


def opened(client, text: str) -> dict[str, list[str]]:
    return fields_of(page_of(client.post(NEW, {"source": text, "view": "form"})))


def text_after(client, text: str, changes: dict[str, object]) -> str:
    """Return the text after changes of the fields in the form."""
    page = page_of(client.post(NEW, opened(client, text) | changes | {"view": "text"}))
    return fields_of(page)["source"][0]


def copy_of(slug: str) -> str:
    """Return the text of a built-in protocol with its worked example, under another name."""
    builtin = protocols.builtin()[slug]
    return f"{builtin.source}\n{builtin_example_text(builtin.sha256)}".replace(f'"{slug}"', '"own"', 1)


@pytest.mark.parametrize("slug", sorted(protocols.builtin()))
def test_the_form_of_a_copy_of_a_built_in_protocol_gives_the_text_back(lena, slug):
    assert text_after(lena, copy_of(slug), {}) == copy_of(slug)


def test_fields_change_the_text_and_comments_stay(lena):
    source = protocols.builtin()["article-accuracy"].source
    changes = {"protocol-title": "Birds", "questions-0-options-4-key": "unclear", "measures-0-better": "neither"}
    text = text_after(lena, source, changes)
    before, after = ([line for line in each.split("\n") if line.startswith("#")] for each in (source, text))
    assert after == before
    protocol = protocols.load(text)
    assert (protocol.title, protocol.measures[0].better) == ("Birds", "neither")
    assert protocol.questions[0].option_keys[4] == "unclear"


def test_each_field_and_condition_has_a_label():
    for part, fields in FIELDS.items():
        names = [*(name for name, _kind in fields), *CONDITIONS.get(part, ())]
        assert [name for name in names if name not in LABELS] == []


def test_labels_questions_and_choices_are_in_words(lena):
    page = text_of(lena.post(NEW, {"source": OWN, "view": "form"}))
    assert "Ask once per response once" in page and "Show only if show_when" in page
    assert "Raters see it before the first question." in page
    assert "Question 1: Is it so?" in page and "Option 2: No" in page and "Measure 1:" in page
    for words in ("Choice of options", "Green: accurate", "Higher is better", "Web addresses"):
        assert words in page
    assert "Add question" in page and "Add worked example" in page


def open_parts(page: str) -> list[str]:
    """Return the ids of the unfolded parts."""
    return re.findall(r'<details\s+class="form-section[^"]*" id="([^"]+)"\s+open>', page)


def test_the_first_part_added_ones_and_those_with_problems_are_unfolded(lena):
    assert open_parts(page_of(lena.post(NEW, {"source": OWN, "view": "form"}))) == ["protocol"]
    sent = opened(lena, OWN) | {"questions-0-options-1-label": "", "open": ["measures-0"]}
    page = page_of(lena.post(NEW, sent))
    assert open_parts(page) == ["questions-0", "questions-0-options-1", "measures-0"]
    assert "1 problem" in page
    page = page_of(lena.post(NEW, opened(lena, OWN) | {"add-option": "questions-1", "open": []}))
    assert {"questions-1", "questions-1-options-2"} <= set(open_parts(page))


def test_means_have_a_question_or_measures_and_correlations_name_them_by_label(lena):
    text = text_after(lena, text_after(lena, OWN, {"add-mean": "protocol"}), {"add-mean": "protocol"})
    text = text_after(lena, text, {"add-correlation": "protocol", "means-0-label": "First"})
    assert "First" in text_of(lena.post(NEW, {"source": text, "view": "form"}))
    text = text_after(lena, text, {"correlations-0-between": ["mean_1", "mean_2"]})
    assert 'between = ["mean_1", "mean_2"]' in text
    assert text_after(lena, text, {}) == text
    text = text_after(lena, OWN, {"add-mean": "protocol"})
    text = text_after(lena, text, {"means-0-label": "Mean", "means-0-question": "so"})
    text = text_after(lena, text, {"means-0-values-yes": "1", "means-0-values-no": "0,5"})
    [mean] = protocols.load(text).means
    assert (mean.question, mean.values) == ("so", (("yes", 1.0), ("no", 0.5)))
    assert "values = { yes = 1, no = 0.5 }" in text
    assert text_after(lena, text, {}) == text
    assert protocols.load(text_after(lena, text, {"means-0-values-no": ""})).means[0].values == (("yes", 1.0),)
    of_measure = {"means-0-question": "", "means-0-values-yes": "", "means-0-values-no": "", "means-0-of": "so"}
    measure = protocols.load(OWN).measures[0].key
    assert protocols.load(text_after(lena, text, of_measure | {"means-0-of": measure})).means[0].of == (measure,)


def test_conditions_and_kinds_are_changed_in_the_form(lena):
    protocol = protocols.load(text_after(lena, OWN, {"questions-1-show_when": ["so:yes", "so:no"]}))
    assert dict(protocol.questions[1].show_when) == {"so": ("no", "yes")}
    assert not protocols.load(text_after(lena, OWN, {"questions-1-show_when": []})).questions[1].show_when
    text = text_after(lena, OWN, {"questions-1-kinds": "table_row, code"})
    assert protocols.load(text).questions[1].kinds == ("table_row", "code")
    assert text_after(lena, text, {}) == text
    assert text_after(lena, text, {"questions-1-kinds": ""}) == OWN


def test_buttons_add_move_and_remove_parts(lena):
    def keys(change: dict[str, str]) -> list[str]:
        return [question.key for question in protocols.read(text_after(lena, OWN, change))[0].questions]

    assert keys({"add-question": "protocol"}) == ["so", "why", "question_1"]
    assert keys({"move-up": "questions-1"}) == ["why", "so"]
    assert keys({"remove": "questions-0"}) == ["why"]
    assert keys({"remove": "questions-7"}) == ["so", "why"]
    text = text_after(lena, OWN, {"add-option": "questions-0"})
    assert len(protocols.read(text)[0].questions[0].options) == 3
    text = text_after(lena, text_after(lena, OWN, {"add-score": "protocol"}), {"add-weight": "scores-0"})
    assert "[[scores.weights]]" in text


def test_a_problem_is_at_its_field_and_a_text_without_one_is_stored(lena):
    sent = opened(lena, OWN) | {"questions-0-options-0-label": "", "do": "store"}
    page = unescape(page_of(lena.post(NEW, sent)))
    [shown] = re.findall(r'id="id_questions-0-options-0-label_error">\s*<li>(.*?)</li>', page)
    assert shown == "'label' of option 'yes' of question 'so' is empty"
    assert not ProtocolVersion.objects.filter(slug="own").exists()
    lena.post(NEW, opened(lena, OWN) | {"protocol-title": "Other", "do": "store"})
    assert ProtocolVersion.objects.get(slug="own").title == "Other"
    assert "Version 1 of own is stored and never changes" in html_of(lena.get(f"{NEW}?from=own:1&view=form"))
    page = page_of(lena.post(PREVIEW, {"source": OWN.replace("Is it so?", "Is it?")}))
    assert "give the new text a new version" in page
    page = unescape(page_of(lena.post(PREVIEW, {"source": OWN.replace('"own"', '"article-accuracy"', 1)})))
    assert "is the name of a built-in protocol" in page


def test_markup_in_a_protocol_is_shown_as_text(lena):
    hostile = "<script>alert(1)</script>"
    sent = opened(lena, OWN) | {"questions-0-options-0-label": hostile, "protocol-title": f'"{hostile}'}
    page = page_of(lena.post(NEW, sent | {"view": "form"}))
    assert hostile not in page
    assert fields_of(page)["questions-0-options-0-label"] == [hostile]


def test_a_text_that_has_no_parts_or_more_fields_than_a_post_may_have_stays_a_text(lena, monkeypatch):
    for text in ("questions = 3", "slug = "):
        assert 'name="shown"' not in page_of(lena.post(NEW, {"source": text, "view": "form"}))
    assert 'name="shown"' in page_of(lena.post(NEW, {"source": OWN, "view": "form"}))
    monkeypatch.setattr(views, "MAX_FORM_FIELDS", 20)
    page = page_of(lena.post(NEW, {"source": OWN, "view": "form"}))
    assert 'name="shown"' not in page and "more fields than a form can send" in page
    assert fields_of(page)["source"] == [OWN]


def test_a_copy_has_a_slug_a_title_and_an_example_that_can_be_removed(lena):
    address = "/protocols/article-accuracy/1/"
    assert 'value="own-article-accuracy"' in html_of(lena.get(address))
    page = page_of(lena.get(f"{NEW}?from=article-accuracy:1&view=form&slug=birds&title=Birds+%26+bees"))
    source = fields_of(page)["source"][0]
    protocol = protocols.load(source)
    assert (protocol.slug, protocol.version, protocol.title) == ("birds", "1", "Birds & bees")
    builtin = protocols.builtin()["article-accuracy"]
    assert protocol.questions == builtin.questions
    assert protocol.example == builtin.example
    assert "example-items-4-text" in page and "example-practice-text" in page and "never changes" not in page
    page = page_of(lena.get(f"{NEW}?from=article-accuracy:1&view=form&slug=birds&title=Birds"))
    changed = page_of(lena.post(NEW, fields_of(page) | {"remove": "example"}))
    assert protocols.load(fields_of(changed)["source"][0]).example is None
    assert "example-prompt" not in changed
    page = page_of(lena.get(f"{NEW}?from=article-accuracy:1&view=form"))
    assert "example-prompt" not in page and 'name="add-example"' in page


def test_items_of_the_example_are_changed_added_and_removed(lena):
    builtin, source = protocols.builtin()["article-accuracy"], copy_of("article-accuracy")
    changes = {
        "example-prompt": "Why?",
        "example-items-1-answers-accuracy": "accurate",
        "example-items-1-answers-severity": "",
        "example-practice-explanation": "It is so.",
    }
    example = protocols.load(text_after(lena, source, changes)).example
    assert example.prompt == "Why?"
    assert example.items[1].answers == (("accuracy", "accurate"),)
    assert example.practice.explanation == "It is so."
    assert example.items[0] == builtin.example.items[0]

    more = text_after(lena, source, {"add-item": "example"})
    filled = {"text": "So.", "explanation": "As it says.", "answers-accuracy": "accurate"}
    more = text_after(lena, more, {f"example-items-5-{name}": value for name, value in filled.items()})
    assert [item.text for item in protocols.load(more).example.items][5] == "So."
    moved = text_after(lena, more, {"move-up": "example-items-5"})
    assert [item.text for item in protocols.load(moved).example.items][4] == "So."
    fewer = text_after(lena, moved, {"remove": "example-items-4"})
    assert protocols.load(fewer).example == builtin.example
    assert protocols.load(text_after(lena, source, {"remove": "example-practice"})).example.practice is None


def test_a_protocol_gets_an_example_whose_problems_are_at_their_fields(lena):
    text = text_after(lena, OWN, {"add-example": "protocol"})
    page = unescape(page_of(lena.post(NEW, opened(lena, text) | {"example-items-0-answers-why": "a"})))
    [problem] = re.findall(r'id="id_example-items-0-answers-why_error">\s*<li>(.*?)</li>', page)
    assert "answers 'why', which is not asked after its other answers" in problem
    assert text.startswith(OWN)
    text = text_after(lena, text, {"add-practice": "example"})
    answers = {"answers-so": "yes", "text": "One.", "explanation": "It is."}
    parts = {f"example-{part}-{name}": value for part in ("items-0", "practice") for name, value in answers.items()}
    example = protocols.load(text_after(lena, text, {"example-prompt": "P?", **parts})).example
    assert example.items[0] == example.practice
    assert example.practice.answers == (("so", "yes"),)


def test_a_new_protocol_begins_with_a_question_and_needs_a_slug_and_a_title(lena):
    page = page_of(lena.get(f"{NEW}?view=form"))
    assert [each.path for each in protocols.read(fields_of(page)["source"][0])[1]] == [("slug",), ("title",)]
    assert unescape(page).count("is empty</a>") == 2


def test_a_post_of_a_form_has_no_more_fields_than_are_counted(lena):
    source = protocols.builtin()["article-accuracy-weighted"].source
    count = field_count(form_parts(ProtocolDraft(source).fields))
    assert sum(map(len, opened(lena, source).values())) <= count + 20


def test_the_preview_has_the_questions_and_links_each_problem_to_its_field_or_its_line(lena):
    sent = opened(lena, OWN) | {"questions-0-text": "Is it true?", "questions-1-show_when": ["so:yes"]}
    page = unescape(page_of(lena.post(PREVIEW, sent)))
    assert 'id="protocol-questions" hx-swap-oob="innerHTML"' in page and "Is it true?" in page
    assert '"show_when": {"so": ["yes"]}' in page and "No problems" in page
    assert not ProtocolVersion.objects.filter(slug="own").exists()
    message = "'label' of option 'yes' of question 'so' is empty"
    sent = opened(lena, OWN) | {"questions-0-options-0-label": ""}
    page = unescape(page_of(lena.post(PREVIEW, sent)))
    assert f'<a href="#id_questions-0-options-0-label" data-field-link>{message}</a>' in page
    text = OWN.replace('label = "Yes"', 'label = ""', 1)
    page = unescape(page_of(lena.post(PREVIEW, {"source": text})))
    line = text.split("\n").index('label = ""') + 1
    assert f'data-line="{line}"' in page and message in page
    page = page_of(lena.post(PREVIEW, {"source": "slug = "}))
    assert "this is not valid TOML" in page and "protocol-questions" not in page


def test_the_questions_of_a_stored_version_are_shown_to_leads(lena):
    version = ProtocolVersion.objects.get(slug="article-accuracy")
    address = "/protocols/questions/"
    assert "How accurate is the sentence" in page_of(lena.get(address, {"protocol": version.pk}))
    assert lena.get(address, {"protocol": "x"}).status_code == 404
