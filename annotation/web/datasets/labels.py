"""Labels and annotators in the browser: the answer of each label and the user of each annotator of another tool.

A job has read the files; its result has the labels and annotators. A post renders the page again with the choices, or
starts the dry run of the whole project.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django import forms
from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from tasks.jobs import enqueue

from ...access import job_for, require_admin
from ...i18n.unit_names import unit_words
from ...importing import uploads
from ...importing.annotator_mapping import user_name
from ...importing.label_mapping import (
    COMMENT,
    LEAVE_OUT,
    UNLABELED,
    FoundLabels,
    LabelMapping,
    fields_of_protocol,
    found_labels_from,
    guess_field,
    labels_from,
)
from ...importing.label_protocol import protocol_of_labels
from ...importing.ratings import last_mappings
from ...importing.tool_ratings import UNITS
from ...jobs import Refused
from ...models import Item, Job, Project, ProtocolVersion, User
from ...projects.create import MAX_SHORT_NAME
from ...projects.protocol_versions import available_protocols, find_protocol
from ..authentication import Request

SHOWN = 500
"""Annotators whose user can be chosen on the page; others are users of their own names."""


@dataclass(frozen=True)
class _Choices:
    """What was chosen, except the project's name. `protocol` None: one made of the labels. `fields`: those of each
    label, by its name; `users`: the user of each annotator."""

    protocol: ProtocolVersion | None
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    users: Mapping[str, str] = field(default_factory=dict)

    def mapping(self) -> dict[str, list[str]]:
        """Return the label mapping: labels by field."""
        by_field: dict[str, list[str]] = {}
        for name, fields in self.fields.items():
            for each in dict.fromkeys(fields):
                by_field.setdefault(each, []).append(name)
        return by_field


class _ProjectForm(forms.Form):
    """The project and its protocol."""

    project = forms.SlugField(
        label="Short name of the project",
        max_length=MAX_SHORT_NAME,
        help_text="With the name of an existing project over the same data set, it gets what is new.",
    )
    protocol = forms.ChoiceField(
        label="Protocol",
        required=False,
        help_text=(
            "A new one has a question for each control of the tool, an option for each label, and the share of each "
            "label as a measure. Choose an existing one to compare with other projects."
        ),
    )

    def __init__(self, data: Mapping[str, Any], stored: ProtocolVersion | None):
        """`stored`: the protocol of the project, if it exists: no other can be chosen."""
        super().__init__(data)
        protocols = [stored] if stored else [each for each in available_protocols() if each.definition.unit in UNITS]
        choices = [] if stored else [("", "New: made of the labels")]
        protocol = self.fields["protocol"]
        assert isinstance(protocol, forms.ChoiceField)
        protocol.choices = [*choices, *((_name(each), _words(each)) for each in protocols)]


@require_http_methods(["GET", "HEAD", "POST"])
def labels(request: Request, public_id: UUID) -> HttpResponse:
    """Map labels and annotators, for admins. `?job=` shows the choices of an earlier dry run; `do=check` in a post
    starts one."""
    require_admin(request.user)
    reading = job_for(request.user, public_id)
    if reading.kind != uploads.FIND_LABELS:
        raise Http404("This job reads no labels.")
    if reading.state != Job.State.DONE or not reading.result:
        return redirect("import_job", reading.public_id)
    page = _Page(request, reading, found_labels_from(reading.result))
    is_complete = page.form.is_valid() and not page.problems and not page.unmapped
    if request.method == "POST" and request.POST.get("do") == "check" and is_complete:
        files = list(reading.uploads.order_by("pk"))
        job = uploads.import_stored_files(uploads.LOAD_PROJECT, files, page.params(), request.user)
        enqueue(job)
        return redirect("import_job", job.public_id)
    return render(request, "datasets/labels.html", page.context())


def address_of_job(job: Job) -> str:
    """Return the address of the page with the choices of a dry run or an import; "" where it has none."""
    if not (reading := job.params.get("reading")):
        return ""
    return f"{reverse('import_labels', args=[reading])}?job={job.params.get('check', job.public_id)}"


class _Page:
    """The choices of a request, and what follows from them."""

    def __init__(self, request: Request, reading: Job, found: FoundLabels):
        self.reading, self.found, self.labels = reading, found, found.by_name()
        self.slug: str = reading.params["slug"]
        earlier = _earlier(request)
        values = request.POST if request.method == "POST" else earlier
        project = str(values.get("project", self.slug))
        self.stored = Project.objects.filter(slug=project, dataset__slug=self.slug).select_related("protocol").first()
        protocol = _name(self.stored.protocol) if self.stored else str(values.get("protocol", ""))
        self.form = _ProjectForm(
            {"project": project, "protocol": protocol}, self.stored.protocol if self.stored else None
        )
        self.problems: list[str] = []
        self.choices = self._choices(request.POST, earlier, find_protocol(protocol) if protocol else None)

    def _choices(self, post: QueryDict, earlier: Mapping[str, Any], protocol: ProtocolVersion | None) -> _Choices:
        before = last_mappings(self.stored, self.reading.params["format"]) if self.stored else (None, {})
        mapping, users = before[0], dict(before[1])
        if earlier:
            mapping = labels_from(earlier["labels"]) if earlier["labels"] else mapping
            users |= earlier["annotators"]
        posted = {f"annotator-{n}": name for n, name in enumerate(self.found.annotators)}
        users |= {name: user for key, name in posted.items() if (user := str(post.get(key, "")).strip())}
        users = _suggested_users(self.found) | users
        if protocol is None:
            return _Choices(None, self._fields_of_new_protocol(), users)
        if "shown" in post and post["shown"] == _name(protocol):
            names = [*self.labels, UNLABELED]
            fields = {name: tuple(filter(None, post.getlist(f"label-{n}"))) for n, name in enumerate(names)}
            return _Choices(protocol, fields, users)
        return _Choices(protocol, self._suggested_fields(mapping, protocol), users)

    def _fields_of_new_protocol(self) -> dict[str, tuple[str, ...]]:
        slug = str(self.form["project"].value())
        try:
            _toml, mapping = protocol_of_labels(slug.lower(), slug, self.found)
        except Refused as refused:
            self.problems = ["No protocol can be made of the labels; choose one.", *refused.problems]
            return {}
        fields = {name: tuple(mapping.fields_of(label)) for name, (label, _n) in self.labels.items()}
        return {**fields, UNLABELED: tuple(mapping.unlabeled)}

    def _suggested_fields(self, mapping: LabelMapping | None, protocol: ProtocolVersion) -> dict[str, tuple[str, ...]]:
        """Return the fields of each label by the mapping, as far as the protocol has them, else by its name."""
        field_names = fields_of_protocol(protocol.definition)
        fields = {}
        known = self.found.mapping(mapping.by_field if mapping else {})
        for name, (label, _n) in self.labels.items():
            mapped = [each for each in known.fields_of(label) if each in field_names]
            fields[name] = tuple(mapped or filter(None, [guess_field(label, protocol.definition)]))
        return {
            **fields,
            UNLABELED: tuple(each for each in (mapping.unlabeled if mapping else []) if each in field_names),
        }

    @property
    def unmapped(self) -> list[str]:
        """Return the labels that still need a field."""
        return [] if self.choices.protocol is None else [n for n in self.labels if not self.choices.fields.get(n)]

    def params(self) -> dict[str, Any]:
        """Return the parameters of the dry run."""
        names = ("format", "slug", "title", "system", "columns")
        return {
            **{name: self.reading.params[name] for name in names},
            "project": self.form.cleaned_data["project"],
            "protocol": self.form.cleaned_data["protocol"],
            "labels": self.choices.mapping() if self.choices.protocol else None,
            "annotators": dict(self.choices.users),
            "reading": str(self.reading.public_id),
        }

    def context(self) -> dict[str, Any]:
        """Return the context of the page."""
        protocol, fields = self.choices.protocol, dict(self.choices.fields)
        has_spans = bool(self.found.spans) and (protocol is None or protocol.definition.unit != Item.Unit.RESPONSE)
        counts = {**{name: n for name, (_label, n) in self.labels.items()}, **({UNLABELED: None} if has_spans else {})}
        most = len(protocol.definition.questions) if protocol else 0
        users = list(self.choices.users.items())[:SHOWN]
        usernames = set(User.objects.in_data(user for _name, user in users))
        return {
            "form": self.form,
            "reading": self.reading,
            "uploads": list(self.reading.uploads.order_by("pk")),
            "shown": _name(protocol) if protocol else "",
            "rows": [
                (n, name, count, fields.get(name, ()), _selects(fields.get(name, ()), most))
                for n, (name, count) in enumerate(counts.items())
            ],
            "groups": _groups_of(protocol) if protocol else [],
            "annotators": [
                (n, name, self.found.annotators[name], user, user in usernames) for n, (name, user) in enumerate(users)
            ],
            "more_annotators": max(0, len(self.choices.users) - SHOWN),
            "models": [(user_name(name), n) for name, n in self.found.models.items()],
            "accounts": _people().values_list("username", flat=True)[:SHOWN],
            "problems": self.problems,
            "unmapped": self.unmapped,
            "stored": self.stored,
        }


def _earlier(request: Request) -> dict[str, Any]:
    """Return the parameters of the dry run in the address; empty without one."""
    try:
        public_id = UUID(request.GET.get("job", ""))
    except ValueError:
        return {}
    job = Job.objects.filter(public_id=public_id, kind=uploads.LOAD_PROJECT).first()
    return dict(job.params) if job else {}


def _suggested_users(found: FoundLabels) -> dict[str, str]:
    """Return the user of each annotator: the account with the name as its email address, else one of that name; of
    annotators that would be one user, the later ones get a number."""
    addresses = [name.lower() for name in found.annotators]
    people = _people().annotate(address=Lower("email")).filter(address__in=addresses)
    by_email = {user.email.lower(): user.username for user in people}
    users: dict[str, str] = {}
    for name in found.annotators:
        user = suggested = by_email.get(name.lower()) or user_name(name) or "annotator"
        number, taken = 2, {each.casefold() for each in users.values()}
        while user.casefold() in taken:
            user, number = f"{suggested}-{number}", number + 1
        users[name] = user
    return users


def _people() -> QuerySet[User]:
    return User.objects.filter(is_active=True, judge=None).order_by("username")


def _selects(fields: tuple[str, ...], most: int) -> list[str]:
    """Return the selected field of each choice of a label: one more than it has, as it may answer several questions."""
    is_open = not fields or (LEAVE_OUT not in fields and len(fields) < most)
    return [*fields, *([""] if is_open else [])]


def _groups_of(protocol: ProtocolVersion) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the fields of the protocol with their words, by question; the last group is about no question."""
    groups = []
    for question in protocol.translated.questions:
        options = [(f"{question.key}.{option.key}", option.label) for option in question.options]
        groups.append((question.text, options or [(question.key, "Written answer")]))
    return [*groups, ("No answer", [(COMMENT, "Comment"), (LEAVE_OUT, "Not imported")])]


def _name(protocol: ProtocolVersion) -> str:
    return f"{protocol.slug}@{protocol.version}"


def _words(protocol: ProtocolVersion) -> str:
    version = f"version {protocol.version}"
    return f"{protocol.translated.title}, {version} ({unit_words(protocol.definition.unit, 2)})"
