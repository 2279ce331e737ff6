"""A rename changes the user name and nothing of the data: reports, hashes, exports and pseudonyms stay."""

import pytest
from django.db.models import Model

from annotation import reporting
from annotation.accounts.names import DisplayNames
from annotation.accounts.users import rename_user
from annotation.exporting.ratings import iter_rows
from annotation.models import AuditEvent, Rating, RatingEvent, User
from annotation.privacy.erase import erase_person
from annotation.pseudonyms import HiddenNames, Pseudonyms
from annotation.reporting import Choices
from annotation.reporting.report_comparison import rebuild
from tests.api.clients import program, send
from tests.cast import person
from tests.reporting.project_rows import project_of, worked_example

pytestmark = pytest.mark.django_db
FEW = Choices(resamples=200, without_raters=("ravi",))


def test_a_frozen_report_is_reproducible_after_a_rename_and_after_an_erasure():
    project = project_of(worked_example())
    frozen = [reporting.freeze(project, choices) for choices in (FEW, Choices(resamples=200))]
    ratings, history, exported = stored(Rating), stored(RatingEvent), list(iter_rows(project))
    pseudonymous = list(iter_rows(project, names=Pseudonyms(project)))
    events = list(AuditEvent.objects.order_by("pk").values())
    for name, new in (("ravi", "ravindra"), ("ravindra", "r.2"), ("rosa", "ｒｏｓａ")):
        rename_user(User.objects.get(username=name), new)
    assert all(rebuild(report).identical for report in frozen)
    assert (stored(Rating), stored(RatingEvent), list(iter_rows(project))) == (ratings, history, exported)
    assert list(iter_rows(project, names=Pseudonyms(project))) == pseudonymous
    assert list(AuditEvent.objects.order_by("pk").values())[: len(events)] == events
    assert (DisplayNames()("ravi"), DisplayNames()("r.2")) == ("r.2", "r.2")

    erase_person(User.objects.get(username="r.2"))
    for report in frozen:
        report.refresh_from_db()
        assert '"ravi"' not in report.document
        assert rebuild(report).identical
    assert not User.objects.filter(original_name="ravi").exists()


def stored(model: type[Model]) -> list[dict]:
    return list(model._default_manager.order_by("pk").values())


def test_programs_find_the_ratings_by_each_name_and_where_names_are_hidden_by_the_pseudonym_that_stays():
    project = project_of(worked_example())
    before = Pseudonyms(project).pseudonym("ravi")
    rename_user(person("ravi"), "ravindra")
    ada = program("ada", admin=True)
    pages = [send(ada, "GET", f"projects/june/ratings/?rater={name}") for name in ("ravindra", "ravi", "RAVINDRA")]
    assert pages[0][1]["results"] and all(page == pages[0] for page in pages)
    project.hides_raters = True
    project.save()
    names = HiddenNames(project, person("lena"))
    assert names.pseudonym("ravindra") == names.pseudonym("ravi") == before
    assert names.username(before) == "ravindra"
    found = send(program("lena"), "GET", f"projects/june/ratings/?rater={before}")[1]["results"]
    assert found and {row["rater"] for row in found} == {before}
