"""Mail to leads: a rater was paused, or has failed the qualification and has no attempt left."""

from django.conf import settings
from django.core.mail import send_mail
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..models import Membership, Project, User
from .gold_comparison import Score, hidden_gold_scores

SUBJECTS = {
    "paused": gettext_lazy("%(rater)s is paused"),
    "failed": gettext_lazy("%(rater)s has not passed the qualification"),
}


def mail_leads(project_id: int, rater_id: int, news: str) -> int:
    """Mail every lead of the project who has an address. Return how many. Errors of the mail server propagate."""
    project, rater = Project.objects.get(pk=project_id), User.objects.get(pk=rater_id)
    leads = User.objects.filter(
        memberships__project=project, memberships__role=Membership.Role.LEAD, is_active=True
    ).exclude(email="")
    subject = f"{project.title}: {SUBJECTS[news] % {'rater': rater.username}}"
    text = _text(project, rater, news)
    return sum(send_mail(subject, text, None, [lead.email]) for lead in leads)


def _text(project: Project, rater: User, news: str) -> str:
    page = settings.SITE_URL + reverse("qualification", args=[project.slug])
    if news == "failed":
        event = _("%(rater)s has used all tries of the qualification and did not pass.")
        action = _("On this page you can grant another try, or let %(rater)s in without it:")
        return f"{event}\n\n{action}\n" % {"rater": rater.username} + f"{page}\n"
    score = hidden_gold_scores(project, rater, since_lift=True).get(rater.pk, Score())
    event = _(
        "%(rater)s gave the gold answer to %(right)s of %(items)s hidden gold items and is paused. Leases are free; "
        "all answers are kept."
    ) % {"rater": rater.username, "right": score.right, "items": score.items}
    action = _("On this page you can lift the pause:")
    return f"{event}\n\n{action}\n{page}\n"
