"""When a person's notifications are mailed."""

from django.db import transaction
from django.utils.translation import get_language

from ..audit import record
from ..models import Notification, User
from ..site.database_clock import database_now


@transaction.atomic
def set_mail(user: User, mail: User.Mail) -> None:
    """Mail the user's notifications off, at once or daily from now on, in the active language.

    What happened before mail was turned on is not mailed.
    """
    before = user.notification_mail
    if before == User.Mail.OFF:
        Notification.objects.filter(recipient=user, mailed_at=None).update(mailed_at=database_now())
    user.notification_mail, user.mail_language = mail, get_language() or ""
    user.save(update_fields=["notification_mail", "mail_language"])
    if before != mail:
        record(user, "set notification mail", f"user:{user.username}", before=before, after=mail)
