"""The filters of a review, parameters of its address: `?show=`, `?system=`, `?rater=`, `?answer=`, `?against=`."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django import forms

from ...models import Project, System
from ...protocols import Protocol
from ...reviewing.disagreement_ranking import SHOWS, ReviewSelection
from ..accounts.fields import set_choices
from ..authentication import Request
from .anonymity import Anonymity

OPEN = SHOWS[0]
ANY = ("", "any answer")


class FilterForm(forms.Form):
    """The filters besides `show`. Invalid values are reported and ignored."""

    answer = forms.ChoiceField(label="Label A", required=False)
    against = forms.ChoiceField(label="Label B", required=False)
    rater = forms.ChoiceField(label="Rated by", required=False)
    system = forms.ChoiceField(label="System", required=False)

    def __init__(self, project: Project, anonymity: Anonymity, data: dict[str, str]):
        super().__init__(data)
        set_choices(self, "answer", [ANY, *_answers(project.protocol.translated)])
        set_choices(self, "against", [ANY, *_answers(project.protocol.translated)])
        raters = [(anonymity.rater_value(rater), anonymity.rater(rater.user)) for rater in anonymity.raters.values()]
        set_choices(self, "rater", [("", "any rater"), *sorted(raters, key=lambda pair: (len(pair[1]), pair[1]))])
        if anonymity.shows_systems or data.get("system"):
            systems = System.objects.filter(dataset=project.dataset_id).values_list("name", flat=True)
            set_choices(self, "system", [("", "any system"), *((name, name) for name in systems)])
        else:
            del self.fields["system"]


def _answers(protocol: Protocol) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the options of each choice question as a group."""
    return [
        (question.text, [(f"{question.key}:{option.key}", option.label) for option in question.options])
        for question in protocol.questions
        if question.kind == "choice"
    ]


@dataclass(frozen=True)
class ReviewQuery:
    """The filters of an address: the form, the selection for `reviewing`, and the address parameters."""

    form: FilterForm
    selection: ReviewSelection
    params: dict[str, str]

    @property
    def querystring(self) -> str:
        """Return `?show=all&rater=…`; "" without filters."""
        return f"?{urlencode(self.params)}" if self.params else ""

    def querystring_for(self, show: str) -> str:
        """Return the address parameters with another `show`."""
        params = {key: value for key, value in self.params.items() if key != "show"}
        return "?" + urlencode(params if show == OPEN else {"show": show, **params})

    @property
    def is_narrow(self) -> bool:
        """Whether there are filters besides `show`."""
        return bool(set(self.params) - {"show"})


def read_query(request: Request, project: Project, anonymity: Anonymity) -> ReviewQuery:
    """Read the filters of a request. A rater is named by user name or pseudonym."""
    values = {name: request.GET.get(name, "") for name in ("answer", "against", "rater", "system")}
    rater = anonymity.rater_named(values["rater"]) if values["rater"] else None
    if rater:
        values["rater"] = anonymity.rater_value(rater)
    show = request.GET.get("show", OPEN)
    show = show if show in SHOWS else OPEN
    form = FilterForm(project, anonymity, values)
    form.is_valid()
    cleaned = {name: value for name in values if (value := form.cleaned_data.get(name))}
    selection = ReviewSelection(
        show=show,
        system=cleaned.get("system", ""),
        rater=rater.user.pk if rater else None,
        answers=tuple(_answer(cleaned[name]) for name in ("answer", "against") if name in cleaned),
    )
    return ReviewQuery(form, selection, ({} if show == OPEN else {"show": show}) | cleaned)


def _answer(value: str) -> tuple[str, str]:
    question, _, option = value.partition(":")
    return question, option
