"""The form for a file of scores that were computed elsewhere."""

from typing import Any

from django import forms

from ...importing.upload_limit import UploadLimit, too_large


class ScoresForm(forms.Form):
    """A file of scores. `limit` knows whether it was too large and therefore skipped."""

    upload = forms.FileField(
        label="File of scores",
        help_text=(
            "JSON Lines, CSV, Excel or Parquet with the fields response (its id), metric and value, and for a pair "
            "against (the other response’s id)."
        ),
    )
    replace = forms.BooleanField(label="Replace stored values that differ", required=False)

    def __init__(self, *args: Any, limit: UploadLimit | None = None, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.limit = limit

    def full_clean(self) -> None:
        """Replace the error for a file that was skipped for its size."""
        super().full_clean()
        if self.limit is not None and self.limit.was_exceeded:
            self.errors.pop("upload", None)
            self.add_error("upload", too_large())
