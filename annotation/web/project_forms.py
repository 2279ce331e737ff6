"""What people fill in about projects."""

import json
from typing import Any

from django import forms
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ..assigning.projects import RESERVED
from ..assigning.protocols import available_protocols
from ..assigning.reservations import Selection, choices_of
from ..models import Dataset, Membership, Project, ProtocolVersion, User


class MemberForm(forms.Form):
    """A user name and a role. Taking one's own lead away would lock a lead out, so that is for others to do."""

    username = forms.CharField(label=gettext_lazy("User name"), max_length=150)
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Membership.Role.choices)

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
            raise forms.ValidationError(
                _("Nobody has the user name “%(given)s”. An admin can make the account.") % {"given": given}
            )
        if not found.is_active:
            raise forms.ValidationError(
                _("The account “%(username)s” is closed. An admin can open it again.") % {"username": found.username}
            )
        return found

    def clean(self) -> dict[str, Any]:
        """A lead stays a lead until somebody else says otherwise."""
        given = super().clean() or {}
        if (
            given.get("username") == self.actor
            and not self.actor.is_admin
            and given.get("role") != Membership.Role.LEAD
        ):
            self.add_error("role", _("You cannot take the lead away from yourself: ask another lead or an admin."))
        return given


def _choose_from(form: forms.Form, name: str, rows: QuerySet) -> None:
    """Let the field offer these rows."""
    field = form.fields[name]
    assert isinstance(field, forms.ModelChoiceField)
    field.queryset = rows


def _choices(form: forms.Form, name: str) -> forms.ChoiceField:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    return field


class _Datasets(forms.ModelChoiceField):
    def label_from_instance(self, dataset: Any) -> str:
        """Of a data set with `n`, the number of its responses."""
        n = ngettext("%(n)s response", "%(n)s responses", dataset.n) % {"n": intcomma(dataset.n)}
        return f"{dataset.title} ({n})"


class _People(forms.ModelMultipleChoiceField):
    def label_from_instance(self, user: User) -> str:
        name = user.get_full_name()
        return f"{name} ({user.username})" if name else user.username


class ProjectForm(forms.Form):
    """What a new project is made of."""

    dataset = _Datasets(
        label=gettext_lazy("Data set"),
        queryset=Dataset.objects.none(),
        to_field_name="slug",
        empty_label=gettext_lazy("Choose a data set"),
        help_text=gettext_lazy("All its responses are rated; those loaded later come into the project by themselves."),
    )
    title = forms.CharField(
        label=gettext_lazy("Title"),
        max_length=200,
        help_text=gettext_lazy("What raters see, such as “Reading comprehension, June”."),
    )
    slug = forms.SlugField(
        label=gettext_lazy("Short name"),
        max_length=80,
        help_text=gettext_lazy(
            "For addresses and commands: letters, digits, hyphens and underscores. It cannot be changed later."
        ),
    )
    protocol = forms.ModelChoiceField(
        ProtocolVersion.objects.none(),
        label=gettext_lazy("Protocol"),
        empty_label=None,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("What raters are asked. The project keeps this very version, whatever is loaded later."),
    )
    overlap = forms.IntegerField(
        label=gettext_lazy("Overlap"),
        min_value=1,
        max_value=100,
        initial=3,
        help_text=gettext_lazy("How many raters read each response."),
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        min_value=0,
        max_value=2**63 - 1,
        initial=1,
        help_text=gettext_lazy("Fixes the random order of the work."),
    )
    raters = _People(
        User.objects.none(), label=gettext_lazy("Raters"), required=False, widget=forms.CheckboxSelectMultiple
    )
    leads = _People(
        User.objects.none(),
        label=gettext_lazy("Leads"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "Leads see how far things are, the report and the systems' names. Admins see every project anyway."
        ),
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
            _choose_from(self, name, queryset)
        self.fields["protocol"].initial = protocols[0].pk if protocols else None

    def clean_slug(self) -> str:
        """Free, and not a word that stands in an address."""
        slug: str = self.cleaned_data["slug"]
        if slug == RESERVED:
            raise forms.ValidationError(
                _("“%(slug)s” is taken by the address of this page: choose another name.") % {"slug": slug}
            )
        if Project.objects.filter(slug=slug).exists():
            raise forms.ValidationError(
                _("There is already a project “%(slug)s”: choose another name.") % {"slug": slug}
            )
        return slug

    def clean(self) -> dict[str, Any]:
        """One role a person."""
        given = super().clean() or {}
        both = sorted({u.username for u in given.get("raters") or []} & {u.username for u in given.get("leads") or []})
        if both:
            self.add_error(
                "leads",
                _("%(names)s: one role a person in a project. Take one of the two ticks away.")
                % {"names": ", ".join(both)},
            )
        return given


def sentence(error: Exception) -> str:
    """What a verb said was wrong, as a sentence for people."""
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."


def raters_of(project: Project) -> QuerySet[User]:
    """Who rates in the project and can sign in, by name."""
    return User.objects.filter(
        memberships__project=project, memberships__role=Membership.Role.RATER, is_active=True
    ).order_by("username")


class InviteForm(forms.Form):
    """Somebody who has an account, or is to have one."""

    username = forms.CharField(
        label=gettext_lazy("User name"),
        max_length=150,
        help_text=gettext_lazy(
            "Of somebody who has an account, or a new one: letters, digits and @ . + - _. It appears in exports."
        ),
    )
    email = forms.EmailField(
        label=gettext_lazy("E-mail"),
        required=False,
        help_text=gettext_lazy("For a new account: for signing in and for a forgotten password."),
    )
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Membership.Role.choices, initial=Membership.Role.RATER)

    def __init__(self, project: Project, actor: User, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.project, self.actor = project, actor
        self.fields["username"].widget.attrs |= {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}

    def clean_username(self) -> str:
        """Not the inviter, who would lose the lead."""
        given: str = self.cleaned_data["username"].strip()
        if given.lower() in {self.actor.username.lower(), self.actor.email.lower() or None} and not self.actor.is_admin:
            raise forms.ValidationError(_("That is you. Your own role is for another lead or an admin to change."))
        return given


class _Person(forms.ModelChoiceField):
    def label_from_instance(self, user: User) -> str:
        name = user.get_full_name()
        return f"{name} ({user.username})" if name else user.username


class ReplaceForm(forms.Form):
    """Who takes over from a rater: nobody who sees what others answered."""

    successor = _Person(
        User.objects.none(), label=gettext_lazy("Who takes over"), empty_label=gettext_lazy("Choose somebody")
    )
    move_reservations = forms.BooleanField(
        label=gettext_lazy("What is kept for the leaver is kept for the successor from now on"),
        required=False,
        initial=True,
    )

    def __init__(self, project: Project, leaver: User, actor: User, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        leads = Membership.objects.filter(project=project, role=Membership.Role.LEAD).values("user")
        people = User.objects.filter(is_active=True, is_superuser=False).exclude(pk=leaver.pk).exclude(pk__in=leads)
        if not actor.is_admin:  # a lead sees the people of the project, as everywhere
            people = people.filter(memberships__project=project)
        _choose_from(self, "successor", people.distinct().order_by("username"))


class OverlapForm(forms.Form):
    """How many raters read each response."""

    overlap = forms.IntegerField(
        label=gettext_lazy("Raters a response"),
        min_value=1,
        max_value=100,
        widget=forms.NumberInput(attrs={"class": "short"}),
    )


class DeleteForm(forms.Form):
    """The short name, typed in, says that it is meant."""

    slug = forms.CharField(label=gettext_lazy("Short name"))

    def __init__(self, expected: str, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.expected = expected
        self.fields["slug"].label = _("Type “%(expected)s” to confirm") % {"expected": expected}
        self.fields["slug"].widget.attrs |= {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}

    def clean_slug(self) -> str:
        """Exactly the name."""
        if self.cleaned_data["slug"] != self.expected:
            raise forms.ValidationError(
                _("That is not “%(expected)s”. Nothing was deleted.") % {"expected": self.expected}
            )
        return self.expected


WAYS = [
    ("random", gettext_lazy("A number of them at random")),
    ("system", gettext_lazy("Those of one system")),
    ("metadata", gettext_lazy("Those to prompts of one kind")),
    ("document", gettext_lazy("Those about one document")),
]


class PartForm(forms.Form):
    """Which responses are kept, and for whom."""

    raters = _People(User.objects.none(), widget=forms.CheckboxSelectMultiple, label=gettext_lazy("For"))
    by = forms.ChoiceField(
        label=gettext_lazy("Which responses"),
        choices=WAYS,
        initial="random",
        widget=forms.RadioSelect,
    )
    n = forms.IntegerField(label=gettext_lazy("How many"), min_value=1, max_value=10_000_000, required=False)
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        min_value=0,
        max_value=2**31 - 1,
        initial=1,
        required=False,
        help_text=gettext_lazy("The same seed draws the same responses."),
    )
    system = forms.ChoiceField(label=gettext_lazy("System"), required=False)
    kind = forms.ChoiceField(label=gettext_lazy("Kind of prompt"), required=False)
    document = forms.ChoiceField(label=gettext_lazy("Document"), required=False)

    def __init__(self, project: Project, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        choices = choices_of(project)
        _choose_from(self, "raters", raters_of(project))
        named = {
            "system": [(name, f"{name} ({intcomma(n)})") for name, n in choices.systems],
            "kind": [
                (json.dumps([key, value]), f"{key}: {value} ({intcomma(n)})") for key, value, n in choices.metadata
            ],
            "document": [(key, f"{_short(title or key)} ({intcomma(n)})") for key, title, n in choices.documents],
        }
        for name, options in named.items():
            _choices(self, name).choices = [("", _("Choose")), *options]
        possible = {"system": named["system"], "metadata": named["kind"], "document": named["document"]}
        by = _choices(self, "by")
        by.choices = [(name, words) for name, words in WAYS if possible.get(name, True)]

    def clean(self) -> dict[str, Any]:
        """What the chosen way needs is there."""
        given = super().clean() or {}
        needed = {"random": "n", "system": "system", "metadata": "kind", "document": "document"}.get(
            given.get("by", "")
        )
        if needed and not given.get(needed) and needed not in self.errors:
            self.add_error(needed, _("Say how many.") if needed == "n" else _("Choose one."))
        return given

    def selection(self) -> Selection:
        """What a valid form means."""
        given = self.cleaned_data
        if given["by"] == "random":
            return Selection("random", n=given["n"], seed=1 if given["seed"] is None else given["seed"])
        if given["by"] == "metadata":
            key, value = json.loads(given["kind"])
            return Selection("metadata", value, key=key)
        return Selection(given["by"], given[given["by"]])


def _short(title: str) -> str:
    return f"{title[:79]}…" if len(title) > 80 else title
