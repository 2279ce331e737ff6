"""Sentences cut by hand and facts that people wrote are made again where an export is read into a copy without them."""

import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from django.db import transaction

from annotation.exporting import RatingsExport
from annotation.importing import load_dataset, load_ratings, load_responses
from annotation.models import Dataset, Item, Project, Rating
from annotation.projects.archiving import archive, unarchive
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.projects.protocol_versions import newest_protocol
from annotation.qualification.next_work import take_next
from annotation.queue.sheets import items_of
from annotation.queue.slots import lock_project
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.reporting import Choices, build
from annotation.reviewing.facts import save_facts, version_token
from annotation.reviewing.sentence_boundaries import merge, split
from tests.cast import ACCURATE, SEVERE, Study, person, study
from tests.importing.files import FIXTURES, lines, problem_of, prompt, refusal_of
from tests.queue.locked_queries import LONG, closing
from tests.web.pages import rates

pytestmark = pytest.mark.django_db
HERE = FIXTURES / "syllabusqa"
FEW = Choices(resamples=100)


@pytest.fixture
def june() -> Study:
    """Create three sentences. The second was cut in two after it was rated, and each part was rated again; then the
    second part was joined with the third sentence, and one rater rated the whole.
    """
    prepared = study()
    for name in ("ravi", "rosa"):
        rates(prepared.people[name], prepared.project)
    cut, lena = prepared.items()[1], prepared.people["lena"]
    first, second = split(prepared.project, cut, [cut.text[:8], cut.text[8:]], actor=lena).new_items
    rates_open(prepared, "ravi", first, second)
    merge(prepared.project, second, prepared.items()[2], actor=lena)
    rates_open(prepared, "ravi", *Item.objects.filter(retired_at=None, position__gt=4))
    return prepared


def rates_open(prepared: Study, name: str, *items: Item) -> None:
    rater = prepared.people[name]
    work = take_next(prepared.project, rater)
    for item in items:
        save(rater, work.public_id, item.public_id, Submission(dict(SEVERE), 0))
    finish(work)


def exported(project: Project, path, format: str = "jsonl"):
    path.write_bytes(b"".join(RatingsExport(project, format)))
    return path


def figures(project: Project) -> dict:
    """Return the report without the counts of excluded ratings, which an export does not have."""
    report = build(project, FEW).to_dict()
    return report | {"data": report["data"] | {"left_out": {}}}


@pytest.mark.parametrize("format", ["jsonl", "csv"])
def test_the_report_of_the_copy_is_the_same_to_the_last_digit_without_what_was_cut(june, tmp_path, format):
    copied = study("july")
    path, july = exported(june.project, tmp_path / f"r.{format}", format), copied.project
    assert load_ratings(path, july).new == Rating.objects.filter(project=june.project, item__retired_at=None).count()
    assert figures(july) == figures(june.project)
    assert exported(july, tmp_path / f"again.{format}", format).read_bytes() == path.read_bytes()
    assert load_ratings(path, july).new == 0
    active_items = Item.objects.filter(response=copied.responses[0], retired_at=None).order_by("start")
    assert [item.position for item in active_items] == [0, 3, 5]
    assert [item.splitter for item in active_items][1:] == ["by hand", "by hand"]
    text = copied.responses[0].text
    assert " ".join(text[item.start : item.end] for item in active_items).split() == text.split()


def test_a_sentence_that_has_ratings_in_the_copy_is_not_taken_out(june, tmp_path):
    path, july = exported(june.project, tmp_path / "r.jsonl"), study("july")
    rates(july.people["ravi"], july.project)
    problems = refusal_of(load_ratings, path, july.project)
    expected = "sentence 3 was split from sentence 1, which has ratings here; import the ratings into a copy"
    assert any(expected in problem for problem in problems)
    assert not Item.objects.filter(response=july.responses[0], splitter="by hand").exists()


def test_rows_that_do_not_fit_are_refused_and_nothing_is_stored(june, tmp_path):
    path, july = exported(june.project, tmp_path / "r.jsonl"), study("july")
    rows = [json.loads(row) for row in path.read_text().splitlines()]

    def problems(*changed: dict) -> list[str]:
        found = refusal_of(load_ratings, lines(path, changed), july.project)
        assert Rating.objects.filter(project=july.project).count() == 0
        assert Item.objects.filter(response=july.responses[0], retired_at=None).count() == 3
        return found

    [problem] = problems(*(row | {"text": "Other words."} if row["item"] == 3 else row for row in rows))
    assert "the boundaries of sentence 3 were edited, and its text is not at" in problem
    # A position that was mistyped: the words, and the position of the words, are those of sentence 0.
    [problem] = problems(next(row for row in rows if row["item"] == 0) | {"item": 9})
    assert "has no sentence 9: it has 3, counted from 0" in problem
    [problem] = problems({"response": july.responses[0].key, "item": 3, "rater": "ravi", "answers": ACCURATE})
    assert "has no sentence 3: it has 3, counted from 0" in problem
    found = problems(*({name: value for name, value in row.items() if name != "by_hand"} for row in rows))
    assert found and all("export the file again with this version, which records that" in each for each in found)
    for value in ("yes", 1, "1", []):
        [problem] = problems(rows[0] | {"by_hand": value})
        assert "'by_hand' must be true or false (in a CSV file 1 or 0), but is" in problem


def test_the_data_set_loaded_again_has_the_same_totals_after_a_sentence_was_cut(tmp_path):
    text = "Terns fly far. They nest on sand."
    path = lines(tmp_path / "d.jsonl", [prompt(responses=[{"id": "r1", "system": "heron", "text": text}])])
    before = load_dataset("jsonl", [path], "birds")
    project = create_project("birds", Dataset.objects.get(slug="birds"), newest_protocol("article-accuracy"))
    add_member(project, person("lena"), "lead")
    first = Item.objects.get(position=0)
    split(project, first, [first.text[:5], first.text[5:]], actor=person("lena"))
    again = load_dataset("jsonl", [path], "birds")
    assert (again.totals, again.new) == (before.totals, 0)


def facts_project(slug: str) -> Project:
    load_dataset("syllabusqa", [HERE / "test.json", HERE / "text"], slug)
    data = Dataset.objects.get(slug=slug)
    load_responses(HERE / "responses.jsonl", data)
    return create_project(slug, data, newest_protocol("fact-support"))


def written_facts(tmp_path) -> tuple[Project, str, Path]:
    """Create a project with two written facts of a response and one of the reference answer, all rated. Return the
    id of the response, and an export of the ratings.
    """
    june = facts_project("june")
    add_member(june, person("lena"), "lead")
    response = june.dataset.responses.get(prompt__key="aaaaBBBBccccDD01", system__name="heron")
    written = {"fact": ["It counts 30%.", "It is due in May."], "reference_fact": ["It is worth 30%."]}
    save_facts(june, response, written, version_token(response), actor=person("lena"))
    answers = [
        {"in_reference": "supported"},
        {"in_reference": "not_supported"},
        {"in_response": "supported", "precision": "part", "recall": "part"},
    ]
    same = {"response": response.key, "unit": "fact", "rater": "ravi"}
    rows = [{**same, "item": n, "answers": given} for n, given in enumerate(answers)]
    load_ratings(lines(tmp_path / "facts.jsonl", rows), june)
    return june, response.key, exported(june, tmp_path / "r.jsonl")


def test_facts_that_people_wrote_come_with_their_ratings_and_other_raters_who_found_none_are_given_them(tmp_path):
    (june, key, path), july = written_facts(tmp_path), facts_project("july")
    august = create_project("august", july.dataset, july.protocol)
    assert not august.slots.filter(sheet__response__key=key).exists()
    load_ratings(path, july)
    assert figures(july) == figures(june) and figures(july)["data"]["ratings"] == 3
    assert august.slots.filter(sheet__response__key=key).count() == august.overlap


def test_whoever_has_finished_the_response_in_another_project_is_offered_it_again_unless_that_is_archived(tmp_path):
    """Items belong to the response, so every project that rates them has them, not only the one that read the file."""
    _, key, path = written_facts(tmp_path)
    july, rosa = facts_project("july"), person("rosa")
    response = july.dataset.responses.get(key=key)
    Item.objects.create(response=response, unit="fact", position=0, kind="fact", text="It counts 30%.")
    august = create_project("august", july.dataset, july.protocol)
    add_member(august, rosa, "rater")
    work = take_next(august, rosa)
    assert work and work.sheet.response == response
    [item] = items_of(work.sheet, "fact")
    answers = {"in_reference": "supported", "precision": "part", "recall": "part"}
    save(rosa, work.public_id, item.public_id, Submission(answers, 0))
    finish(work)
    archive(august)
    problem = problem_of(load_ratings, path, july)
    assert "project 'august' is archived" in problem and "unarchive it first" in problem
    unarchive(august)
    load_ratings(path, july)
    assert take_next(august, rosa) == work
    unrated = items_of(work.sheet, "fact").exclude(ratings__rater=rosa)
    assert [item.text for item in unrated] == ["It is due in May.", "It is worth 30%."]


@pytest.mark.django_db(transaction=True)
def test_another_project_that_is_being_changed_is_not_waited_for_but_named(tmp_path):
    """Who changes it may wait for the project that the import has locked."""
    _, _, path = written_facts(tmp_path)
    july = facts_project("july")
    august = create_project("august", july.dataset, july.protocol)
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        lock_project(august)
        problem = pool.submit(closing, partial(problem_of, load_ratings, path, july)).result(LONG)
    assert "project 'august' also rates these responses and is being changed now" in problem
