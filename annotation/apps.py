from django.apps import AppConfig
from django.core.checks import Tags, register
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate


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
        from .site.upgrade_check import check_release_of_database

        register(check_release_of_database, Tags.database)
        signals.authenticator_added.connect(second_factor.record_added)
        signals.authenticator_removed.connect(second_factor.record_removed)
        signals.authenticator_used.connect(second_factor.record_used)
        authentication_step_completed.connect(sessions.renew_key)
        connection_created.connect(watch_queries)
        post_migrate.connect(grant_rights_after_migrations, sender=self)
