"""Labels and help of the fields of a protocol's form, by the names that the fields have in the TOML file.

Nouns are the parts of the protocol; groups are the lists that they are in.
"""

from django.utils.translation import gettext_lazy

LABELS = {
    "against": gettext_lazy("Second response"),
    "among": gettext_lazy("Proportion of these ratings"),
    "answers": gettext_lazy("Answers"),
    "better": gettext_lazy("Better value"),
    "between": gettext_lazy("Means"),
    "counts": gettext_lazy("Ratings that count"),
    "definition": gettext_lazy("Definition"),
    "description": gettext_lazy("Description"),
    "explanation": gettext_lazy("Explanation"),
    "help": gettext_lazy("Explanation"),
    "imports_may_have_gaps": gettext_lazy("Allow incomplete imported ratings"),
    "intro": gettext_lazy("Introduction"),
    "key": gettext_lazy("Name in the data"),
    "kind": gettext_lazy("Kind"),
    "kinds": gettext_lazy("Kinds of items"),
    "label": gettext_lazy("Label"),
    "max_length": gettext_lazy("Maximum length"),
    "of": gettext_lazy("Measures"),
    "once": gettext_lazy("Ask once per response"),
    "passage": gettext_lazy("Passage"),
    "prompt": gettext_lazy("Prompt"),
    "question": gettext_lazy("Choice question"),
    "require_when": gettext_lazy("Require an answer only if"),
    "required": gettext_lazy("Require an answer"),
    "response": gettext_lazy("Response"),
    "shortcut": gettext_lazy("Shortcut key"),
    "show_when": gettext_lazy("Show only if"),
    "shows_reference": gettext_lazy("Show the reference answer"),
    "sign": gettext_lazy("Symbol"),
    "slug": gettext_lazy("Short name"),
    "text": gettext_lazy("Text"),
    "title": gettext_lazy("Title"),
    "tone": gettext_lazy("Color"),
    "unit": gettext_lazy("Unit"),
    "values": gettext_lazy("Values of the options"),
    "version": gettext_lazy("Version"),
    "weight": gettext_lazy("Weight"),
    "when": gettext_lazy("Weighs if"),
}

HELP = {
    "imports_may_have_gaps": gettext_lazy("Imported ratings may lack answers that a rater must give."),
    "intro": gettext_lazy("Raters see it before the first question."),
    "key": gettext_lazy("Do not change it once there are ratings."),
    "kinds": gettext_lazy("Several with commas between. Empty: asked about all items."),
    "max_length": gettext_lazy("In characters."),
    "of": gettext_lazy("One, or two for their harmonic mean."),
    "between": gettext_lazy("Two."),
    "once": gettext_lazy("Asked with the last item of the response."),
    "shows_reference": gettext_lazy("Raters see the prompt’s reference answer instead of the document."),
    "unit": gettext_lazy("What one rating is about."),
}

NOUNS = {
    "question": gettext_lazy("Question"),
    "option": gettext_lazy("Option"),
    "measure": gettext_lazy("Measure"),
    "mean": gettext_lazy("Mean"),
    "correlation": gettext_lazy("Correlation"),
    "score": gettext_lazy("Score"),
    "weight": gettext_lazy("Weight"),
    "example": gettext_lazy("Worked example"),
    "item": gettext_lazy("Item"),
    "practice": gettext_lazy("Practice item"),
}
ADD = {
    "question": gettext_lazy("Add question"),
    "option": gettext_lazy("Add option"),
    "measure": gettext_lazy("Add measure"),
    "mean": gettext_lazy("Add mean"),
    "correlation": gettext_lazy("Add correlation"),
    "score": gettext_lazy("Add score"),
    "weight": gettext_lazy("Add weight"),
    "example": gettext_lazy("Add worked example"),
    "item": gettext_lazy("Add item"),
    "practice": gettext_lazy("Add practice item"),
}
GROUPS = {
    "": gettext_lazy("Protocol"),
    "questions": gettext_lazy("Questions"),
    "measures": gettext_lazy("Measures"),
    "means": gettext_lazy("Means over responses"),
    "correlations": gettext_lazy("Correlations"),
    "scores": gettext_lazy("Scores"),
}
CHOICES = {
    "kind": {
        "choice": gettext_lazy("Choice of options"),
        "text": gettext_lazy("Text"),
        "urls": gettext_lazy("Web addresses"),
    },
    "tone": {
        "accurate": gettext_lazy("Green: accurate"),
        "disputed": gettext_lazy("Amber: disputed"),
        "unsupported": gettext_lazy("Violet: unsupported"),
        "inaccurate": gettext_lazy("Red: inaccurate"),
        "cannot": gettext_lazy("Gray: cannot be assessed"),
        "neutral": gettext_lazy("Neutral"),
    },
    "better": {
        "higher": gettext_lazy("Higher is better"),
        "lower": gettext_lazy("Lower is better"),
        "neither": gettext_lazy("Neither"),
    },
}
"""The choices of a field -> their labels."""
