"""The form of a TOML text, typed in or sent as a file."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from ...protocols.toml_source import MAX_CHARACTERS

MAX_BYTES = 4 * MAX_CHARACTERS


class TomlTextForm(forms.Form):
    """A TOML text, typed in or sent as a file; the file wins."""

    file = forms.FileField(
        label="File",
        required=False,
        help_text="A TOML file. It replaces the text below.",
    )
    source = forms.CharField(
        label="Text",
        required=False,
        strip=False,
        max_length=MAX_CHARACTERS,
        widget=forms.Textarea,
        help_text="TOML. Used if no file is chosen.",
    )

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["source"].widget.attrs |= {"rows": 24, "spellcheck": "false", "class": "code", "data-source": ""}
        self.fields["file"].widget.attrs |= {"accept": ".toml,text/plain", "data-source-file": ""}

    def clean_file(self) -> str:
        """Return the file's text."""
        upload: UploadedFile | None = self.cleaned_data["file"]
        if upload is None:
            return ""
        if (upload.size or 0) > MAX_BYTES:
            raise forms.ValidationError("The file is too large: a text has at most 200,000 characters.")
        try:
            return upload.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise forms.ValidationError(f"Line {line} is not UTF-8: save the file as UTF-8.") from None

    def clean(self) -> dict[str, Any]:
        """Return one text, in which lines end in LF."""
        cleaned = super().clean() or {}
        text = cleaned.get("file") or cleaned.get("source") or ""
        if not text.strip() and not self.errors:
            self.add_error("source", "Choose one: a text or a file.")
        return {**cleaned, "text": text.replace("\r\n", "\n")}
