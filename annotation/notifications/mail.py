"""Mail unread notifications: at once, or daily with those of before seven in the morning, in the site's time zone.

One mail has all that are due to a person. A notification is marked as mailed before the mail is sent, and the mark is
removed if it cannot be: two workers never send the same twice, and no row is locked while the mail server is awaited.
"""

import logging
from collections.abc import Sequence
from datetime import time, timedelta
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import ngettext

from ..models import Notification, User
from ..site.database_clock import database_now
from .reading import notifications_for
from .wording import sentence

DAILY_AT = time(7)

log = logging.getLogger(__name__)


def send_due_mails() -> int:
    """Mail what is due. Return how many mails. Raises OSError or SMTPException if the mail server cannot be reached.

    A mail that it refuses is sent later if the refusal is temporary, as with greylisting, and otherwise never; the
    mails of others are sent.
    """
    local = timezone.localtime(database_now())
    morning = local.replace(hour=DAILY_AT.hour, minute=DAILY_AT.minute, second=0, microsecond=0)
    last_morning = morning if local >= morning else morning - timedelta(days=1)
    at_once = Q(recipient__notification_mail=User.Mail.AT_ONCE)
    daily = Q(recipient__notification_mail=User.Mail.DAILY, created_at__lt=last_morning)
    waiting = Notification.objects.filter(read_at=None, mailed_at=None, recipient__is_active=True)
    due = waiting.filter(at_once | daily).exclude(recipient__email="")
    recipients = User.objects.filter(pk__in=due.values("recipient"))
    return sum(_mail(user, due) for user in recipients)


def _mail(user: User, due: QuerySet[Notification]) -> bool:
    claimed = _claim(due.filter(recipient=user))
    rows = notifications_for(user).filter(pk__in=claimed)
    notifications = list(rows.select_related("recipient", "project", "question", "job", "rater"))
    if not notifications:
        return False
    try:
        with translation.override(user.mail_language or settings.LANGUAGE_CODE):
            n, preference = len(notifications), f"{settings.SITE_URL}{reverse('own_account')}#notifications"
            entries = []
            for row in notifications:
                text = f"{row.project.title}: {sentence(row)}" if row.project else sentence(row)
                entries.append((text, f"{settings.SITE_URL}{reverse('notification', args=[row.public_id])}"))
            text = render_to_string("notifications/mail.txt", {"entries": entries, "preference": preference})
            subject = entries[0][0] if n == 1 else ngettext("%(n)s notification", "%(n)s notifications", n) % {"n": n}
            headers = {"List-Unsubscribe": f"<{preference}>", "Auto-Submitted": "auto-generated"}
            EmailMessage(" ".join(subject.split()), text, None, [user.email], headers=headers).send()
    except (SMTPRecipientsRefused, SMTPDataError) as refusal:
        log.exception("the mail server refuses a mail to %s", user.username)
        if _is_temporary(refusal):
            _unclaim(claimed)
        return False
    except (OSError, SMTPException):
        _unclaim(claimed)
        raise
    return True


def _is_temporary(refusal: SMTPRecipientsRefused | SMTPDataError) -> bool:
    """Return whether the server's code, 4xx, tells to try again."""
    if isinstance(refusal, SMTPDataError):
        return refusal.smtp_code < 500
    return any(code < 500 for code, _reply in refusal.recipients.values())


@transaction.atomic
def _claim(due: QuerySet[Notification]) -> list[int]:
    """Mark them as mailed. Return those (primary keys) that no other worker has claimed."""
    claimed = list(due.select_for_update(skip_locked=True, of=("self",)).values_list("pk", flat=True))
    Notification.objects.filter(pk__in=claimed).update(mailed_at=database_now())
    return claimed


def _unclaim(claimed: Sequence[int]) -> None:
    Notification.objects.filter(pk__in=claimed).update(mailed_at=None)
