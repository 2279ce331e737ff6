"""Which items a review goes through, as its address says: `?show=`, `?system=`, `?rater=`, `?answer=`, `?against=`."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext_lazy

from ...models import Project, System
from ...protocols import Protocol
from ...reviewing.disagreement_ranking import SHOWS, Wanted
from ..authentication import Request
from .anonymity import Names

OPEN = SHOWS[0]
ANY = ("", gettext_lazy("any answer"))


class FilterForm(forms.Form):
    """The choices beside `show`. What is not one of them is named, and not asked for."""

    answer = forms.ChoiceField(label=gettext_lazy("Somebody said"), required=False)
    against = forms.ChoiceField(label=gettext_lazy("and somebody"), required=False)
    rater = forms.ChoiceField(label=gettext_lazy("Rated by"), required=False)
    system = forms.ChoiceField(label=gettext_lazy("System"), required=False)

    def __init__(self, project: Project, names: Names, data: dict[str, str]):
        super().__init__(data)
        self._choices("answer", [ANY, *_answers(project.protocol.worded)])
        self._choices("against", [ANY, *_answers(project.protocol.worded)])
        people = [(names.rater_value(named), names.rater(named.user)) for named in names.raters.values()]
        self._choices(
            "rater", [("", gettext_lazy("anybody")), *sorted(people, key=lambda pair: (len(pair[1]), pair[1]))]
        )
        if names.shows_systems or data.get("system"):
            systems = System.objects.filter(dataset=project.dataset_id).values_list("name", flat=True)
            self._choices("system", [("", gettext_lazy("any system")), *((name, name) for name in systems)])
        else:
            del self.fields["system"]

    def _choices(self, name: str, choices: list[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices


def _answers(protocol: Protocol) -> list[tuple[str, list[tuple[str, str]]]]:
    """The options of each choice question as a group."""
    return [
        (question.text, [(f"{question.key}:{option.key}", option.label) for option in question.options])
        for question in protocol.questions
        if question.kind == "choice"
    ]


@dataclass(frozen=True)
class Asked:
    """What an address asks for: the form with it, the same for `reviewing`, and the parameters that say it again."""

    form: FilterForm
    wanted: Wanted
    params: dict[str, str]

    @property
    def query(self) -> str:
        """`?show=all&rater=…`, or nothing."""
        return f"?{urlencode(self.params)}" if self.params else ""

    def shown_as(self, show: str) -> str:
        """The same list with another `show`."""
        params = {key: value for key, value in self.params.items() if key != "show"}
        return "?" + urlencode(params if show == OPEN else {"show": show, **params})

    @property
    def is_narrow(self) -> bool:
        """Whether something beside `show` is asked for."""
        return bool(set(self.params) - {"show"})


def asked(request: Request, project: Project, names: Names) -> Asked:
    """What the address of this request asks for. A rater may be named by user name or pseudonym."""
    query = {name: request.GET.get(name, "") for name in ("answer", "against", "rater", "system")}
    rater = names.rater_named(query["rater"]) if query["rater"] else None
    if rater:
        query["rater"] = names.rater_value(rater)
    show = request.GET.get("show", OPEN)
    show = show if show in SHOWS else OPEN
    form = FilterForm(project, names, query)
    form.is_valid()
    initial = {name: value for name in query if (value := form.cleaned_data.get(name))}
    selection = Wanted(
        show=show,
        system=initial.get("system", ""),
        rater=rater.user.pk if rater else None,
        answers=tuple(_answer(initial[name]) for name in ("answer", "against") if name in initial),
    )
    return Asked(form, selection, ({} if show == OPEN else {"show": show}) | initial)


def _answer(value: str) -> tuple[str, str]:
    question, _, option = value.partition(":")
    return question, option
