"""Create and find generators: the settings of the systems whose responses are generated. They never change."""

from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction

from ..audit import record
from ..model_calls.configurations import EndpointConfiguration, check_endpoint, check_limits
from ..model_calls.errors import ModelError
from ..model_calls.keys import encrypted
from ..models import AuditEvent, Dataset, Generator, System, User
from .templates import DEFAULT_TEMPLATE, find_template

MAX_CONTEXT_TOKENS = 100_000_000


@dataclass(frozen=True, kw_only=True)
class GeneratorConfiguration(EndpointConfiguration):
    """All that the responses of a system and their costs depend on, without the key.

    `template`: NAME of its newest version, or NAME@N. `context_tokens`: how many tokens of request and answer the model
    accepts; None if that is not known.
    """

    template: str = DEFAULT_TEMPLATE
    context_tokens: int | None = None

    @classmethod
    def of(cls, generator: Generator) -> "GeneratorConfiguration":
        """Return the settings of a stored generator."""
        values = {name: getattr(generator, name) for name in cls.__dataclass_fields__}
        return cls(**{**values, "template": generator.template.label})


@transaction.atomic
def create_generator(
    dataset: Dataset, system: str, configuration: GeneratorConfiguration, *, key: str = "", actor: User | None = None
) -> tuple[Generator, bool]:
    """Return the generator of a system of the data set, and whether it is new.

    `key` is stored encrypted; it replaces that of an existing one. Raises ModelError for other settings than those of
    an existing one, and for a system whose responses were imported.
    """
    _check(system, configuration)
    Dataset.objects.select_for_update().get(pk=dataset.pk)
    template = find_template(configuration.template)
    values = {**asdict(configuration), "template": template}
    existing = Generator.objects.select_related("template").filter(dataset=dataset, system=system).first()
    if existing:
        _check_same(existing, values)
        if key:
            Generator.objects.filter(pk=existing.pk).update(encrypted_key=encrypted(key))
            record(actor, "replace generator key", audit_target(existing))
        return existing, False
    if System.objects.filter(dataset=dataset, name=system, responses__isnull=False).exists():
        raise ModelError(
            f"data set {dataset.slug!r} has responses of system {system!r} already: choose another name of the system",
            "system",
        )
    generator = Generator.objects.create(
        dataset=dataset, system=system, encrypted_key=encrypted(key), created_by=actor, **values
    )
    after = {name: str(value) if isinstance(value, Decimal) else value for name, value in asdict(configuration).items()}
    record(actor, "create generator", audit_target(generator), after={**after, "template": template.label})
    return generator, True


def audit_target(generator: Generator) -> str:
    """Return the generator as events of the audit name it; the end of a long name is cut."""
    target = f"dataset:{generator.dataset.slug}, system:{generator.system}"
    return target[: AuditEvent._meta.get_field("target").max_length]


def _check(system: str, configuration: GeneratorConfiguration) -> None:
    if not system.strip() or len(system) > 200:
        raise ModelError("give the system a name of at most 200 characters", "system")
    check_endpoint(configuration)
    check_limits(configuration, {"context_tokens": (configuration.context_tokens or 1, 1, MAX_CONTEXT_TOKENS)})


def _check_same(existing: Generator, values: dict[str, Any]) -> None:
    """Raise ModelError if the stored settings differ."""
    differing = sorted(name for name, value in values.items() if getattr(existing, name) != value)
    if differing:
        raise ModelError(
            (
                f"system {existing.system!r} is generated with other settings ({', '.join(differing)}), which "
                "never change: choose another name "
                "of the system"
            ),
            "system",
        )
