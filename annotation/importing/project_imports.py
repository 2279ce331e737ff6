"""Import of another tool's project: the data set, a project and the ratings, in one step that stores all or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from ..jobs import Progress, Refused
from ..models import Dataset, Project, ProtocolVersion, Rating, User
from ..projects.create import create_project
from ..projects.protocol_versions import ProtocolClash, find_protocol, store_protocol
from ..protocols import ProtocolError
from ..queue.errors import ProjectError
from .annotation_tools import TOOLS
from .annotator_mapping import Annotators, check_annotators, user_name, users_of
from .column_mapping import Columns
from .dataset import AnyPath, files_of, load_dataset
from .formats import FORMATS
from .import_counts import ImportCounts
from .input_files import FileReader, source_file
from .label_mapping import FoundLabels, LabelMapping
from .label_protocol import protocol_of_labels
from .ratings import last_mappings, load_ratings
from .tool_ratings import ToolFiles, stored_columns


@dataclass(frozen=True)
class ProjectSource:
    """What is imported. `columns` and `labels` are the mappings, by default guessed; `annotators` names the users of
    annotators with other names. `protocol` None: the project's, or one that is made of the labels. `system` names the
    system of responses without one."""

    format: str
    paths: Sequence[AnyPath]
    columns: Columns | None = None
    labels: LabelMapping | None = None
    annotators: Annotators | None = None
    protocol: ProtocolVersion | None = None
    system: str = ""


@transaction.atomic
def import_project(
    source: ProjectSource,
    slug: str,
    dataset_slug: str = "",
    *,
    title: str = "",
    dry_run: bool = False,
    actor: User | None = None,
    progress: Progress | None = None,
) -> ImportCounts:
    """Load the files as data set `dataset_slug` (default: the name of the project), create project `slug` on it, with
    as many raters per response as the files have at most, and load the ratings. A project that exists gets what is new.

    Stores everything or nothing: raises Refused. A dry run does the same and rolls it back.
    """
    if source.format not in TOOLS:
        raise Refused([f"format {source.format!r} is unknown; choose one of: {', '.join(TOOLS)}"])
    progress = progress or Progress()
    # The job can be canceled until the last part of the work has ended.
    counts = load_dataset(
        source.format,
        source.paths,
        dataset_slug or slug,
        title=title,
        columns=source.columns,
        system=source.system,
        actor=actor,
        progress=Progress(lambda part: progress(part.done, part.total, part.message)),
    )
    dataset = Dataset.objects.get(slug=dataset_slug or slug)
    stored_labels = _find_stored_labels(source, dataset, source.paths)
    project, mapping = _find_or_create_project(source, slug, dataset, stored_labels, title, actor)
    _labels, before = last_mappings(project, source.format)
    annotators = before
    if source.annotators is not None:
        annotators = check_annotators(source.annotators, stored_labels.annotators, stored_labels.models)
    users = users_of(annotators, stored_labels.annotators, stored_labels.models)
    _refuse_second_users(project, before, {name: users[name] for name in stored_labels.annotators})
    annotators |= {name: users[name] for name in stored_labels.annotators}
    ratings = [
        load_ratings(
            path,
            project,
            format=source.format,
            labels=mapping,
            annotators=annotators,
            actor=actor,
            progress=progress,
        )
        for path in source.paths
        if len(source.paths) == 1 or _find_stored_labels(source, dataset, [path]).annotations
    ]
    for each in ratings:
        counts.new += each.new
        counts.unnamed += each.unnamed
        counts.labels = each.labels
        counts.excluded.merge(each.excluded)
    raters = {name for each in ratings for name in each.raters}
    judges = raters & {users[name] for name in stored_labels.models}
    counts.totals |= {"ratings": sum(each.totals["ratings"] for each in ratings), "raters": len(raters - judges)}
    counts.totals |= {"judges": len(judges)} if judges else {}
    counts.raters, counts.annotators = raters, {k: v for each in ratings for k, v in each.annotators.items()}
    counts.dry_run, counts.project, counts.protocol = dry_run, project.slug, str(project.protocol)
    progress.lock_job()
    if dry_run:
        transaction.set_rollback(True)
    return counts


def protocol_named(name: str) -> ProtocolVersion | None:
    """Return the protocol SLUG or SLUG@VERSION; None for "". Raise Refused for an unknown one."""
    protocol = find_protocol(name) if name else None
    if name and protocol is None:
        raise Refused([f"there is no protocol {name!r}; load it, or choose another one"])
    return protocol


def find_labels(
    format: str, paths: Sequence[AnyPath], columns: Columns | None, system: str, progress: Progress | None = None
) -> FoundLabels:
    """Return the labels, annotators and models of an export before anything of it is stored. Raise Refused."""
    files, _others = files_of(FORMATS[format], [source_file(path) for path in paths])
    return ToolFiles(TOOLS[format], [FileReader(file) for file in files], columns or Columns({}), system).find_labels(
        progress
    )


def _find_stored_labels(source: ProjectSource, dataset: Dataset, paths: Sequence[AnyPath]) -> FoundLabels:
    """Return the labels of files, read with the column mapping that is stored with the data set."""
    return find_labels(source.format, paths, *stored_columns(dataset, source.format))


def _find_or_create_project(
    source: ProjectSource, slug: str, dataset: Dataset, labels: FoundLabels, title: str, actor: User | None
) -> tuple[Project, LabelMapping | None]:
    """Return the project, and the mapping to its protocol, None to guess it."""
    stored = Project.objects.filter(slug=slug).first()
    if stored and stored.dataset_id != dataset.pk:
        raise Refused([f"project {slug!r} is about another data set; choose another name (--project SLUG)"])
    if stored and source.protocol and stored.protocol_id != source.protocol.pk:
        raise Refused([f"project {slug!r} has protocol {stored.protocol}, which does not change; choose another name"])
    if stored:
        return stored, source.labels
    protocol, mapping = source.protocol, source.labels
    if protocol is None:
        if mapping:
            raise Refused(["the label mapping names options of a protocol; name the protocol (--protocol SLUG)"])
        text, mapping = protocol_of_labels(slug.lower().replace("_", "-"), title or slug, labels)
        protocol = _store_label_protocol(text, actor)
    try:
        overlap = max(1, labels.raters)
        return create_project(slug, dataset, protocol, title=title, overlap=overlap, actor=actor), mapping
    except ProjectError as error:
        raise Refused([str(error)]) from None


def _refuse_second_users(project: Project, before: Annotators, users: Annotators) -> None:
    """Raise Refused if an annotator would be another user than in an earlier import: each answer would count twice."""
    of_others = set(before.values())
    earlier_users: dict[str, str] = {}
    for annotator in users:
        own = user_name(annotator)
        earlier_users[annotator] = before.get(annotator) or before.get(own) or ("" if own in of_others else own)
    people = User.objects.in_data({*earlier_users.values(), *users.values()})
    changed = {
        earlier: annotator
        for annotator, earlier in earlier_users.items()
        if earlier in people and people[earlier] != people.get(users[annotator])
    }
    accounts = {people[earlier].pk: earlier for earlier in changed}
    ratings = Rating.objects.filter(project=project, rater__in=accounts, role=Rating.Role.RATER)
    if stored := sorted({accounts[pk] for pk in ratings.values_list("rater", flat=True)}):
        raise Refused(
            [f"annotator {changed[user]!r} is already user {user!r} in this project; keep this user" for user in stored]
        )


def _store_label_protocol(text: str, actor: User | None) -> ProtocolVersion:
    try:
        return store_protocol(text, actor=actor)[0]
    except ProtocolError as error:
        problems = "; ".join(problem.message for problem in error.problems)
        raise Refused(
            [f"no protocol can be made of the labels ({problems}); write one, load it and name it (--protocol SLUG)"]
        ) from None
    except ProtocolClash as clash:
        raise Refused([f"{clash} Or name the stored one (--protocol SLUG)."]) from None
