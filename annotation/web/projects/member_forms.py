"""Forms about the people of a project."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ...models import Membership, Project, User
from ..accounts.fields import NAME_ATTRIBUTES, TypedPerson, choose_from


class _FormOfActor(forms.Form):
    """A form with the user name of a person, suggested by the page of the project's members."""

    def __init__(self, project: Project, actor: User, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.actor = actor
        self.fields["username"].widget.attrs["data-people"] = reverse("suggest_people", args=[project.slug])


def suggested_people(actor: User) -> QuerySet[User]:
    """Return the people whom a form suggests: for an admin everybody, for a lead those of the projects they lead."""
    people = User.objects.filter(is_active=True).order_by("username")
    if actor.is_admin:
        return people
    led = Membership.objects.filter(user=actor, role=Membership.Role.LEAD).values("project")
    return people.filter(memberships__project__in=led).distinct()


def possible_successors(project: Project, leaver: User, actor: User) -> QuerySet[User]:
    """Return who may replace a rater: nobody who can see others' answers; a lead chooses among the project's raters."""
    leads = Membership.objects.filter(project=project, role=Membership.Role.LEAD).values("user")
    people = User.objects.filter(is_active=True, is_superuser=False).exclude(pk=leaver.pk).exclude(pk__in=leads)
    if not actor.is_admin:  # a lead sees the people of the project, as everywhere
        people = people.filter(memberships__project=project)
    return people.distinct().order_by("username")


class MemberForm(_FormOfActor):
    """A user name and a role. Leads cannot remove their own role, so that none is locked out."""

    username = forms.CharField(
        label=gettext_lazy("User name"), max_length=150, widget=forms.TextInput(attrs=NAME_ATTRIBUTES)
    )
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Membership.Role.choices)

    def clean_username(self) -> User:
        """Return the active user with this user name or e-mail address."""
        name = self.cleaned_data["username"].strip()
        user = User.objects.filter(username__iexact=name).first()
        if user is None and "@" in name:
            user = User.objects.filter(email__iexact=name).first()
        if user is None:
            raise forms.ValidationError(
                _("No account has the user name “%(given)s”. An admin can create it.") % {"given": name}
            )
        if not user.is_active:
            raise forms.ValidationError(
                _("The account “%(username)s” is closed. An admin can reopen it.") % {"username": user.username}
            )
        return user

    def clean(self) -> dict[str, Any]:
        """Refuse leads who would take the lead from themselves."""
        cleaned = super().clean() or {}
        if (
            cleaned.get("username") == self.actor
            and not self.actor.is_admin
            and cleaned.get("role") != Membership.Role.LEAD
        ):
            self.add_error("role", _("You cannot remove your own lead role: ask another lead or an admin."))
        return cleaned


class InviteForm(_FormOfActor):
    """A person with an account, or one to be created."""

    username = forms.CharField(
        label=gettext_lazy("User name"),
        max_length=150,
        widget=forms.TextInput(attrs={**NAME_ATTRIBUTES, "autofocus": True}),
        help_text=gettext_lazy(
            "Of an existing account, or a new one: letters, digits and @ . + - _. It appears in exports."
        ),
    )
    email = forms.EmailField(
        label=gettext_lazy("Email"),
        required=False,
        help_text=gettext_lazy("For a new account: for signing in and for resetting the password."),
    )
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Membership.Role.choices, initial=Membership.Role.RATER)

    def clean_username(self) -> str:
        """Refuse the inviter, who would lose the lead."""
        name: str = self.cleaned_data["username"].strip()
        if name.lower() in {self.actor.username.lower(), self.actor.email.lower() or None} and not self.actor.is_admin:
            raise forms.ValidationError(_("You cannot change your own role. Ask another lead or an admin."))
        return name


class ReplaceForm(forms.Form):
    """The successor of a rater, who must not be able to see others' answers."""

    successor = TypedPerson(
        User.objects.none(),
        label=gettext_lazy("Successor"),
        help_text=gettext_lazy("The user name. Type a part of a name to search."),
    )
    move_reservations = forms.BooleanField(
        label=gettext_lazy("Transfer the leaver’s assignments to the successor"),
        required=False,
        initial=True,
    )

    def __init__(self, project: Project, leaver: User, actor: User, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        choose_from(self, "successor", possible_successors(project, leaver, actor))
        suggestions = reverse("suggest_successors", args=[project.slug, leaver.username])
        self.fields["successor"].widget.attrs["data-people"] = suggestions
