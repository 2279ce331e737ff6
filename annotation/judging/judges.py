"""Create and find judges. A judge is immutable: another configuration under its name is the next version."""

import re
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import transaction

from ..accounts.names import PersonError, save_name
from ..audit import record
from ..model_calls.configurations import EndpointConfiguration, check_endpoint, check_limits
from ..model_calls.errors import ModelError
from ..model_calls.keys import encrypted
from ..model_calls.run_lock import lock_until_commit
from ..models import Judge, JudgeRun, User
from ..models.judges import judge_label
from . import fact_prompts, prompts

MAX_SAMPLES = 50
VERSIONS_LOCK = "factuary.judge_versions"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,59}")
_LABEL = re.compile(rf"({_NAME.pattern})(?:@([0-9]{{1,9}}))?")


@dataclass(frozen=True, kw_only=True)
class Configuration(EndpointConfiguration):
    """All that a judge's answers and costs depend on, without the key."""

    rule: str = ""
    template: str = ""
    samples: int = 1
    sees: str = Judge.Sees.ARTICLE
    rates: str = Judge.Rates.SENTENCE
    fact_qa: str = ""
    fact_source: str = Judge.FactSource.REFERENCE
    precision_only: bool = False
    logprobs: bool = False

    @classmethod
    def of(cls, judge: Judge) -> "Configuration":
        """Return the configuration of a stored version."""
        return cls(**{name: getattr(judge, name) for name in cls.__dataclass_fields__})


@transaction.atomic
def create_judge(
    name: str, configuration: Configuration, *, key: str = "", actor: User | None = None
) -> tuple[Judge, bool]:
    """Return the newest version of the judge, and whether it is new: the same configuration creates none, unless the
    endpoint has come to answer as another model.

    `key` is stored encrypted; it replaces that of an existing version. Without one, a new version at the address of the
    newest one has its stored key. Raises ModelError.
    """
    configuration = _completed(configuration)
    _check(name, configuration)
    lock_until_commit(VERSIONS_LOCK)  # two creations at once get different numbers
    newest = Judge.objects.filter(name=name).order_by("version").last()
    if newest and Configuration.of(newest) == configuration and not _has_changed_model(newest):
        if key:
            _replace_key(newest, key, actor)
        return newest, False
    kept = newest.encrypted_key if newest and newest.base_url == configuration.base_url else ""
    return _create_version(name, newest, configuration, encrypted(key) or kept, actor), True


@transaction.atomic
def repeat_judge(name: str, *, actor: User | None = None) -> Judge:
    """Create the next version of a judge with the configuration and the key of the newest one. Raises ModelError.

    It asks the endpoint anew, so that comparing the two versions shows how the same judge changes its answers.
    """
    lock_until_commit(VERSIONS_LOCK)  # two creations at once get different numbers
    newest = Judge.objects.filter(name=name).order_by("version").last()
    if newest is None:
        raise ModelError(f"there is no judge {name!r} to repeat: create it first")
    if newest.rule:
        raise ModelError(f"{name} is a rule, which always answers the same: repeat a model")
    return _create_version(name, newest, Configuration.of(newest), newest.encrypted_key, actor)


def is_repetition(judge: Judge) -> bool:
    """Return whether an earlier version has the same configuration."""
    earlier = Judge.objects.filter(name=judge.name, version__lt=judge.version)
    return any(Configuration.of(version) == Configuration.of(judge) for version in earlier)


def _create_version(
    name: str, newest: Judge | None, configuration: Configuration, encrypted_key: str, actor: User | None
) -> Judge:
    version = newest.version + 1 if newest else 1
    judge = Judge.objects.create(
        name=name,
        version=version,
        user=_create_account(name, version),
        encrypted_key=encrypted_key,
        created_by=actor,
        **asdict(configuration),
    )
    record(actor, "create judge", f"judge:{judge.label}", after=_for_audit(configuration))
    return judge


def _has_changed_model(judge: Judge) -> bool:
    """Return whether a run of the version was ended because the endpoint answered as another model."""
    return judge.runs.filter(ended=JudgeRun.Ended.MODEL).exists()


def uses_passages(judge: Judge) -> bool:
    """Return whether the judge is shown the passages of a document that fit best, and not all of it or none."""
    if judge.fact_qa and judge.fact_source != Judge.FactSource.DOCUMENT:
        return False
    return judge.sees == Judge.Sees.PASSAGES or judge.rule == Judge.Rule.LEXICAL_OVERLAP


def find_judge(label: str) -> Judge:
    """Return the judge NAME (the newest version) or NAME@N (version N). Raises ModelError."""
    matched = _LABEL.fullmatch(label)
    judge = _version(*matched.groups()) if matched else None
    if judge is None:
        names = ", ".join(each.label for each in Judge.objects.all()[:20])
        existing = f"there are: {names}" if names else "none exists yet"
        raise ModelError(f"there is no judge {label!r}; {existing}")
    return judge


def _version(name: str, number: str | None) -> Judge | None:
    versions = Judge.objects.select_related("user").filter(name=name).order_by("version")
    return versions.last() if number is None else versions.filter(version=number).first()


def _completed(configuration: Configuration) -> Configuration:
    """Return the configuration with the default template where an endpoint has none."""
    if configuration.rule or configuration.template:
        return configuration
    template = fact_prompts.FACT_TEMPLATE if configuration.fact_qa else prompts.DEFAULT_TEMPLATE
    return Configuration(**{**asdict(configuration), "template": template})


def _check(name: str, configuration: Configuration) -> None:
    """Raise ModelError for what cannot be stored or would not run."""
    if not _NAME.fullmatch(name):
        raise ModelError(
            f"{name[:80]!r}: a judge's name has letters, digits and . _ + -, at most 60",
            "name",
        )
    if configuration.rule:
        _check_rule(configuration)
        return
    if not configuration.base_url and not configuration.model:
        raise ModelError("a judge needs a rule, or the address of an endpoint and a model", "base_url")
    check_endpoint(configuration)
    check_limits(configuration, {"samples": (configuration.samples, 1, MAX_SAMPLES)})
    if configuration.samples > 1 and configuration.temperature == 0:
        raise ModelError("several samples need a temperature above 0: at 0 all are the same", "temperature")
    _check_fact_qa(configuration)
    module = fact_prompts if configuration.fact_qa else prompts
    prompts.check_template(configuration.template, module.PLACEHOLDERS, module.NEEDED_PLACEHOLDERS)


def _check_rule(configuration: Configuration) -> None:
    if configuration.rule not in Judge.Rule.values:
        rules = ", ".join(Judge.Rule.values)
        raise ModelError(
            f"there is no rule {configuration.rule!r}; choose one of: {rules}",
            "rule",
        )
    if configuration != Configuration(rule=configuration.rule):
        raise ModelError("a rule has no endpoint, prompt or limits: give the rule alone")


def _check_fact_qa(configuration: Configuration) -> None:
    default = Configuration()
    unused = ("samples", "temperature", "rates", "logprobs")
    if configuration.fact_qa and any(getattr(configuration, name) != getattr(default, name) for name in unused):
        raise ModelError("Fact-QA asks once about each response, at temperature 0, without log-probabilities")
    checks_facts = configuration.fact_source != default.fact_source or configuration.precision_only
    if checks_facts and not configuration.fact_qa:
        raise ModelError("only Fact-QA checks facts: choose its mode too")


def _create_account(name: str, version: int) -> User:
    label = judge_label(name, version)
    for username in (name, label):
        if User.objects.filter(judge=None).with_same_key(username).exists():
            raise ModelError(f"a person has the name {username!r}: choose another name for the judge", "name")
    account = User(username=label, is_active=False, password=make_password(None))
    try:
        save_name(account)
    except PersonError as error:
        raise ModelError(str(error), "name") from None
    return account


def _replace_key(judge: Judge, key: str, actor: User | None) -> None:
    Judge.objects.filter(pk=judge.pk).update(encrypted_key=encrypted(key))
    record(actor, "replace judge key", f"judge:{judge.label}")


def _for_audit(configuration: Configuration) -> dict[str, Any]:
    """Return what the audit records: the configuration without its defaults, the key is not in it."""
    default = asdict(Configuration())
    values = {name: value for name, value in asdict(configuration).items() if value != default[name]}
    return {name: str(value) if isinstance(value, Decimal) else value for name, value in values.items()}
