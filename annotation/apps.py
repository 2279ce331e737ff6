from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"
    label = "annotation"
    verbose_name = "Factuary"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from .site import upgrade_check  # noqa: F401 (it registers itself)
