"""Create and find judges. A judge is immutable: other settings under its name are the next version."""

from django.contrib.auth.hashers import make_password
from django.db import transaction

from ..accounts.names import PersonError, save_name
from ..audit import record
from ..model_calls.configurations import check_endpoint, check_fields, find_version, settings_for_audit
from ..model_calls.errors import ModelError
from ..model_calls.keys import encrypted
from ..model_calls.prompt_templates import check_placeholders
from ..model_calls.run_lock import lock_until_commit
from ..models import Judge, JudgeRun, User
from . import fact_requests, prompts

VERSIONS_LOCK = "factuary.judge_versions"


@transaction.atomic
def create_judge(settings: Judge, *, key: str = "", actor: User | None = None) -> tuple[Judge, bool]:
    """Return the newest version of the judge with this name and these settings, and whether it is new: the same
    settings create none, unless the endpoint has come to answer as another model. `settings` itself is not stored.

    `key` is stored encrypted; it replaces that of an existing version. Without one, a new version at the address of the
    newest one has its stored key. Raises ModelError.
    """
    judge = Judge(name=settings.name, **settings.setting_values())
    if not judge.rule and not judge.template:
        judge.template = fact_requests.FACT_TEMPLATE if judge.fact_qa else prompts.DEFAULT_TEMPLATE
    _check(judge)
    newest = _lock_newest(judge.name)
    if newest and newest.setting_values() == judge.setting_values() and not _has_changed_model(newest):
        if key:
            Judge.objects.filter(pk=newest.pk).update(encrypted_key=encrypted(key))
            record(actor, "replace judge key", f"judge:{newest.label}")
        return newest, False
    stored_key = newest.encrypted_key if newest and newest.base_url == judge.base_url else ""
    judge.encrypted_key = encrypted(key) or stored_key
    return _store_version(judge, newest, actor), True


@transaction.atomic
def repeat_judge(name: str, *, actor: User | None = None) -> Judge:
    """Create the next version of a judge with the settings and the key of the newest one. Raises ModelError.

    It asks the endpoint anew, so that comparing the two versions shows how the same judge changes its answers.
    """
    newest = _lock_newest(name)
    if newest is None:
        raise ModelError(f"there is no judge {name!r} to repeat: create it first")
    if newest.rule:
        raise ModelError(f"{name} is a rule, which always answers the same: repeat a model")
    judge = Judge(name=name, encrypted_key=newest.encrypted_key, **newest.setting_values())
    return _store_version(judge, newest, actor)


def _lock_newest(name: str) -> Judge | None:
    lock_until_commit(VERSIONS_LOCK)  # two creations at once get different numbers
    return Judge.objects.filter(name=name).order_by("version").last()


def _has_changed_model(judge: Judge) -> bool:
    """Return whether a run of the version was ended because the endpoint answered as another model."""
    return judge.runs.filter(ended=JudgeRun.Ended.MODEL).exists()


def _store_version(judge: Judge, newest: Judge | None, actor: User | None) -> Judge:
    """Store the judge as the version after the newest one, with an account of its own."""
    judge.version = newest.version + 1 if newest else 1
    judge.created_by = actor
    for username in (judge.name, judge.label):
        if User.objects.filter(judge=None).with_same_key(username).exists():
            raise ModelError(f"a person has the name {username!r}: choose another name for the judge", "name")
    judge.user = User(username=judge.label, is_active=False, password=make_password(None))
    try:
        save_name(judge.user)
    except PersonError as error:
        raise ModelError(str(error), "name") from None
    judge.save()
    record(actor, "create judge", f"judge:{judge.label}", after=settings_for_audit(judge))
    return judge


def _check(judge: Judge) -> None:
    """Raise ModelError for what cannot be stored or would not run."""
    check_fields(judge, ["name", "rule"])
    if judge.rule:
        if judge.setting_values() != Judge(rule=judge.rule).setting_values():
            raise ModelError("a rule has no endpoint, prompt or limits: give the rule alone")
        return
    if not judge.base_url and not judge.model:
        raise ModelError("a judge needs a rule, or the address of an endpoint and a model", "base_url")
    check_endpoint(judge)
    if judge.samples > 1 and judge.temperature == 0:
        raise ModelError("several samples need a temperature above 0: at 0 all are the same", "temperature")
    default = Judge()
    unused = ("samples", "temperature", "request_unit", "logprobs")
    if judge.fact_qa and any(getattr(judge, name) != getattr(default, name) for name in unused):
        raise ModelError("Fact-QA asks once about each response, at temperature 0, without log-probabilities")
    if not judge.fact_qa and (judge.fact_source != default.fact_source or judge.precision_only):
        raise ModelError("only Fact-QA checks facts: choose its mode too")
    module = fact_requests if judge.fact_qa else prompts
    check_placeholders(judge.template, module.NEEDED_PLACEHOLDERS, module.OPTIONAL_PLACEHOLDERS, "template")


def find_judge(label: str) -> Judge:
    """Return the judge NAME (the newest version) or NAME@N (version N). Raises ModelError."""
    judge = find_version(Judge.objects.select_related("user"), label)
    if judge is None:
        names = ", ".join(each.label for each in Judge.objects.all()[:20])
        existing = f"there are: {names}" if names else "none exists yet"
        raise ModelError(f"there is no judge {label!r}; {existing}")
    return judge


def is_repetition(judge: Judge) -> bool:
    """Return whether an earlier version has the same settings."""
    earlier = Judge.objects.filter(name=judge.name, version__lt=judge.version)
    return any(version.setting_values() == judge.setting_values() for version in earlier)


def uses_passages(judge: Judge) -> bool:
    """Return whether the judge is shown the passages of a document that fit best, and not all of it or none."""
    if judge.fact_qa and judge.fact_source != Judge.FactSource.DOCUMENT:
        return False
    return judge.context == Judge.Context.PASSAGES or judge.rule == Judge.Rule.LEXICAL_OVERLAP
