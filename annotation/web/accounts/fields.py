"""Form fields to select people."""

from django import forms
from django.db.models import QuerySet

from ...models import Membership, Project, User


class Person(forms.ModelChoiceField):
    """One person."""

    def label_from_instance(self, user: User) -> str:
        return _named(user)


class People(forms.ModelMultipleChoiceField):
    """Any number of people."""

    def label_from_instance(self, user: User) -> str:
        return _named(user)


def choose_from(form: forms.Form, name: str, rows: QuerySet) -> None:
    """Let the field offer these rows."""
    field = form.fields[name]
    assert isinstance(field, forms.ModelChoiceField)
    field.queryset = rows


def raters_of(project: Project) -> QuerySet[User]:
    """Return the project's raters who can sign in, by name."""
    return User.objects.filter(
        memberships__project=project, memberships__role=Membership.Role.RATER, is_active=True
    ).order_by("username")


def _named(user: User) -> str:
    name = user.get_full_name()
    return f"{name} ({user.username})" if name else user.username
