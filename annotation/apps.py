from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate

FIRST, LAST_OF_0_7_1 = ("annotation", "0001_initial"), ("annotation", "0012_changes_name_their_items")


class AnnotationConfig(AppConfig):
    name = "annotation"
    label = "annotation"
    verbose_name = "Factuary"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from allauth.account.signals import authentication_step_completed
        from allauth.mfa import signals

        from .accounts import second_factor, sessions
        from .site.database_rights import grant_rights_after_migrations
        from .site.slow_queries import watch_queries

        register(check_release_of_database, Tags.database)
        signals.authenticator_added.connect(second_factor.record_added)
        signals.authenticator_removed.connect(second_factor.record_removed)
        signals.authenticator_used.connect(second_factor.record_used)
        authentication_step_completed.connect(sessions.renew_key)
        connection_created.connect(watch_queries)
        post_migrate.connect(grant_rights_after_migrations, sender=self)


def check_release_of_database(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Refuse a database older than 0.7.1, whose migrations this release has only as one; `migrate` runs this first."""
    from django.db.migrations.recorder import MigrationRecorder

    for alias in databases or []:
        applied = MigrationRecorder(connections[alias]).applied_migrations()
        if FIRST in applied and LAST_OF_0_7_1 not in applied:
            hint = "Install Factuary 0.7.1, run `manage.py migrate`, then install this release."
            return [Error("The database is of a release before 0.7.1.", hint=hint, id="annotation.E001")]
    return []
