from django.apps import AppConfig
from django.core.checks import Tags, register


class AnnotationConfig(AppConfig):
    name = "annotation"
    label = "annotation"
    verbose_name = "Factuary"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from .site.upgrade_check import check_release_of_database

        register(check_release_of_database, Tags.database)
