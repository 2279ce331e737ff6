"""The review's pages: what the list shows, deciding from the form, two leads at once, names hidden until asked for."""

import re
import uuid

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Item, Membership, Project, Prompt, Rating, Sheet
from annotation.projects.members import add_member
from annotation.reviewing.adjudication import adjudicate
from annotation.reviewing.gold import set_gold
from tests.cast import ACCURATE, SEVERE, person, signed_in, study, which_is_better
from tests.web.pages import html_of, queries, text_of

pytestmark = pytest.mark.django_db
DISPUTED = {"accuracy": "disputed", "severity": "not_severe"}
FORM = {"answers.accuracy": "inaccurate", "answers.severity": "severe", "reason": "Table 2.", "seen": "none"}
REVIEW = "/projects/june/review/"


def store_rating(project: Project, item: Item, user: str, answers: dict, **more: object) -> Rating:
    return Rating.objects.create(
        project=project, item=item, rater=person(user), answers=answers, choices=answers, counted=True,
        rated_at=timezone.now(), **more,
    )  # fmt: skip


@pytest.fixture(scope="module")
def june(module_rows):
    """Create a response of four sentences: opposite answers, neighboring ones, agreement, one rating only."""
    prepared = study(sentences=4, raters=("ravi", "rosa", "tom"))
    add_member(prepared.project, person("ines"), Membership.Role.LEAD)
    labels = [[ACCURATE, SEVERE, SEVERE], [ACCURATE, DISPUTED], [ACCURATE, ACCURATE], [ACCURATE]]
    for item, answers in zip(prepared.items(), labels, strict=True):
        for name, each in zip(("ravi", "rosa", "tom"), answers, strict=False):
            store_rating(prepared.project, item, name, each, seconds=12.5)
    return prepared.project


@pytest.fixture
def items(june):
    return list(Item.objects.filter(response__sheets__project=june).order_by("position"))


def review_url(item: Item, more: str = "") -> str:
    return f"{REVIEW}{item.public_id}/{more}"


def ratings_in_role(role: str) -> list[tuple[str, dict, str]]:
    rows = Rating.objects.filter(role=role).order_by("rater__username", "pk")
    return list(rows.values_list("rater__username", "answers", "comment"))


def test_the_list_has_the_worst_first_says_how_much_there_is_and_takes_few_queries(lena):
    text = text_of(lena.get(REVIEW))
    assert "Raters disagree on 2 of 3 sentences with two or more ratings" in text
    assert text.index("Sentence number 1") < text.index("Sentence number 2")
    assert "Sentence number 3" not in text and "Inaccurate, Severe × 2" in text
    assert queries(lena, REVIEW) <= 14  # one is of the bell


def test_an_empty_project_says_what_it_waits_for(lena):
    study("empty")
    review = REVIEW.replace("june", "empty")
    text = text_of(lena.get(review))
    assert "No sentence has two ratings that count yet" in text and "No disagreements yet" in text
    for show, heading in [("adjudicated", "No adjudications yet"), ("commented", "No comments yet")]:
        page = html_of(lena.get(f"{review}?show={show}"))
        assert heading in page and "appear here." in page and 'class="button"' in page[page.index(heading) :]
    assert "No gold answers yet" in text_of(lena.get(f"{review}gold/"))
    assert "No adjudications yet" in text_of(lena.get(f"{review}compared/"))


def test_the_address_says_what_is_listed_and_goes_along_to_the_item_and_to_the_next(lena, items):
    for query, sentences in (
        ("", [1, 2]),
        ("?show=all", [1, 2, 3, 4]),
        ("?show=commented", []),
        ("?show=nonsense", [1, 2]),
        ("?answer=accuracy:accurate&against=accuracy:disputed", [2]),
        ("?answer=severity:severe", [1]),
        ("?rater=tom", [1]),
        ("?system=heron", [1, 2]),
        ("?show=all&answer=accuracy:nonsense", [1, 2, 3, 4]),
        ("?page=99", [1, 2]),
        ("?page=-1", [1, 2]),
        ("?rater=%00&answer=%00", [1, 2]),
    ):
        text = html_of(lena.get(REVIEW + query))
        assert [n for n in range(1, 5) if f"Sentence number {n} " in text] == sentences, query
    before, address, after = (f"{review_url(item)}?show=all&answer=accuracy%3Aaccurate" for item in items[:3])
    assert address in html_of(lena.get(address.replace(review_url(items[1]), REVIEW))).replace("&amp;", "&")
    page = html_of(lena.get(address)).replace("&amp;", "&")
    assert f'href="{before}"' in page and f'href="{after}"' in page
    assert lena.post(address, FORM)["Location"] == after


def test_an_item_shows_everything_that_was_said_of_it(lena, june, items):
    passage = [{"paragraph": "p2", "start": 4, "end": 16}, {"paragraph": "p99", "quote": "elsewhere"}, {"odd": [1]}]
    Rating.objects.filter(item=items[0], rater=person("tom")).update(comment="See the table.", evidence=passage)
    store_rating(june, items[0], "unfinished", ACCURATE)
    Rating.objects.filter(rater=person("unfinished")).update(counted=False)
    text = text_of(lena.get(review_url(items[0])))
    assert "4 ratings" in text and "Not finished: does not count" in text
    assert "See the table." in text and "median range in the article" in text
    assert "elsewhere" in text and "{&quot;odd&quot;: [1]}" in text
    assert "12 s ·" in text or "13 s ·" in text
    html = html_of(lena.get(review_url(items[0])))
    assert f'<span class="s first" data-item="{items[0].position}">' in html
    assert f'data-item="{items[1].position}"' not in html


def test_names_are_letters_until_they_are_asked_for_and_the_way_back_is_on_this_site(lena, items):
    form = lena.get(REVIEW).context["query"].form
    codes = {label: value for value, label in form.fields["rater"].choices if value}
    assert sorted(codes) == ["Rater A", "Rater B", "Rater C"]
    rows = lena.get(review_url(items[0])).context["item_ratings"].raters
    by = {row.rating.rater.username: row.rater_name for row in rows}
    text = html_of(lena.get(f"{REVIEW}?rater={codes[by['tom']]}"))
    assert "Sentence number 1 " in text and "Sentence number 2 " not in text
    for address in (REVIEW, review_url(items[0]), REVIEW + "?show=all"):
        html = html_of(lena.get(address))
        assert not any(name in html for name in ("ravi", "rosa", "tom ", "heron · ", ">heron<"))
    assert "Rater A" in html_of(lena.get(review_url(items[0])))
    back = review_url(items[0])
    for kind in ("raters", "systems"):
        assert lena.post(f"{REVIEW}names/", {"kind": kind, "shown": "1", "next": back})["Location"] == back
    html = html_of(lena.get(review_url(items[0])))
    assert "ravi" in html and "Response · heron" in html and "Rater A" not in html
    assert "heron" in text_of(lena.get(REVIEW))
    lena.post(f"{REVIEW}names/", {"kind": "raters", "next": "https://elsewhere.example/"})
    assert "Rater A" in html_of(lena.get(review_url(items[0])))
    answer = lena.post(f"{REVIEW}names/", {"kind": "nonsense", "next": "https://elsewhere.example/"})
    assert answer["Location"] == REVIEW


def test_deciding_stores_an_adjudication_and_goes_to_the_next(lena, items):
    answer = lena.post(review_url(items[0]), FORM, follow=True)
    assert answer.redirect_chain == [(review_url(items[1]), 302)]
    assert "Adjudicated: Inaccurate, Severe. “Sentence number 1 of heron.”" in text_of(answer)
    assert ratings_in_role("adjudicator") == [("lena", SEVERE, "Table 2.")]
    last = lena.post(review_url(items[1]), FORM)
    assert last["Location"] == REVIEW
    assert "All disagreements are adjudicated" in text_of(lena.get(REVIEW))
    assert "Sentence number 1" in text_of(lena.get(REVIEW + "?show=adjudicated"))


def test_the_form_has_ones_own_decision_and_another_leads_is_shown_beside_it(lena, june, items):
    adjudicate(june, items[0], SEVERE, "By Ines.", person("ines"))
    page = lena.get(review_url(items[0]))
    assert "Adjudicated by ines" in text_of(page) and "Adjudicate again" in text_of(page)
    assert page.context["reason"] == "" and [label for _, label, _ in page.context["questions"]] == ["", ""]
    adjudicate(june, items[0], DISPUTED, "By Lena.", person("lena"))
    page = lena.get(review_url(items[0]))
    for words in ("Your adjudication", "Earlier adjudications (1)", "Earlier, by ines"):
        assert words in text_of(page)
    assert page.context["reason"] == "By Lena."
    assert 'value="disputed" checked' in html_of(page)


def test_a_bad_form_decides_nothing_says_why_and_keeps_what_was_typed(lena, items):
    for form, says in (
        ({"reason": ""}, "Enter a reason: it is stored with the adjudication"),
        ({"answers.severity": ""}, "is not one of the options: severe, not_severe."),
        ({"answers.accuracy": "<b>x</b>"}, "&lt;b&gt;x&lt;/b&gt;&#x27; is not one of the options"),
        ({"answers.colour": "red"}, "&#x27;colour&#x27; is not a question of this protocol"),
    ):
        answer = lena.post(review_url(items[0]), FORM | {"reason": "kept <i>"} | form)
        html = answer.content.decode()
        assert answer.status_code == 400 and says in html
        assert "kept &lt;i&gt;" in html or form == {"reason": ""}
    assert ratings_in_role("adjudicator") == []


def test_names_are_shown_in_the_middle_of_a_decision_without_losing_it(lena, items):
    page = lena.post(review_url(items[1]), {**FORM, "show_names": "raters"})
    assert page.status_code == 200 and "<span>ravi</span>" in html_of(page)
    assert 'value="inaccurate" checked' in html_of(page) and ">Table 2.</textarea>" in html_of(page)
    assert ratings_in_role("adjudicator") == []
    assert "<h3>ravi</h3>" not in html_of(lena.post(review_url(items[1]), {**FORM, "hide_names": "raters"}))
    assert lena.post(review_url(items[1]), {**FORM, "show_names": "nonsense"}).status_code == 200


def test_the_majority_is_agreed_with_by_one_button(lena, items):
    assert 'name="majority"' in html_of(lena.get(review_url(items[0])))
    lena.post(review_url(items[0]), {"majority": "1", "seen": "none"})
    assert ratings_in_role("adjudicator") == [("lena", SEVERE, "Agrees with the majority: 2 of 3 raters.")]
    without = html_of(lena.get(review_url(items[1])))
    assert 'name="majority"' not in without
    assert 'data-no-majority="No majority: no answers were given by more than half of' in without
    assert lena.post(review_url(items[1]), {"majority": "1", "seen": "none"}).status_code == 400


def test_a_lead_who_comes_second_is_shown_the_decision_and_may_replace_it(lena, june, items):
    page = lena.get(review_url(items[0]))
    adjudicate(june, items[0], DISPUTED, "I was first.", person("ines"))
    answer = lena.post(review_url(items[0]), FORM | {"seen": page.context["decision_token"]})
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "Another person has adjudicated in the meantime, so nothing was saved." in html and "I was first." in html
    assert re.search(r'value="severe"\s[^>]*\bchecked\b', html) and "Table 2." in html
    assert ratings_in_role("adjudicator") == [("ines", DISPUTED, "I was first.")]
    assert lena.post(review_url(items[0]), FORM | {"seen": answer.context["decision_token"]}).status_code == 302
    assert [name for name, _, _ in ratings_in_role("adjudicator")] == ["ines", "lena"]


def test_a_decision_is_withdrawn_unless_another_has_come(lena, june, items):
    lena.post(review_url(items[0]), FORM)
    token = lena.get(review_url(items[0])).context["decision_token"]
    adjudicate(june, items[0], DISPUTED, "Newer.", person("ines"))
    assert lena.post(review_url(items[0], "withdraw/"), {"seen": token}).status_code == 409
    token = lena.get(review_url(items[0])).context["decision_token"]
    text = text_of(lena.post(review_url(items[0], "withdraw/"), {"seen": token}, follow=True))
    assert "The earlier one by lena applies again." in text and "Your adjudication" in text


def test_gold_is_typed_in_taken_from_a_decision_and_removed(lena, june, items):
    typed = {"answers.accuracy": "accurate", "seen_gold": "none"}
    assert lena.post(review_url(items[3], "gold/"), typed).status_code == 302
    assert ratings_in_role("gold") == [("lena", ACCURATE, "")]
    adjudicate(june, items[0], SEVERE, "Table 2.", person("ines"))
    token = lena.get(review_url(items[0])).context["decision_token"]
    lena.post(review_url(items[0], "gold/"), {"from": "adjudication", "seen": token})
    assert ratings_in_role("gold") == [("lena", ACCURATE, ""), ("lena", SEVERE, "Table 2.")]
    text = text_of(lena.get(f"{REVIEW}gold/"))
    assert "2 sentences with a gold answer" in text and "Inaccurate, ! Severe" in text
    [first, second] = lena.get(f"{REVIEW}gold/").context["rows"]
    assert [(row.raters, agreed) for row, _, agreed in (first, second)] == [(3, 2), (1, 1)]
    token = lena.get(review_url(items[0])).context["gold_token"]
    assert lena.post(review_url(items[0], "gold/remove/"), {"seen_gold": "1.1"}).status_code == 409
    assert lena.post(review_url(items[0], "gold/remove/"), {"seen_gold": token}).status_code == 302
    assert len(ratings_in_role("gold")) == 1


def test_bad_gold_is_named_and_good_gold_leads_to_the_next_item(lena, items):
    address = review_url(items[0], "gold/")
    for posted, says in (
        ({"answers.accuracy": "inaccurate", "seen_gold": "none"}, "This question needs an answer."),
        ({"answers.accuracy": "accurate", "reason": "x" * 10_001}, "Use at most 10,000 characters"),
    ):
        answer = lena.post(address, posted)
        assert answer.status_code == 400 and says in answer.content.decode()
    assert ratings_in_role("gold") == []
    answer = lena.post(f"{address}?show=all", {"answers.accuracy": "accurate", "seen_gold": "none"}, follow=True)
    assert answer.redirect_chain[-1][0] == review_url(items[1]) + "?show=all"
    assert "Gold answer: Accurate." in text_of(answer) and "Save as gold and next" in text_of(answer)


def test_raters_never_see_gold_nor_decisions(june, items):
    set_gold(june, items[0], SEVERE, person("lena"), "gold-note")
    adjudicate(june, items[0], SEVERE, "adjudication-reason", person("lena"))
    client = signed_in("tom")
    page = client.get("/projects/june/rate/", follow=True)
    work = client.post("/api/v1/projects/june/assignments/", content_type="application/json")
    for body in (page.content.decode(), work.content.decode()):
        assert "gold-note" not in body and "adjudication-reason" not in body


def test_the_adjudicated_proportions_stand_beside_the_raw_ones(lena, june, items):
    adjudicate(june, items[0], SEVERE, "Table 2.", person("lena"))
    context = lena.get(f"{REVIEW}compared/").context
    assert context["decision_count"] == 1
    [(system, pairs), (everything, _)] = context["rows"]
    assert (system, everything) == ("heron", "")
    counts = [(raw.k, raw.n, adjudicated.k, adjudicated.n) for raw, adjudicated, _ in pairs]
    assert counts == [(5, 8, 4, 6), (2, 8, 1, 6), (2, 8, 1, 6)]
    part = html_of(lena.get(f"{REVIEW}compared/", headers={"HX-Request": "true"}))
    assert "<html" not in part and "62.5 %" in part and "66.7 %" in part
    assert 'hx-get="/projects/june/review/compared/" hx-trigger="load"' in html_of(lena.get(REVIEW))


def test_hostile_text_is_shown_as_text_also_without_a_document_or_a_position(lena, june, items):
    nasty = "<script>alert(1)</script>\u202e‮{{ 7 }}"
    Item.objects.filter(pk=items[0].pk).update(text=nasty)
    evidence = [{"paragraph": "p1", "start": -1, "end": 1e9}, nasty, {"text": nasty}, 7, None]
    Rating.objects.filter(item=items[0]).update(comment=nasty, evidence=evidence)
    adjudicate(june, items[0], SEVERE, nasty, person("ines"))
    for address in (REVIEW + "?show=all", review_url(items[0])):
        html = html_of(lena.get(address))
        assert "<script>alert" not in html and "&lt;script&gt;alert" in html
    assert "Terns fly further" in text_of(lena.get(review_url(items[0])))
    Item.objects.filter(pk=items[0].pk).update(start=None, end=None)
    assert "Rated text" in html_of(lena.get(review_url(items[0])))
    Prompt.objects.update(document=None)
    assert "without-article" in html_of(lena.get(review_url(items[0])))


def test_what_is_not_of_the_project_is_not_found_and_an_archived_one_is_read_and_not_decided(lena, june, items):
    elsewhere = study("other").items()[0]
    assert lena.get(review_url(elsewhere)).status_code == 404
    assert lena.get(f"{REVIEW}{uuid.uuid4()}/").status_code == 404
    Project.objects.filter(pk=june.pk).update(archived_at=timezone.now())
    assert "adjudication has ended" in text_of(lena.get(review_url(items[0])))
    assert "This project is archived" in text_of(lena.post(review_url(items[0]), FORM, follow=True))
    assert not Rating.objects.filter(role="adjudicator").exists()


def test_a_page_asks_the_database_as_often_for_one_as_for_three(lena):
    addresses = []
    for slug, sentences in (("few", 1), ("many", 3)):
        each = study(slug, sentences=sentences)
        for n, item in enumerate(each.items()):
            for user, answers in (("ravi", ACCURATE), ("rosa", SEVERE), *[(f"r{k}", SEVERE) for k in range(n)]):
                store_rating(each.project, item, user, answers)
            set_gold(each.project, item, SEVERE, person("lena"))
            adjudicate(each.project, item, SEVERE, "So.", person("lena"))
        pages = ("", "?show=all", "gold/", f"{each.items()[-1].public_id}/")
        addresses.append([reverse("review", args=[slug]) + page for page in pages])
    for few, many in zip(*addresses, strict=True):
        assert queries(lena, few) == queries(lena, many) <= 24, few


def test_pairs_under_another_protocol_with_words_are_reviewed_too(lena):
    prepared = study("pairs", systems=("heron", "plover"))
    project = prepared.project
    project.protocol = which_is_better(why=True)
    project.save()
    first, second = prepared.responses
    pair = Item.objects.create(response=first, against=second, unit="pair", position=0, text="A and B")
    Sheet.objects.create(project=project, response=first, against=second, rank=1)
    store_rating(project, pair, "ravi", {"better": "first"})
    words = store_rating(project, pair, "rosa", {"better": "second"})
    Rating.objects.filter(pk=words.pk).update(answers={"better": "second", "why": "It <i>says</i> more."})
    review = REVIEW.replace("june", "pairs")
    address = f"{review}{pair.public_id}/"
    assert "A × 1 B × 1" in text_of(lena.get(review))
    lena.post(f"{review}names/", {"kind": "systems", "shown": "1"})
    text = text_of(lena.get(address))
    assert "Response A · heron" in text and "Response B · plover" in text
    assert "It &lt;i&gt;says&lt;/i&gt; more." in text
    assert "heron against plover" in text_of(lena.get(f"{review}?system=plover"))
    form = {"answers.better": "second", "reason": "So.", "seen": "none"}
    assert lena.post(address, form).status_code == 400
    assert lena.post(address, form | {"answers.why": "Two\r\nlines."}).status_code == 302
    assert ratings_in_role("adjudicator") == [("lena", {"better": "second", "why": "Two\nlines."}, "So.")]
    assert "Two lines." in text_of(lena.get(address))
