"""The members of a project: adding, changing roles, removing."""

import pytest
from django.urls import reverse

from annotation.models import Assignment, AuditEvent, Project, Rating, Slot
from tests.cast import person
from tests.web.pages import rates, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.study(prompts=2)]

JUNE = "/projects/june/"
MEMBERS = "/projects/june/members/"


def roles(project: Project) -> dict[str, str]:
    return dict(project.memberships.values_list("user__username", "role"))


def test_a_lead_adds_somebody_by_user_name_or_email_and_changes_a_role(lena, june):
    tom = person("tom")
    tom.email = "tom@example.org"
    tom.save()
    person("ines")
    for identifier in ("Tom@example.org", "INES"):
        response = lena.post(MEMBERS, {"username": identifier, "role": "rater"}, follow=True)
        assert "is now a rater of this project" in text_of(response)
    assert {"tom": "rater", "ines": "rater"}.items() <= roles(june.project).items()
    line = AuditEvent.objects.filter(action="add member", target="user:ines").get()
    assert (line.actor, line.project, line.after) == (person("lena"), june.project, "rater")
    lena.post(MEMBERS, {"username": "ravi", "role": "lead"})
    assert roles(june.project)["ravi"] == "lead"
    assert AuditEvent.objects.get(action="add member", after="lead", target="user:ravi").before == "rater"


@pytest.mark.parametrize(
    ("posted", "message"),
    [
        ({"username": "nobody", "role": "rater"}, "No account has the user name “nobody”"),
        ({"username": "gone", "role": "rater"}, "The account “gone” is closed"),
        ({"username": "", "role": "rater"}, "This field is required"),
        ({"username": "ravi", "role": "owner"}, "not one of the available choices"),
        ({"username": "lena", "role": "rater"}, "You cannot remove your own lead role"),
    ],
)
def test_a_bad_member_is_refused_at_the_field_and_nobody_changes(lena, june, posted, message):
    gone = person("gone")
    gone.is_active = False
    gone.save()
    before = roles(june.project)
    assert message in text_of(lena.post(MEMBERS, posted))
    assert roles(june.project) == before


def test_removing_a_member_frees_the_lease_and_keeps_what_was_finished(lena, june):
    rates(june.people["ravi"], june.project)
    begun = rates(june.people["ravi"], june.project, sentences=1)
    response = lena.post(reverse("remove_member", args=["june", "ravi"]), follow=True)
    assert "ravi is no longer a member" in text_of(response)
    assert "ravi" not in roles(june.project)
    assert Assignment.objects.filter(pk=begun.pk).exists()
    assert Slot.objects.filter(holder__rater=june.people["ravi"]).count() == 1
    assert Rating.objects.filter(rater=june.people["ravi"], counted=True).count() == 3
    assert "Former member" in text_of(lena.get(JUNE))  # what he finished is still shown


def test_a_lead_cannot_remove_themselves_and_an_admin_can(ada, lena, june):
    address = reverse("remove_member", args=["june", "lena"])
    assert lena.post(address).status_code == 403
    assert ada.post(address).status_code == 302
    assert "lena" not in roles(june.project)
