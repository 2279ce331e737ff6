"""Labels and help of the fields of a protocol's form, by the names that the fields have in the TOML file.

Nouns are the parts of the protocol; groups are the lists that they are in.
"""

LABELS = {
    "against": "Second response",
    "among": "Proportion of these ratings",
    "answers": "Answers",
    "better": "Better value",
    "between": "Means",
    "counts": "Ratings that count",
    "definition": "Definition",
    "description": "Description",
    "explanation": "Explanation",
    "help": "Explanation",
    "imports_may_have_gaps": "Allow incomplete imported ratings",
    "intro": "Introduction",
    "key": "Name in the data",
    "kind": "Kind",
    "kinds": "Kinds of items",
    "label": "Label",
    "max_length": "Maximum length",
    "of": "Measures",
    "once": "Ask once per response",
    "passage": "Passage",
    "prompt": "Prompt",
    "question": "Choice question",
    "require_when": "Require an answer only if",
    "required": "Require an answer",
    "response": "Response",
    "shortcut": "Shortcut key",
    "show_when": "Show only if",
    "shows_reference": "Show the reference answer",
    "sign": "Symbol",
    "slug": "Short name",
    "text": "Text",
    "title": "Title",
    "tone": "Color",
    "unit": "Unit",
    "values": "Values of the options",
    "version": "Version",
    "weight": "Weight",
    "when": "Weighs if",
}

HELP = {
    "imports_may_have_gaps": "Imported ratings may lack answers that a rater must give.",
    "intro": "Raters see it before the first question.",
    "key": "Do not change it once there are ratings.",
    "kinds": "Several with commas between. Empty: asked about all items.",
    "max_length": "In characters.",
    "of": "One, or two for their harmonic mean.",
    "between": "Two.",
    "once": "Asked with the last item of the response.",
    "shows_reference": "Raters see the prompt’s reference answer instead of the document.",
    "unit": "What one rating is about.",
}

NOUNS = {
    "question": "Question",
    "option": "Option",
    "measure": "Measure",
    "mean": "Mean",
    "correlation": "Correlation",
    "score": "Score",
    "weight": "Weight",
    "example": "Worked example",
    "item": "Item",
    "practice": "Practice item",
}
GROUPS = {
    "": "Protocol",
    "questions": "Questions",
    "measures": "Measures",
    "means": "Means over responses",
    "correlations": "Correlations",
    "scores": "Scores",
}
CHOICES = {
    "kind": {
        "choice": "Choice of options",
        "text": "Text",
        "urls": "Web addresses",
    },
    "tone": {
        "accurate": "Green: accurate",
        "disputed": "Amber: disputed",
        "unsupported": "Violet: unsupported",
        "inaccurate": "Red: inaccurate",
        "cannot": "Gray: cannot be assessed",
        "neutral": "Neutral",
    },
    "better": {
        "higher": "Higher is better",
        "lower": "Lower is better",
        "neither": "Neither",
    },
}
"""The choices of a field -> their labels."""
