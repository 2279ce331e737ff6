"""Create generators: the settings of the systems whose responses are generated. They never change."""

from django.db import transaction

from ..audit import record
from ..model_calls.configurations import check_endpoint, check_fields, settings_for_audit
from ..model_calls.errors import ModelError
from ..model_calls.keys import encrypted
from ..models import AuditEvent, Dataset, Generator, System, User


@transaction.atomic
def create_generator(settings: Generator, *, key: str = "", actor: User | None = None) -> tuple[Generator, bool]:
    """Return the generator of this system of a data set, and whether it is new. `settings`, which is not stored, has
    the data set, the system and the settings.

    `key` is stored encrypted; it replaces that of an existing one. Raises ModelError for other settings than those of
    an existing one, and for a system whose responses were imported.
    """
    if not settings.system.strip():
        raise ModelError("give the system a name", "system")
    dataset = Dataset.objects.select_for_update().get(pk=settings.dataset.pk)
    generator = Generator(dataset=dataset, system=settings.system, **settings.setting_values())
    check_fields(generator, ["system"])
    check_endpoint(generator)
    existing = Generator.objects.select_related("template").filter(dataset=dataset, system=generator.system).first()
    if existing:
        stored = existing.setting_values()
        differing = sorted(name for name, value in generator.setting_values().items() if stored[name] != value)
        if differing:
            raise ModelError(
                f"system {existing.system!r} is generated with other settings ({', '.join(differing)}), which never "
                "change: choose another name of the system",
                "system",
            )
        if key:
            Generator.objects.filter(pk=existing.pk).update(encrypted_key=encrypted(key))
            record(actor, "replace generator key", audit_target(existing))
        return existing, False
    if System.objects.filter(dataset=dataset, name=generator.system, responses__isnull=False).exists():
        raise ModelError(
            f"data set {dataset.slug!r} has responses of system {generator.system!r} already: choose another name of "
            "the system",
            "system",
        )
    generator.encrypted_key, generator.created_by = encrypted(key), actor
    generator.save()
    record(actor, "create generator", audit_target(generator), after=settings_for_audit(generator))
    return generator, True


def audit_target(generator: Generator) -> str:
    """Return the generator as events of the audit name it; the end of a long name is cut."""
    target = f"dataset:{generator.dataset.slug}, system:{generator.system}"
    return target[: AuditEvent._meta.get_field("target").max_length]
