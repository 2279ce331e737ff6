"""A project put away, and taken up again."""

import pytest

from annotation.accounts.users import set_active
from annotation.models import AuditEvent, Item, Rating, Slot
from annotation.projects.archiving import archive, require_not_archived, unarchive
from annotation.projects.create import add_responses
from annotation.projects.members import remove_member, replace_rater
from annotation.projects.overview import rater_work
from annotation.projects.project_settings import change_settings
from annotation.qualification.next_work import take_next
from annotation.queue.errors import ProjectArchived, ProjectError
from annotation.queue.reservations import Selection, reserve
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, delete_answer, save
from tests.cast import ACCURATE, response, study
from tests.qualification.finished_work import work_through
from tests.queue.assignments import take_work

pytestmark = pytest.mark.django_db


@pytest.mark.study(prompts=2)
def test_nobody_rates_and_running_work_is_kept_for_later(june):
    ravi, lena = june.people["ravi"], june.people["lena"]
    work = take_work(june.project, ravi, done=False)
    first, second, _ = Item.objects.filter(response=work.sheet.response)
    answer = Submission(ACCURATE, 0, key="k", fingerprint="f")
    saved = save(ravi, work.public_id, first.public_id, answer)
    for _again in range(2):
        archive(june.project, actor=lena)
    assert take_next(june.project, ravi) is None
    assert rater_work(ravi, june.project)[0].remaining == 0
    with pytest.raises(ProjectArchived, match="archived"):
        save(ravi, work.public_id, second.public_id, Submission(ACCURATE, 0))
    for act in (lambda: finish(work), lambda: delete_answer(ravi, work.public_id, first.public_id, 1)):
        with pytest.raises(ProjectArchived):
            act()
    assert save(ravi, work.public_id, first.public_id, answer) == saved, "what came before is answered again"
    assert Rating.objects.count() == 1
    for _again in range(2):
        unarchive(june.project, actor=lena)
    assert take_next(june.project, ravi) == work
    actions = AuditEvent.objects.filter(action__contains="archive").values_list("action", flat=True)
    assert list(actions) == ["unarchive project", "archive project"]


def test_people_can_leave_it_and_be_replaced_and_their_work_is_for_the_others_when_it_is_taken_up_again():
    june = study(prompts=3, overlap=1, sentences=1, raters=("ravi", "rosa", "tom"))
    ravi, rosa, tom = (june.people[name] for name in ("ravi", "rosa", "tom"))
    reserve(june.project, [ravi], Selection("document", "d1"))
    for rater in (ravi, rosa):
        take_work(june.project, rater, done=False)
    archive(june.project)
    remove_member(june.project, rosa)
    replace_rater(june.project, ravi, tom)
    assert not Slot.objects.exclude(holder=None).exists()
    unarchive(june.project)
    assert len(work_through(june.project, tom)) == 3


def test_an_account_that_is_closed_gives_up_its_work_in_archived_projects_too():
    june = study(overlap=1)
    take_work(june.project, june.people["ravi"], done=False)
    reserve(june.project, [june.people["ravi"]], Selection("system", "heron"))
    archive(june.project)
    set_active(june.people["ravi"], False)
    unarchive(june.project)
    assert take_next(june.project, june.people["rosa"])


def test_nothing_about_the_work_itself_changes_and_responses_loaded_meanwhile_come_in_when_it_is_unarchived(june):
    archive(june.project)
    with pytest.raises(ProjectError, match="unarchive it first"):
        change_settings(june.project, {"overlap": 3})
    with pytest.raises(ProjectArchived, match="Take it up again to count birds"):
        require_not_archived(june.project, "Take it up again to count birds.")
    response(june.responses[0].prompt, "plover", 2)
    assert add_responses(june.project) == 0
    unarchive(june.project)
    assert june.project.sheets.count() == 2
