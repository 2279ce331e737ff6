"""Serializers of data sets, their contents and imports."""

import json
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ..importing import FORMATS, RULES
from ..importing.annotation_tools import TOOLS
from ..importing.dataset import RESERVED
from ..importing.responses import FORMATS as RESPONSE_FORMATS
from ..importing.responses import ROWS
from ..models import Dataset, DatasetImport, Item, Prompt
from ..models import Response as ModelResponse
from ..projects.create import MAX_SHORT_NAME
from .document_serializers import SectionSerializer

TITLE_LENGTH = 200
MAX_SEED = 2**63 - 1


class DatasetSerializer(serializers.Serializer[Dataset]):
    """A data set."""

    slug = serializers.CharField()
    title = serializers.CharField()
    format = serializers.CharField()
    created_at = serializers.DateTimeField()


class SystemSerializer(serializers.Serializer[object]):
    """A system with the number of its responses."""

    name = serializers.CharField()
    responses = serializers.IntegerField(source="n")


class KindSerializer(serializers.Serializer[object]):
    """How many items of one unit and kind there are; `unplaced` have no position in the text."""

    unit = serializers.CharField()
    kind = serializers.CharField()
    rate = serializers.BooleanField()
    items = serializers.IntegerField(source="n")
    unplaced = serializers.IntegerField()


class BreakdownSerializer(serializers.Serializer[object]):
    """A metadata key of the prompts, by which reports break down every figure."""

    key = serializers.CharField()
    values = serializers.IntegerField()
    prompts = serializers.IntegerField()


class DatasetContentsSerializer(DatasetSerializer):
    """A data set with the counts of its contents."""

    documents = serializers.IntegerField()
    prompts = serializers.IntegerField()
    responses = serializers.IntegerField()
    items = serializers.IntegerField()
    rated_items = serializers.IntegerField()
    systems = SystemSerializer(many=True)
    kinds = KindSerializer(many=True)
    metadata = BreakdownSerializer(many=True)
    projects = serializers.ListField(child=serializers.CharField(), help_text="Those that the caller may see.")


class DocumentRowSerializer(serializers.Serializer[object]):
    """A document without its text, which has an address of its own."""

    id = serializers.UUIDField(source="public_id")
    key = serializers.CharField(help_text="The imported id.")
    title = serializers.CharField(allow_blank=True)
    metadata = serializers.DictField()


class FullDocumentSerializer(DocumentRowSerializer):
    """A document with its text."""

    sections = SectionSerializer(many=True)


class PromptRowSerializer(serializers.Serializer[Prompt]):
    """A prompt. `reference` is never sent to raters."""

    id = serializers.UUIDField(source="public_id")
    key = serializers.CharField(help_text="The imported id.")
    text = serializers.CharField()
    document = serializers.CharField(source="document.key", allow_null=True, default=None, help_text="Imported id.")
    reference = serializers.CharField(allow_blank=True)
    metadata = serializers.DictField()


class ResponseRowSerializer(serializers.Serializer[ModelResponse]):
    """A response of a system to a prompt."""

    id = serializers.UUIDField(source="public_id")
    key = serializers.CharField(help_text="The imported id.")
    prompt = serializers.CharField(source="prompt.key", help_text="Imported id.")
    system = serializers.CharField(source="system.name")
    text = serializers.CharField()
    metadata = serializers.DictField()


class DatasetItemSerializer(serializers.Serializer[Item]):
    """An item of a response."""

    id = serializers.UUIDField(source="public_id")
    unit = serializers.ChoiceField(choices=Item.Unit.choices)
    position = serializers.IntegerField()
    kind = serializers.CharField()
    start = serializers.IntegerField(allow_null=True)
    end = serializers.IntegerField(allow_null=True)
    text = serializers.CharField(allow_blank=True)
    rate = serializers.BooleanField()


class ResponseWithItemsSerializer(ResponseRowSerializer):
    """A response with its items."""

    items = DatasetItemSerializer(many=True)


class PromptWithResponsesSerializer(PromptRowSerializer):
    """A prompt with the responses of all systems and their items."""

    annotations = serializers.ListField(child=serializers.DictField(), help_text="Of the data set itself.")
    responses = ResponseWithItemsSerializer(many=True)


class ResponsesQuerySerializer(serializers.Serializer[object]):
    """Filters of responses."""

    system = serializers.CharField(required=False, max_length=200)
    prompt = serializers.CharField(required=False, max_length=200, help_text="Imported id.")


class PromptsQuerySerializer(serializers.Serializer[object]):
    """Filters of prompts."""

    document = serializers.CharField(required=False, max_length=200, help_text="Imported id.")


class ImportSerializer(serializers.Serializer[DatasetImport]):
    """An import that has stored something."""

    kind = serializers.ChoiceField(choices=DatasetImport.Kind.choices)
    files = serializers.ListField(child=serializers.DictField(), help_text="Name and SHA-256 of each file.")
    options = serializers.SerializerMethodField(
        help_text="The choices, without the users of another tool's annotators."
    )
    counts = serializers.DictField(help_text="As `import_dataset --json` prints them.")
    imported_by = serializers.CharField(source="imported_by.username", allow_null=True, default=None)
    imported_at = serializers.DateTimeField()

    def get_options(self, record: DatasetImport) -> dict[str, Any]:
        """Return the choices without names of raters, which leads of a project may not see."""
        return {name: value for name, value in record.options.items() if name != "annotators"}


class FormatSerializer(serializers.Serializer[object]):
    """A format of data sets."""

    name = serializers.CharField()
    title = serializers.CharField()
    describes = serializers.CharField(help_text="Which files.")
    rules = serializers.ListField(child=serializers.CharField(), help_text="Values of `subset`.")
    several = serializers.BooleanField(help_text="Whether several files can be imported at once.")
    mapped = serializers.BooleanField(help_text="Whether `columns` says what the columns of the files are.")


class FormatsSerializer(serializers.Serializer[object]):
    """The formats of data sets."""

    formats = FormatSerializer(many=True)


@extend_schema_field({"type": "array", "items": {"type": "string", "format": "binary"}, "minItems": 1})
class FilesField(serializers.ListField):
    """Uploaded files: one part of the form for each."""

    child = serializers.FileField(allow_empty_file=True, max_length=255)

    def get_value(self, dictionary: Any) -> Any:
        """Return the parts of the form with the field's name."""
        return dictionary.getlist(self.field_name) if hasattr(dictionary, "getlist") else serializers.empty


class NewImportSerializer(serializers.Serializer[object]):
    """Files to import into a data set, which is created if it does not exist."""

    upload = FilesField(min_length=1, help_text="The files; also .gz or .zip.")
    slug = serializers.SlugField(max_length=MAX_SHORT_NAME, help_text="Of the data set.")
    format = serializers.ChoiceField(choices=list(FORMATS))
    title = serializers.CharField(required=False, allow_blank=True, default="", max_length=TITLE_LENGTH)
    system = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=200, help_text="Where the files name none."
    )
    subset = serializers.ChoiceField(choices=list(RULES), required=False, default="all")
    sample = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=10**9,
        help_text="Drawn at random.",
    )
    seed = serializers.IntegerField(required=False, default=1, min_value=0, max_value=MAX_SEED)
    columns = serializers.JSONField(
        required=False,
        default=None,
        help_text="For formats with mapped columns: JSON such as "
        '`{"prompt": "question", "response": ["answer_a", "answer_b"]}`. '
        "Without it, the columns of the data set's last import, or those that their names suggest.",
    )
    project = serializers.SlugField(
        required=False,
        allow_blank=True,
        default="",
        max_length=MAX_SHORT_NAME,
        help_text="For the formats of annotation tools: the project that gets the annotations as ratings. It is "
        "created if it does not exist. Without it only the data is imported.",
    )
    protocol = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=200,
        help_text="Of the project: SLUG or SLUG@VERSION; without it the project's, or one that is made of the labels.",
    )
    labels = serializers.JSONField(
        required=False,
        default=None,
        help_text='The answer of each label, as JSON: `{"accuracy.accurate": ["verdict:Supported"]}`. Without it that '
        "of the project's last import, or the options with the labels' names.",
    )
    annotators = serializers.JSONField(
        required=False,
        default=None,
        help_text='The user of each annotator, as JSON: `{"label-studio-7": "maria"}`. Without it those of the '
        "project's last import, or inactive users with the annotators' names.",
    )
    dry_run = serializers.BooleanField(required=False, default=False, help_text="Only count; store nothing.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that what is about a project comes with one, and that its whole export is imported."""
        if not attrs["project"]:
            wrong = [name for name in ("protocol", "labels", "annotators") if attrs[name]]
            message = "This is for the annotations of a project: name it in `project`."
        elif attrs["format"] not in TOOLS:
            wrong, message = ["project"], f"Annotations are imported from: {', '.join(TOOLS)}."
        else:
            wrong = ["sample"] if attrs["sample"] else []
            message = "A project is imported completely, as its annotations are about all of its responses."
        if wrong:
            raise serializers.ValidationError(dict.fromkeys(wrong, message))
        return attrs

    def validate_slug(self, slug: str) -> str:
        """Refuse the word that an address of the pages needs."""
        if slug == RESERVED:
            raise serializers.ValidationError(f"'{slug}' is reserved by the site: choose another name.")
        return slug

    def validate_columns(self, columns: object) -> object:
        """Read JSON in a text, as a form sends it."""
        return _json_of(columns)

    def validate_labels(self, labels: object) -> object:
        """Read JSON in a text, as a form sends it."""
        return _json_of(labels)

    def validate_annotators(self, annotators: object) -> object:
        """Read JSON in a text, as a form sends it."""
        return _json_of(annotators)


def _json_of(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError as error:
        raise serializers.ValidationError(f"This is not valid JSON: {error}") from None


class NewResponsesSerializer(serializers.Serializer[object]):
    """A file of responses to the data set's prompts."""

    upload = serializers.FileField(allow_empty_file=True, max_length=255)
    format = serializers.ChoiceField(choices=list(RESPONSE_FORMATS), required=False, default=ROWS)
    system = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=200, help_text="Where the file names none."
    )
    dry_run = serializers.BooleanField(required=False, default=False, help_text="Only count; store nothing.")
