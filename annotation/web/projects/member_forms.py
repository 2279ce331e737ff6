"""Forms about the people of a project."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.urls import reverse

from ...models import Membership, Project, User
from ...projects.invitations import MAX_INVITED, Invitee, own_role_problem
from ...projects.members import account_named, possible_successors, require_may_get_role
from ...queue.errors import ProjectError
from ..accounts.fields import NAME_ATTRIBUTES, TypedPerson, choose_from


def suggested_people(actor: User) -> QuerySet[User]:
    """Return the people whom a form suggests: for an admin everybody, for a lead those of the projects they lead, but
    not of those that hide their raters.
    """
    people = User.objects.filter(is_active=True).order_by("username")
    if actor.is_admin:
        return people
    led = Membership.objects.filter(user=actor, role=Membership.Role.LEAD, project__hides_raters=False)
    return people.filter(memberships__project__in=led.values("project")).distinct()


class MemberForm(forms.Form):
    """A user name and a role. Leads cannot remove their own role, so that none is locked out."""

    username = forms.CharField(label="User name", max_length=150, widget=forms.TextInput(attrs=NAME_ATTRIBUTES))
    role = forms.ChoiceField(label="Role", choices=Membership.Role.choices)

    def __init__(self, project: Project, actor: User, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.actor = actor
        self.fields["username"].widget.attrs["data-people"] = reverse("suggest_people", args=[project.slug])

    def clean_username(self) -> User:
        """Return the active user with this user name or e-mail address."""
        try:
            return account_named(self.cleaned_data["username"])
        except ProjectError as error:
            raise forms.ValidationError(str(error)) from None

    def clean(self) -> dict[str, Any]:
        """Refuse leads who would take the lead from themselves."""
        cleaned = super().clean() or {}
        if "username" in cleaned and "role" in cleaned:
            try:
                require_may_get_role(cleaned["username"], cleaned["role"], self.actor)
            except ProjectError as error:
                self.add_error("role", str(error))
        return cleaned


class InviteForm(forms.Form):
    """People with an account or without, one a line, and their role."""

    people = forms.CharField(
        label="People",
        max_length=20_000,
        widget=forms.Textarea(attrs={**NAME_ATTRIBUTES, "rows": 5, "autofocus": True}),
        help_text=(
            "One person a line: a user name or an email address; for a new account both, such as “rosa "
            "rosa@example.org”. User names have letters, digits and @ . + - _ and appear in exports."
        ),
    )
    role = forms.ChoiceField(label="Role", choices=Membership.Role.choices, initial=Membership.Role.RATER)

    def __init__(self, actor: User, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.actor = actor

    def clean_people(self) -> list[Invitee]:
        """Return the people. Refuses lines that are not names, and the inviter, who would lose the lead."""
        people, problems = [], []
        for number, line in enumerate(self.cleaned_data["people"].splitlines(), start=1):
            words = line.replace(",", " ").replace(";", " ").split()
            if problem := self._problem(words):
                problems.append(at_line(number, problem))
            elif words:
                people.append(Invitee(number, words[0], words[-1] if "@" in words[-1] else ""))
        if len(people) > MAX_INVITED:
            problems.append(f"Invite at most {MAX_INVITED} people at once.")
        if problems:
            raise forms.ValidationError(problems)
        return people

    def _problem(self, words: Sequence[str]) -> str:
        """Return why a line names nobody whom the inviter may invite, or an empty string."""
        if problem := own_role_problem(words, self.actor):
            return problem
        if len(words) > 2 or (len(words) == 2 and "@" not in words[1]):
            problem = "'%(text)s': write a user name and an email address, in this order, and nothing else."
            return problem % {"text": " ".join(words)}
        return ""


def at_line(number: int, problem: str) -> str:
    return f"Line {number}: {problem}"


class ReplaceForm(forms.Form):
    """The successor of a rater, who must not be able to see others' answers."""

    successor = TypedPerson(
        User.objects.none(),
        label="Successor",
        help_text="The user name. Type a part of a name to search.",
    )
    move_reservations = forms.BooleanField(
        label="Transfer the leaver’s assignments to the successor",
        required=False,
        initial=True,
    )

    def __init__(self, project: Project, leaver: User, actor: User, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        choose_from(self, "successor", possible_successors(project, leaver, actor))
        suggestions = reverse("suggest_successors", args=[project.slug, leaver.username])
        self.fields["successor"].widget.attrs["data-people"] = suggestions
