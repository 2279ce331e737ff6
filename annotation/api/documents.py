"""Documents for their raters, and progress for leads."""

from dataclasses import replace
from operator import attrgetter

from rest_framework import serializers

from ..access import document_for
from ..models import Document
from ..projects.progress import ProjectProgress, project_progress
from ..pseudonyms import in_shown_order, shown_rater
from .authentication import caller
from .views import ObjectView, ProjectView


class ParagraphSerializer(serializers.Serializer[object]):
    """An addressable unit of a document."""

    id = serializers.CharField()
    kind = serializers.CharField(help_text="text, figure or table (then the text is the caption).")
    text = serializers.CharField()


class SectionSerializer(serializers.Serializer[object]):
    """A section; `level` 1 is the highest."""

    heading = serializers.CharField(allow_blank=True)
    level = serializers.IntegerField()
    paragraphs = ParagraphSerializer(many=True)


class DocumentSerializer(serializers.Serializer[object]):
    """An article with its sections and paragraphs."""

    id = serializers.UUIDField(source="public_id")
    title = serializers.CharField()
    sections = SectionSerializer(many=True)


class RaterProgressSerializer(serializers.Serializer[object]):
    """One rater's progress in responses and ratings."""

    rater = serializers.CharField()
    finished = serializers.IntegerField()
    leased = serializers.IntegerField()
    ahead = serializers.IntegerField(help_text="Leased slots that are prefetched and not started.")
    ratings = serializers.IntegerField()


class ProgressSerializer(serializers.Serializer[object]):
    """A project's progress in slots: each response has as many as the overlap."""

    places = serializers.IntegerField(source="slots")
    done = serializers.IntegerField()
    leased = serializers.IntegerField()
    ahead = serializers.IntegerField(help_text="Leased slots that are prefetched and not started.")
    left = serializers.IntegerField(source="remaining")
    responses = serializers.IntegerField()
    nothing_to_rate = serializers.IntegerField()
    set_aside = serializers.IntegerField()
    excluded = serializers.IntegerField()
    raters = RaterProgressSerializer(many=True)


class DocumentText(ObjectView):
    """Sections and paragraphs, for those who may see a response about the document."""

    for_raters = True
    serializer_class = DocumentSerializer

    def get_object(self) -> Document:
        return document_for(caller(self.request), self.kwargs["document_id"])


class Progress(ProjectView, ObjectView):
    """Finished, leased and remaining slots, and each rater's progress. For leads."""

    serializer_class = ProgressSerializer

    def get_object(self) -> ProjectProgress:
        progress = project_progress(self.project)
        named = [replace(row, rater=shown_rater(row.rater)) for row in progress.raters]
        return replace(progress, raters=in_shown_order(named, attrgetter("rater")))
