"""What people fill in about projects."""

from typing import Any

from django import forms
from django.db.models import Count

from ..assigning.projects import RESERVED
from ..assigning.protocols import available_protocols
from ..models import Dataset, Membership, Project, ProtocolVersion, User


class MemberForm(forms.Form):
    """A user name and a role. Taking one's own lead away would lock a lead out, so that is for others to do."""

    username = forms.CharField(label="User name", max_length=150)
    role = forms.ChoiceField(choices=Membership.Role.choices)

    def __init__(self, project: Project, actor: User, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.project, self.actor = project, actor
        self.fields["username"].widget.attrs |= {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}

    def clean_username(self) -> User:
        """The person: active, by user name or e-mail address."""
        given = self.cleaned_data["username"].strip()
        found = User.objects.filter(username__iexact=given).first()
        if found is None and "@" in given:
            found = User.objects.filter(email__iexact=given).first()
        if found is None:
            raise forms.ValidationError(f"Nobody has the user name “{given}”. An admin can make the account.")
        if not found.is_active:
            raise forms.ValidationError(f"The account “{found.username}” is closed. An admin can open it again.")
        return found

    def clean(self) -> dict[str, Any]:
        """A lead stays a lead until somebody else says otherwise."""
        given = super().clean() or {}
        if (
            given.get("username") == self.actor
            and not self.actor.is_admin
            and given.get("role") != Membership.Role.LEAD
        ):
            self.add_error("role", "You cannot take the lead away from yourself: ask another lead or an admin.")
        return given


class _Datasets(forms.ModelChoiceField):
    def label_from_instance(self, dataset: Dataset) -> str:
        return f"{dataset.title} ({dataset.n:,} response{'' if dataset.n == 1 else 's'})"  # type: ignore[attr-defined]


class _People(forms.ModelMultipleChoiceField):
    def label_from_instance(self, user: User) -> str:
        name = user.get_full_name()
        return f"{name} ({user.username})" if name else user.username


class ProjectForm(forms.Form):
    """What a new project is made of."""

    dataset = _Datasets(
        label="Data set",
        queryset=Dataset.objects.none(),
        to_field_name="slug",
        empty_label="Choose a data set",
        help_text="All its responses are rated; those loaded later come into the project by themselves.",
    )
    title = forms.CharField(max_length=200, help_text="What raters see, such as “Reading comprehension, June”.")
    slug = forms.SlugField(
        label="Short name",
        max_length=80,
        help_text="For addresses and commands: letters, digits, hyphens and underscores. It cannot be changed later.",
    )
    protocol = forms.ModelChoiceField(
        ProtocolVersion.objects.none(),
        empty_label=None,
        widget=forms.RadioSelect,
        help_text="What raters are asked. The project keeps this very version, whatever is loaded later.",
    )
    overlap = forms.IntegerField(min_value=1, max_value=100, initial=3, help_text="How many raters read each response.")
    seed = forms.IntegerField(
        min_value=0, max_value=2**63 - 1, initial=1, help_text="Fixes the random order of the work."
    )
    raters = _People(User.objects.none(), required=False, widget=forms.CheckboxSelectMultiple)
    leads = _People(
        User.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Leads see how far things are, the report and the systems' names. Admins see every project anyway.",
    )

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        protocols = available_protocols()
        people = User.objects.filter(is_active=True).order_by("username")
        querysets = {
            "dataset": Dataset.objects.annotate(n=Count("responses")),
            "protocol": ProtocolVersion.objects.filter(pk__in=[p.pk for p in protocols]).order_by("title"),
            "raters": people.filter(is_superuser=False),
            "leads": people.filter(is_superuser=False),
        }
        for name, queryset in querysets.items():
            self.fields[name].queryset = queryset  # type: ignore[attr-defined]
        self.fields["protocol"].initial = protocols[0].pk if protocols else None

    def clean_slug(self) -> str:
        """Free, and not a word that stands in an address."""
        slug: str = self.cleaned_data["slug"]
        if slug == RESERVED:
            raise forms.ValidationError(f"“{slug}” is taken by the address of this page: choose another name.")
        if Project.objects.filter(slug=slug).exists():
            raise forms.ValidationError(f"There is already a project “{slug}”: choose another name.")
        return slug

    def clean(self) -> dict[str, Any]:
        """One role a person."""
        given = super().clean() or {}
        both = sorted({u.username for u in given.get("raters") or []} & {u.username for u in given.get("leads") or []})
        if both:
            self.add_error(
                "leads", f"{', '.join(both)}: one role a person in a project. Take one of the two ticks away."
            )
        return given
