"""The form that creates a project, for admins."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db import transaction
from django.db.models import Count, Exists, OuterRef
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from ...access import require_admin
from ...i18n.unit_names import counted, unit_words
from ...models import Dataset, Document, Judge, Membership, Project, ProtocolVersion, User
from ...projects.compatibility import why_nothing_to_rate
from ...projects.create import MAX_SHORT_NAME, RESERVED, create_project, derived_short_name
from ...projects.members import add_member
from ...projects.project_settings import SETTINGS
from ...projects.protocol_versions import available_protocols
from ...queue.errors import ProjectError, SampleError
from ..accounts.fields import People, choose_from, sentence
from ..authentication import Request
from .forms import setting_field

HAS_DOCUMENTS = Exists(Document.objects.filter(dataset=OuterRef("pk")))


class _Datasets(forms.ModelChoiceField):
    def label_from_instance(self, dataset: Any) -> str:
        """Return the label of a data set with `n`, the number of its responses, and `with_documents`."""
        n = f"{intcomma(dataset.n)} response" if dataset.n == 1 else f"{intcomma(dataset.n)} responses"
        return f"{dataset.title} ({n}{'' if dataset.with_documents else ', no documents'})"


class _Protocols(forms.ModelChoiceField):
    def label_from_instance(self, protocol: ProtocolVersion) -> str:
        """Return the label with the unit, which the data set must have."""
        version = f"version {protocol.version}"
        return f"{protocol.translated.title}, {version} ({unit_words(protocol.definition.unit, 2)})"


class ProjectForm(forms.Form):
    """The form of a new project."""

    dataset = _Datasets(
        label="Data set",
        queryset=Dataset.objects.none(),
        to_field_name="slug",
        empty_label="Choose a data set",
        help_text="All its responses are rated; responses imported later are added automatically.",
    )
    title = setting_field(
        SETTINGS["title"],
        help_text="Raters see it, for example “Reading comprehension, June”.",
        error_messages={},
    )
    slug = forms.SlugField(
        label="Short name",
        max_length=MAX_SHORT_NAME,
        required=False,
        help_text=(
            "For addresses and commands: letters, digits, hyphens and underscores. If empty, it is derived from the "
            "title. It cannot be changed later."
        ),
    )
    protocol = _Protocols(
        ProtocolVersion.objects.none(),
        label="Protocol",
        empty_label=None,
        widget=forms.RadioSelect,
        help_text="The questions that raters answer. The project keeps this version, even if a newer one is stored.",
    )
    overlap = setting_field(SETTINGS["overlap"], label="Overlap", initial=3)
    seed = forms.IntegerField(
        label="Seed",
        min_value=0,
        max_value=2**63 - 1,
        initial=1,
        help_text="Determines the random order of the work.",
    )
    skips_claim_free = setting_field(
        SETTINGS["skips_claim_free"],
        label="Skip likely claim-free items",
        help_text=(
            "If off, every sentence is rated. Questions, courtesy and similar sentences are marked by "
            "their wording. The project settings show how many; you can change this until the first "
            "rating."
        ),
    )
    sample_size = forms.IntegerField(
        label="Sample size",
        min_value=1,
        required=False,
        help_text=(
            "How many sentences (or other items of the protocol) raters are asked about, drawn at random. They read "
            "the rest. If empty, they are asked about all. It cannot be changed later."
        ),
    )
    sampling_design = forms.ChoiceField(
        label="Sampling design",
        choices=Project.SamplingDesign.choices,
        required=False,
        help_text="How they are drawn. Spread over prompts, they give the narrowest intervals.",
    )
    sampling_judge = forms.ModelChoiceField(
        Judge.objects.none(),
        label="Judge of the sample",
        required=False,
        empty_label="None",
        help_text=(
            "Only for “More where the judge is unsure”. It must have rated this data set under this protocol in "
            "another project."
        ),
    )
    raters = People(User.objects.none(), label="Raters", required=False, widget=forms.CheckboxSelectMultiple)
    leads = People(
        User.objects.none(),
        label="Leads",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Leads see the progress, the report and the systems' names. Admins see every project.",
    )

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        protocols = available_protocols()
        people = User.objects.filter(is_active=True).order_by("username")
        querysets = {
            "dataset": Dataset.objects.annotate(n=Count("responses"), with_documents=HAS_DOCUMENTS),
            "protocol": ProtocolVersion.objects.filter(pk__in=[p.pk for p in protocols]).order_by("title"),
            # Only models that rate items can have a confidence.
            "sampling_judge": Judge.objects.filter(rule="", fact_qa="").order_by("name", "version"),
            "raters": people.filter(is_superuser=False),
            "leads": people.filter(is_superuser=False),
        }
        for name, queryset in querysets.items():
            choose_from(self, name, queryset)
        self.fields["protocol"].initial = protocols[0].pk if protocols else None
        datasets = Dataset.objects.values_list("slug", flat=True)[:2]
        self.fields["dataset"].initial = datasets[0] if len(datasets) == 1 else None

    def clean_slug(self) -> str:
        """Derive an empty name from the title. Refuse one that is in use, or that the address of this page needs."""
        slug: str = self.cleaned_data["slug"]
        if not slug and (title := self.cleaned_data.get("title")):
            slug = derived_short_name(title, Project.objects.all(), RESERVED)
            if not slug:
                raise forms.ValidationError("No short name can be derived from this title: enter one.")
        if slug == RESERVED:
            raise forms.ValidationError(f"“{slug}” is reserved by the site: choose another name.")
        if Project.objects.filter(slug=slug).exists():
            raise forms.ValidationError(f"Project “{slug}” already exists: choose another name.")
        return slug

    def clean(self) -> dict[str, Any]:
        """Check that the data set has the protocol's unit, and that each person has one role."""
        cleaned = super().clean() or {}
        dataset, protocol = cleaned.get("dataset"), cleaned.get("protocol")
        if dataset and protocol and (reason := why_nothing_to_rate(dataset, protocol.definition.unit)):
            self.add_error("protocol", sentence(reason))
        # Without a sample, there is no design, and no judge for it; with one, uniform is the default.
        has_sample = bool(cleaned.get("sample_size"))
        if cleaned.get("sampling_judge") and not has_sample and "sample_size" not in self.errors:
            self.add_error("sample_size", "Enter how many are drawn, or choose no judge.")
        design = cleaned.get("sampling_design") or Project.SamplingDesign.UNIFORM
        cleaned["sampling_design"] = design if has_sample else ""
        in_two_roles = sorted(
            {u.username for u in cleaned.get("raters") or []} & {u.username for u in cleaned.get("leads") or []}
        )
        if in_two_roles:
            self.add_error(
                "leads",
                f"{', '.join(in_two_roles)}: a person has one role in a project. Clear one of the two checkboxes.",
            )
        return cleaned


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: Request) -> HttpResponse:
    """Create a project from a data set, for admins. `?dataset=` and `?protocol=` preselect them."""
    user = request.user
    require_admin(user)
    initial = {name: request.GET[name] for name in ("dataset", "protocol") if name in request.GET}
    form = ProjectForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            with transaction.atomic():
                values = {name: form.cleaned_data[name] for name in form.fields if name not in ("leads", "raters")}
                created = create_project(**values, actor=user)
                for role in Membership.Role.LEAD, Membership.Role.RATER:
                    for person in form.cleaned_data[f"{role}s"]:
                        add_member(created, person, role, actor=user)
        except ProjectError as error:
            form.add_error("sample_size" if isinstance(error, SampleError) else "slug", sentence(error))
        else:
            sheets = counted(created.sheets.count(), created.protocol.definition.sheet_unit)
            messages.success(request, f"{created} is ready: {sheets} to rate.")
            if not created.dataset.documents.exists():
                messages.info(request, "Its data set has no documents: raters see prompt and response, and no article.")
            return redirect("project", created.slug)
    return render(request, "projects/new.html", {"form": form})
