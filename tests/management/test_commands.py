"""The commands: what they print and where, their exit codes, and that nothing ends in a traceback."""

import hashlib
import json
import re
import shlex
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.models import (
    ApiToken,
    AuditEvent,
    Dataset,
    Membership,
    Project,
    ProtocolVersion,
    Rating,
    Response,
    Tally,
    User,
)
from annotation.projects.archiving import archive
from annotation.protocols import builtin
from annotation.rating.bulk_storage import NewRating, store_ratings
from tests.cast import ACCURATE, Study, person, study
from tests.management.command_runs import run

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
DATASET = FIXTURES / "jsonl" / "dataset.jsonl"
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def june(module_rows) -> Project:
    """Return a project on the data set tea."""
    call_command("import_dataset", "jsonl", str(DATASET), dataset="tea")
    call_command("create_project", "june", dataset="tea", protocol="article-accuracy", overlap=2)
    return Project.objects.get()


CREATE = ("create_project", "some", "--dataset", "tea", "--protocol", "article-accuracy")


def test_a_project_may_skip_likely_claim_free_items_and_ask_about_a_sample(capsys, june):
    assert not june.skips_claim_free
    code, _, err = run(capsys, *CREATE, "--sample-sentences", 2, "--skip-claim-free")
    assert (code, err.splitlines()[1]) == (0, "drawn: 2 sentences of 10")
    project = Project.objects.get(slug="some")
    assert (project.skips_claim_free, project.sampling_design, project.sample_size) == (True, "uniform", 2)
    whole = [word if word != "some" else "whole" for word in CREATE]
    assert run(capsys, *whole, "--sample-sentences", 2, "--design", "responses")[0] == 0
    project = Project.objects.get(slug="whole")
    assert (project.sampling_design, project.sample_size) == ("responses", 2)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("--design uniform", "--design and --judge are about a sample: add --sample-sentences N"),
        ("--sample-sentences 99", "a sample of 99 cannot be drawn: the data set has 10 sentences"),
        ("--sample-sentences 2 --design uncertain", "name a judge for the design uncertain, and only for it"),
        ("--sample-sentences 2 --judge strict", "there is no judge 'strict'; none exists yet"),
    ],
)
def test_a_sample_that_cannot_be_drawn_is_refused(capsys, june, options, problem):
    code, out, err = run(capsys, *CREATE, *options.split())
    assert (code, out) == (1, "")
    assert err.startswith(problem)
    assert Project.objects.count() == 1


def test_the_whole_way_from_a_file_to_an_export(capsys, june, tmp_path):
    more = run(capsys, "import_responses", FIXTURES / "responses" / "responses.csv", "--dataset", "tea", "--json")
    assert json.loads(more[1]) == {"prompts": 2, "responses": 3, "items": 5, "left_out": {}, "new": 3}
    result = run(capsys, "import_ratings", FIXTURES / "ratings" / "ratings.csv", "--project", "june", "--json")
    assert json.loads(result[1])["new"] == 10
    code, out, err = run(capsys, "export_ratings", "--project", "june", "--format", "jsonl")
    assert (code, out.count("\n"), err) == (0, 10, "10 ratings\n")
    path = tmp_path / "ratings.csv"
    code, out, _ = run(capsys, "export_ratings", "--project", "june", "--format", "csv", "--output", path)
    assert (code, out) == (0, "")
    assert path.read_text().count("article-accuracy") == 10
    assert [p.name for p in tmp_path.iterdir()] == ["ratings.csv"]
    assert run(capsys, "check_tallies") == (0, "", "the tally equals the ratings\n")


def test_no_ratings_are_loaded_into_an_archived_project_and_the_command_says_why(capsys, june):
    archive(Project.objects.get())
    code, out, err = run(capsys, "import_ratings", FIXTURES / "ratings" / "ratings.csv", "--project", "june")
    assert (code, out) == (1, "")
    assert err == "This project is archived. Unarchive it to import ratings.\n"
    assert not Rating.objects.exists()


def test_counts_are_one_json_object_with_the_names_of_the_contract_also_of_a_dry_run(capsys):
    command = ("import_dataset", "jsonl", DATASET, "--dataset", "fresh", "--json")
    code, out, _ = run(capsys, *command[:-1], "--dry-run")
    assert code == 0 and "dry run: nothing was stored" in out
    assert not Dataset.objects.filter(slug="fresh").exists()
    _, out, err = run(capsys, *command)
    counts = {"documents": 2, "prompts": 5, "responses": 5, "items": 11, "left_out": {}, "new": 12}
    assert json.loads(out) == counts and "5 prompts" in err
    assert json.loads(run(capsys, *command)[1]) == {**counts, "new": 0}
    call_command("import_dataset", "jsonl", str(DATASET), dataset="called", json=True)
    assert json.loads(capsys.readouterr().out) == counts


def test_a_subset_is_told_step_by_step_beside_the_published_numbers(capsys):
    sample = FIXTURES / "qasper" / "papers.json"
    code, out, _ = run(capsys, "import_dataset", "qasper", sample, "--dataset", "walls", "--subset", "stem-qa")
    assert code == 0
    assert "no supporting evidence in any annotation: 2 prompts on 2 documents, mean" in out
    assert "published: 158 prompts on 145 documents, mean 5,138 tokens" in out


def test_a_dry_run_of_responses_counts_them_and_stores_nothing(capsys, june):
    file, before = FIXTURES / "responses" / "responses.csv", Response.objects.count()
    code, out, _ = run(capsys, "import_responses", file, "--dataset", "tea", "--dry-run", "--json")
    counts = json.loads(out)
    assert (code, counts["responses"], counts["new"]) == (0, 3, 3)
    assert Response.objects.count() == before


NAMES = {"BAD": FIXTURES / "ratings" / "bad.jsonl", "DATASET": DATASET, "FIXTURES": FIXTURES}
TEA = "--dataset tea --protocol article-accuracy"


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("import_dataset qasper FIXTURES/qasper/broken.json --dataset x", r"broken\.json:\d+: paper 2601"),
        ("import_dataset jsonl 'no such file' --dataset x", "no such file: there is no such file"),
        ("import_dataset jsonl FIXTURES --dataset x", "fixtures: this is a folder"),
        ("import_dataset csv DATASET --dataset x", "invalid choice: 'csv'"),
        ("import_dataset jsonl DATASET --dataset 'a b'", "data set name 'a b': use letters"),
        (f"import_dataset jsonl DATASET --dataset {'x' * 81}", "is too long"),
        ("import_dataset jsonl DATASET --dataset x --sample 0", "sample size 0: choose 1 or more"),
        ("import_dataset jsonl DATASET", "the following arguments are required: --dataset"),
        ("import_responses DATASET --dataset july", "there is no data set 'july'; there are: tea"),
        ("import_responses FIXTURES/responses/unmatched.jsonl --dataset tea", r"unmatched\.jsonl:2: no prompt"),
        ("import_ratings BAD --project july", "there is no project 'july'; there are: june"),
        ("import_ratings BAD --project june", r"bad\.jsonl:1: sentence 0 is a heading"),
        ("import_ratings BAD --project june --format csv", r"bad\.jsonl:1: there is no column"),
        (f"create_project june {TEA}", "project 'june' already exists"),
        ("create_project a --dataset tea --protocol none", "there is no protocol 'none'; choose one of: .*article-"),
        ("create_project a --dataset no --protocol article-accuracy", "there is no data set 'no'"),
        (f"create_project a {TEA} --overlap 0", "overlap 0: choose a number from 1 to 100"),
        (f"create_project a {TEA} --seed {2**70}", "cannot be stored"),
        ("create_user 'a b'", "user name 'a b': use letters"),
        ("create_user anna --email anna", "'anna' is not an email address"),
        ("add_member june nobody --role rater", "there is no user 'nobody': create the account with create_user"),
        ("add_member june ravi --role owner", "invalid choice: 'owner'"),
        ("create_token nobody", "there is no user 'nobody'"),
        ("create_token gone", "is not active"),
        ("create_token ravi --scope write", "invalid choice: 'write'"),
        ("export_ratings --project june --format xlsx", "invalid choice: 'xlsx'"),
        ("export_ratings --project june --format csv --output /no/such/folder/x", "cannot be written"),
        ("load_protocol 'no such file'", "no such file: there is no such file"),
        ("load_protocol DATASET", r"dataset\.jsonl:1: this is not valid TOML"),
        ("quickstart --port 70000", "argument --port: invalid port value: '70000'"),
    ],
)
def test_bad_input_is_said_on_standard_error_with_exit_code_1_and_nothing_is_stored(capsys, june, command, says):
    User.objects.create(username="gone", is_active=False)
    models = (ApiToken, Dataset, Project, User, Rating)
    before = [model.objects.count() for model in models]
    command = re.sub("BAD|DATASET|FIXTURES", lambda name: str(NAMES[name[0]]), command)
    code, out, err = run(capsys, *shlex.split(command))
    assert (code, out) == (1, "")
    assert re.search(says, err)
    assert "Traceback" not in err
    assert [model.objects.count() for model in models] == before


def test_a_message_cannot_move_the_cursor_of_a_terminal(capsys, tmp_path):
    path = tmp_path / "r\x1b[2J.jsonl"
    path.write_text('{"id": "\\u001b[31mred\\n"}')
    code, _, err = run(capsys, "import_dataset", "jsonl", path, "--dataset", "x")
    assert code == 1
    assert "\x1b" not in err
    assert err.count("\n") == 1


def test_an_account_is_made_without_a_password_and_the_link_sets_one_once(capsys, client):
    code, out, err = run(capsys, "create_user", "anna", "--email", "anna@example.org")
    assert (code, err) == (0, "the link works once, within 3 days\n")
    anna = User.objects.get(username="anna")
    assert (anna.is_active, anna.is_superuser, anna.email) == (True, False, "anna@example.org")
    assert not anna.has_usable_password()
    link = out.strip()
    assert link.startswith("http://localhost/accounts/password/reset/key/")
    form = client.get(link.removeprefix("http://localhost"), follow=True)
    path = form.redirect_chain[-1][0]
    password = {"password1": "a long enough pass", "password2": "a long enough pass"}
    client.post(path, password)
    anna.refresh_from_db()
    assert anna.check_password("a long enough pass")
    client.logout()
    client.cookies.clear()
    again = client.get(link.removeprefix("http://localhost"), follow=True)
    client.post(again.request["PATH_INFO"], {"password1": "another long pass", "password2": "another long pass"})
    anna.refresh_from_db()
    assert anna.check_password("a long enough pass")
    assert run(capsys, "create_user", "ada", "--admin")[0] == 0
    ada = User.objects.get(username="ada")
    assert ada.is_admin and ada.is_staff
    assert AuditEvent.objects.get(action="create user", target="user:ada").after == {"email": "", "admin": True}


def test_a_name_is_given_once_but_one_that_came_with_ratings_can_become_an_account(capsys, june):
    run(capsys, "import_ratings", FIXTURES / "ratings" / "ratings.csv", "--project", "june")
    rated = Rating.objects.filter(rater__username="ravi").count()
    assert run(capsys, "create_user", "ravi")[0] == 0
    assert User.objects.get(username="ravi").is_active
    assert Rating.objects.filter(rater__username="ravi").count() == rated > 0
    code, _, err = run(capsys, "create_user", "ravi")
    assert (code, "user 'ravi' already exists" in err) == (1, True)


def test_a_member_has_one_role_and_a_second_call_changes_it(capsys, june):
    person("ravi")
    for role in ("rater", "lead", "lead"):
        code, _, err = run(capsys, "add_member", "june", "ravi", "--role", role)
        assert (code, err) == (0, f"ravi is a {role} of june\n")
    assert Membership.objects.get(project=june, user__username="ravi").role == "lead"
    assert AuditEvent.objects.filter(action="add member").count() == 2


def test_a_token_is_printed_alone_and_stored_hashed(capsys):
    person("ravi")
    code, out, err = run(capsys, "create_token", "ravi")
    key = out.strip()
    assert (code, err, out) == (0, "", f"{key}\n")
    assert len(key) >= 40
    assert ApiToken.objects.get().digest == hashlib.sha256(key.encode()).hexdigest()
    assert key not in str(list(AuditEvent.objects.values()))


def test_tokens_with_limits_are_listed_and_revoked_by_prefix(capsys, june):
    for name in ("ravi", "rosa"):
        person(name)
        run(capsys, "add_member", "june", name, "--role", "rater")
    refused = {("--project", "july"): "there is no project 'july'", ("--expires", "0"): "after 1 to 3650 days"}
    for wrong, message in refused.items():
        code, _, err = run(capsys, "create_token", "ravi", *wrong)
        assert (code, message in err) == (1, True)
    limits = ("--scope", "rate", "--project", "june", "--expires", "30", "--name", "night job")
    keys = [run(capsys, "create_token", *arguments)[1].strip() for arguments in (("ravi", *limits), ("rosa",))]
    code, out, _ = run(capsys, "list_tokens")
    head, ravis, rosas = (re.split(r"  +", line) for line in out.splitlines())
    assert (code, head[:4], head[-2:]) == (0, ["PREFIX", "USER", "SCOPE", "PROJECT"], ["STATE", "NAME"])
    assert (ravis[:4], ravis[-3:]) == ([keys[0][:12], "ravi", "rate", "june"], ["never", "valid", "night job"])
    assert (rosas[2:4], rosas[5:]) == (["full", "all"], ["never", "never", "valid"])
    assert len(run(capsys, "list_tokens", "rosa")[1].splitlines()) == 2
    assert run(capsys, "revoke_token", "fct_")[::2] == (
        1,
        "several tokens start with 'fct_': give more of it (list_tokens shows them)\n",
    )
    assert run(capsys, "revoke_token", "xyz")[::2] == (1, "there is no token 'xyz'\n")
    assert run(capsys, "revoke_token", "")[0] == 1
    assert run(capsys, "revoke_token", keys[0][:12])[::2] == (0, f"revoked {keys[0][:12]} of ravi\n")
    assert run(capsys, "revoke_token", keys[0])[::2] == (1, f"token {keys[0][:12]!r} is revoked already\n")
    assert "revoked" in run(capsys, "list_tokens", "ravi")[1]
    assert run(capsys, "revoke_token", keys[1])[0] == 0  # a whole key that was found where it should not be


@pytest.mark.parametrize(
    "arguments",
    [("create_user", "maria"), ("export_ratings", "--project", "june", "--format", "csv", "--pseudonymous")],
)
def test_what_is_signed_or_keyed_needs_the_servers_key(capsys, june, settings, arguments):
    settings.SECRET_KEY = ""
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (1, "")
    assert err.startswith("SECRET_KEY is not set: ") and len(err.splitlines()) == 1
    assert not User.objects.filter(username="maria").exists()


def test_a_protocol_is_stored_once_and_its_versions_never_change(capsys, tmp_path):
    source = builtin()["article-accuracy"].source.replace('slug = "article-accuracy"', 'slug = "our-own"')
    path = tmp_path / "own.toml"
    path.write_text(source)
    assert run(capsys, "load_protocol", path)[2].endswith(": stored\n")
    assert run(capsys, "load_protocol", path)[2].endswith(": already stored, unchanged\n")
    assert ProtocolVersion.objects.filter(slug="our-own").count() == 1
    path.write_text(source.replace("Severe", "Grave"))
    code, _, err = run(capsys, "load_protocol", path)
    assert code == 1
    assert err.startswith(f"{path}: version 1 of protocol 'our-own' is already stored with another text")
    path.write_text(source.replace("cannot_assess", "cannot assess"))
    code, _, err = run(capsys, "load_protocol", path)
    assert code == 1
    assert re.search(r"own\.toml:\d+: ", err)


def rated_study() -> Study:
    """Return the study other, in which Ravi has rated each item."""
    other = study("other")
    store_ratings(other.project, [NewRating(item, other.people["ravi"], ACCURATE) for item in other.items()])
    return other


def test_check_tallies_names_each_row_that_is_wrong(capsys):
    rated_study()
    Tally.objects.update(n=7)
    code, out, _ = run(capsys, "check_tallies")
    assert code == 1
    assert out == ('other: response q1-heron, sentence, rater, counted, {"accuracy": "accurate"}: 3 ratings, tally 7\n')
    Tally.objects.all().delete()
    assert "3 ratings, tally 0" in run(capsys, "check_tallies")[1]


def test_what_an_export_leaves_out_is_said(capsys):
    other = rated_study()
    Rating.objects.filter(item=other.items()[0]).update(counted=False)
    code, out, err = run(capsys, "export_ratings", "--project", "other", "--format", "jsonl")
    assert (code, out.count("\n")) == (0, 2)
    assert err == "2 ratings\nexcluded: 1 × unfinished\n"


def test_an_output_that_cannot_be_finished_leaves_the_old_file(capsys, june, tmp_path, monkeypatch):
    from annotation.exporting import ratings
    from annotation.jobs import Refused

    def broken(*args, **options):
        yield b"half"
        raise Refused(["it broke"])

    monkeypatch.setitem(ratings.TABLES, "csv", ratings.CSV._replace(write=broken))
    path = tmp_path / "ratings.csv"
    path.write_text("old")
    code, _, err = run(capsys, "export_ratings", "--project", "june", "--format", "csv", "--output", path)
    assert (code, err) == (1, "it broke\n")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["ratings.csv"]


@pytest.mark.parametrize(
    "name",
    [
        "add_member", "check_tallies", "create_project", "create_token", "create_user", "export_ratings",
        "import_dataset", "import_ratings", "import_responses", "list_tokens", "load_protocol", "revoke_token",
    ],
)  # fmt: skip
def test_every_command_explains_itself(capsys, name):
    code, out, _ = run(capsys, name, "--help")
    assert code == 0
    assert "usage: manage.py" in out


def test_files_that_commands_write_are_in_the_audit(capsys, tmp_path):
    other = rated_study()
    to_project = ("--project", "other", "--output", tmp_path / "file")
    for arguments in (
        ("export_ratings", "--format", "csv"),
        ("export_ratings", "--format", "csv", "--pseudonymous"),
        ("build_report", "--format", "csv", "--resamples", "100"),
        ("build_report", "--table", "raters", "--format", "csv", "--resamples", "100"),
        ("export_bundle", "--dataset", "--with-names"),
        ("export_bundle", "--dataset"),
    ):
        assert run(capsys, *arguments, *to_project)[0] == 0, arguments
    events = AuditEvent.objects.filter(action="download file", target="project:other").order_by("pk")
    assert {(event.actor, event.project) for event in events} == {(None, other.project)}
    names = [(event.after["name"].partition(".")[0], event.after["with_names"]) for event in events]
    assert [with_names for _, with_names in names] == [True, False, True, True, True, False]
    assert [name for name, _ in names][:4] == ["other-ratings", "other-ratings-pseudonymous", "report", "raters"]
