"""Forms to load a data set or responses."""

import re
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.urls import reverse
from django.utils.http import urlencode

from ...importing import FORMATS, RULES
from ...importing.dataset import RESERVED
from ...importing.responses import FORMATS as RESPONSE_FORMATS
from ...importing.responses import ROWS
from ...importing.upload_limit import UploadLimit, too_large
from ...models import Dataset
from ...projects.create import MAX_SHORT_NAME, derived_short_name

TITLE_LENGTH = 200
CHOSEN = ("format", "slug", "title", "system", "subset", "sample", "seed")
"""Choices for an import other than files: their names in the form, in a job's params and in the form's address."""


class _SeveralFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """One file or several; cleans to a list."""

    widget = _SeveralFiles

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        """Validate each file."""
        files = data if isinstance(data, list | tuple) else [data]
        return [super(FilesField, self).clean(file, initial) for file in files or [None]]


class UploadForm(forms.Form):
    """Base of both upload forms. `limit` knows whether the files were too large and therefore skipped."""

    def __init__(self, *args: Any, limit: UploadLimit, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.limit = limit
        self.fields["upload"].widget.attrs["data-most-bytes"] = limit.most

    def full_clean(self) -> None:
        """Replace the error for files that were skipped for their size."""
        super().full_clean()
        if self.is_bound and self.limit.was_exceeded:
            self.errors.pop("upload", None)
            self.add_error("upload", too_large())


class DatasetForm(UploadForm):
    """The files, their format, and which part to load."""

    upload = FilesField(
        label="Files",
        help_text="One or more files, also as .gz or .zip. Choose them or drop them here.",
    )
    format = forms.ChoiceField(
        widget=forms.RadioSelect, choices=[(f.name, f.title) for f in FORMATS.values()], initial=next(iter(FORMATS))
    )
    title = forms.CharField(
        label="Title",
        max_length=TITLE_LENGTH,
        required=False,
        help_text="The title on all pages. Empty: the short name or, without one, the name of the file.",
    )
    slug = forms.SlugField(
        label="Short name",
        max_length=MAX_SHORT_NAME,
        required=False,
        help_text=(
            "For addresses and commands: letters, digits, hyphens and underscores; if empty, derived from the title. "
            "With the name of an existing data set, new records are added to it."
        ),
    )
    system = forms.CharField(
        label="System",
        max_length=200,
        required=False,
        help_text="Used where the files name no system. Raters never see it.",
    )
    subset = forms.ChoiceField(
        widget=forms.RadioSelect, choices=[(rule.name, rule.title) for rule in RULES.values()], initial="all"
    )
    sample = forms.IntegerField(
        label="Sample",
        min_value=1,
        max_value=10**9,
        required=False,
        help_text="Number of prompts, drawn at random from the subset.",
    )
    seed = forms.IntegerField(
        label="Seed",
        min_value=0,
        max_value=2**63 - 1,
        initial=1,
        help_text="The same seed draws the same prompts everywhere.",
    )

    def clean_title(self) -> str:
        """Return the title, or the name of the first file without its suffixes where there is no short name either."""
        title: str = self.cleaned_data["title"]
        if title or self.data.get("slug") or not self.cleaned_data.get("upload"):
            return title
        return re.sub(r"(\.[A-Za-z]+)+$", "", self.cleaned_data["upload"][0].name)[:TITLE_LENGTH]

    def clean_slug(self) -> str:
        """Derive an empty name from the title. Refuse the word that the address of this page needs."""
        slug: str = self.cleaned_data["slug"] or derived_short_name(
            self.cleaned_data.get("title", ""), Dataset.objects.all(), RESERVED
        )
        if not slug:
            raise forms.ValidationError("Enter a title, or a short name of Latin letters and digits.")
        if slug == RESERVED:
            raise forms.ValidationError(f"“{slug}” is reserved by the site: choose another name.")
        return slug

    def clean(self) -> dict[str, Any]:
        """Check that rule, number of files and earlier format fit the format."""
        cleaned = super().clean() or {}
        reader = FORMATS.get(cleaned.get("format", ""))
        if reader is None:
            return cleaned
        if cleaned.get("subset") and cleaned["subset"] not in reader.rules:
            self.add_error(
                "subset",
                f"{reader.title} has no rule {cleaned['subset']}: choose “every prompt”.",
            )
        if not reader.takes_system:
            cleaned["system"] = ""  # the page hides the field
        if len(cleaned.get("upload", [])) > 1 and not reader.several:
            self.add_error("upload", f"{reader.title} is imported from one file: choose one.")
        stored = Dataset.objects.filter(slug=cleaned.get("slug")).first()
        if stored and stored.format != reader.name:
            self.add_error(
                "slug",
                f"Data set “{stored.slug}” has another format: choose another name.",
            )
        return cleaned

    def params(self) -> dict[str, Any]:
        """Return the job's parameters."""
        return {name: self.cleaned_data[name] for name in CHOSEN}


def address_of_form(params: dict[str, Any]) -> str:
    """Return the address of the form for a data set, with the earlier choices but without files."""
    query = {name: params[name] for name in CHOSEN if params.get(name) not in (None, "")}
    return f"{reverse('import_dataset')}?{urlencode(query)}"


class ResponsesForm(UploadForm):
    """A file of responses, its format, and their system if the file does not name it."""

    upload = forms.FileField(
        label="File",
        help_text=(
            "A table: JSON Lines, CSV, Excel (.xlsx) or Parquet with <code>prompt</code> (id or exact text), "
            "<code>system</code>, <code>text</code> and an optional <code>id</code>. Or a log of an evaluation, whose "
            "prompts are found by id or text. Text files also as .gz."
        ),
    )
    format = forms.ChoiceField(
        label="Format",
        choices=[(name, "Table" if name == ROWS else FORMATS[name].title) for name in RESPONSE_FORMATS],
        initial=ROWS,
        required=False,
    )
    system = forms.CharField(
        label="System",
        max_length=200,
        required=False,
        help_text="Used where the file names no system. Raters never see it.",
    )

    def clean_format(self) -> str:
        """Return the format, by default a table."""
        return self.cleaned_data["format"] or ROWS
