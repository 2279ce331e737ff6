"""Data sets with their documents, prompts, systems and responses, and the imports that stored them."""

import uuid

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from .created_at import CreatedAtField
from .data_changes import RECORD_UPDATE


class Dataset(models.Model):
    """An imported data set."""

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    format = models.CharField(max_length=20)
    created_at = CreatedAtField()

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.title


class DatasetImport(models.Model):
    """One run of an importer: its options, the records that were stored, and those left out by reason."""

    class Kind(models.TextChoices):
        DATASET = "dataset", "Data set"
        RESPONSES = "responses", "Responses"
        RATINGS = "ratings", "Ratings"

    dataset = models.ForeignKey(Dataset, models.CASCADE, related_name="imports")
    kind = models.CharField(max_length=10, choices=Kind)
    files = models.JSONField(default=list, help_text="Names and SHA-256 of the files read.")
    options = models.JSONField(default=dict, help_text="Subset rule, sample, seed and the like.")
    counts = models.JSONField(default=dict, help_text="What `--json` prints.")
    steps = models.JSONField(default=list, help_text="Prompts and documents left after each step of the subset.")
    imported_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    imported_at = CreatedAtField()

    class Meta:
        ordering = ["-imported_at", "-id"]

    def __str__(self) -> str:
        return f"{self.kind} for {self.dataset_id}"


class Document(models.Model):
    """An article, syllabus or other source text.

    `sections` is `[{"heading": str, "level": int, "paragraphs": [{"id": "p7", "kind": str, "text": str}]}]`. Paragraph
    ids are numbered through the document; `kind` is `text`, `figure` or `table` (then the text is the caption).
    A document is read as a whole and never changes, so one column stores its paragraphs.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    dataset = models.ForeignKey(Dataset, models.CASCADE, related_name="documents")
    key = models.CharField(max_length=200, help_text="The imported id.")
    title = models.TextField(blank=True)
    sections = models.JSONField(default=list)
    metadata = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["dataset", "key"], name="unique_document_key")]
        triggers = [RECORD_UPDATE]

    def __str__(self) -> str:
        return self.title or self.key


class Prompt(models.Model):
    """A question to the systems. Raters never see `reference` and `annotations`, the data set's own answers."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    dataset = models.ForeignKey(Dataset, models.CASCADE, related_name="prompts")
    document = models.ForeignKey(Document, models.PROTECT, null=True, blank=True, related_name="prompts")
    key = models.CharField(max_length=200, help_text="The imported id.")
    text = models.TextField()
    reference = models.TextField(blank=True)
    annotations = models.JSONField(default=list, blank=True, encoder=DjangoJSONEncoder)
    metadata = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["dataset", "key"], name="unique_prompt_key")]
        triggers = [RECORD_UPDATE]

    def __str__(self) -> str:
        return self.text


class System(models.Model):
    """A model with its configuration. Raters never see its name."""

    dataset = models.ForeignKey(Dataset, models.CASCADE, related_name="systems")
    name = models.CharField(max_length=200)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["dataset", "name"], name="unique_system_name")]
        triggers = [RECORD_UPDATE]

    def __str__(self) -> str:
        return self.name


class Response(models.Model):
    """One system's output for one prompt, stored byte for byte."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    dataset = models.ForeignKey(Dataset, models.CASCADE, related_name="responses")
    prompt = models.ForeignKey(Prompt, models.PROTECT, related_name="responses")
    system = models.ForeignKey(System, models.PROTECT, related_name="responses")
    key = models.CharField(max_length=200, help_text="The imported id, or a hash of prompt, system and text.")
    text = models.TextField()
    metadata = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["dataset", "key"], name="unique_response_key")]
        triggers = [RECORD_UPDATE]

    def __str__(self) -> str:
        return self.key
