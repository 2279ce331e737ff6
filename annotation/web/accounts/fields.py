"""Shared parts of forms: fields to select people, choices, attributes of inputs of names, and error messages."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy

from ...models import Membership, Project, User
from ...pseudonyms import active, shown_username, username_of

NAME_ATTRIBUTES = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
"""Of an input for a user name or a short name, which a browser must not change."""


class TypedPerson(forms.ModelChoiceField):
    """One person by user name, typed or chosen from the suggestions of static/js/pages/person_picker.js."""

    widget = forms.TextInput(attrs=NAME_ATTRIBUTES)
    default_error_messages = {"invalid_choice": gettext_lazy("You cannot choose “%(value)s” here.")}

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, to_field_name="username", **kwargs)

    def to_python(self, value: Any) -> Any:
        """Return the person of this name, in any spelling."""
        person = User.objects.named(value.strip()) if value else None
        if value and person is None:
            raise forms.ValidationError(
                self.error_messages["invalid_choice"], code="invalid_choice", params={"value": value}
            )
        return super().to_python(person.username if person else value)


class _OfPeople(forms.ModelChoiceField):
    """A choice of people, by pseudonym where names are hidden (see `choose_from`)."""

    def clean(self, value: Any) -> Any:
        return super().clean(_with_usernames(value))

    def label_from_instance(self, user: User) -> str:
        return full_label(user)


class OnePerson(_OfPeople):
    """One person out of a list, by user name."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, to_field_name="username", **kwargs)


class People(_OfPeople, forms.ModelMultipleChoiceField):
    """Any number of people."""


def choose_from(form: forms.Form, name: str, rows: QuerySet) -> None:
    """Let the field offer these rows; people whose names are hidden by pseudonym, in this order."""
    field = form.fields[name]
    assert isinstance(field, forms.ModelChoiceField)
    field.queryset = rows
    if active() and isinstance(field, _OfPeople):
        field.to_field_name = "username"
        people = sorted((shown_username(user), str(user)) for user in rows)
        field.choices = [*([("", field.empty_label)] if field.empty_label else []), *people]


def _with_usernames(value: Any) -> Any:
    """Return what a form sends with user names in place of pseudonyms."""
    if isinstance(value, list):
        return [_with_usernames(each) for each in value]
    name = value.replace("\x00", "\ufffd") if value else value  # the database refuses to be asked about NUL
    return username_of(name) if name and active() else name


def set_choices(form: forms.BaseForm, name: str, choices: list[Any]) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices


def raters_of(project: Project) -> QuerySet[User]:
    """Return the project's raters who can sign in, by name."""
    return User.objects.filter(
        memberships__project=project, memberships__role=Membership.Role.RATER, is_active=True
    ).order_by("username")


def full_label(user: User) -> str:
    """Return the name and the user name, or the pseudonym where they are hidden."""
    if shown_username(user) != user.username:
        return str(user)
    name = user.get_full_name()
    return f"{name} ({user.username})" if name else user.username


def sentence(error: Exception | str) -> str:
    """Return an error's message with a capital and one full stop; commands print the same message within a line."""
    return f"{capfirst(str(error).removesuffix('.'))}."
