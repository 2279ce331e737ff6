"""What leads are told by mail: a rater was paused, or has failed the qualification for good."""

from django.conf import settings
from django.core.mail import send_mail
from django.urls import reverse

from ..models import Membership, Project, User
from .marking import Score, hidden_gold_scores

SUBJECTS = {"paused": "{rater} is paused", "failed": "{rater} has not passed the qualification"}


def mail_leads(project_id: int, rater_id: int, news: str) -> int:
    """Mail every lead of the project who has an address. Returns how many. Raises what the mail server raises."""
    project, rater = Project.objects.get(pk=project_id), User.objects.get(pk=rater_id)
    leads = User.objects.filter(
        memberships__project=project, memberships__role=Membership.Role.LEAD, is_active=True
    ).exclude(email="")
    subject = f"{project.title}: {SUBJECTS[news].format(rater=rater.username)}"
    text = _text(project, rater, news)
    return sum(send_mail(subject, text, None, [lead.email]) for lead in leads)


def _text(project: Project, rater: User, news: str) -> str:
    page = settings.SITE_URL + reverse("checks", args=[project.slug])
    if news == "failed":
        what = f"{rater.username} has used all tries of the qualification and did not pass."
        return f"{what}\n\nOn this page you can grant another try, or let {rater.username} in without it:\n{page}\n"
    score = hidden_gold_scores(project, rater, since_lift=True).get(rater.pk, Score())
    what = f"{rater.username} gave the gold answer to {score.right} of {score.items} hidden gold items and is paused."
    return f"{what} Leases are free; all answers are kept.\n\nOn this page you can lift the pause:\n{page}\n"
