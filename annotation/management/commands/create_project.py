from typing import Any

from django.core.management.base import CommandParser

from ...i18n.unit_names import counted
from ...jobs import Refused
from ...judging.judges import find_judge
from ...models import Project
from ...projects.create import create_project
from ...projects.progress import slot_counts
from ...projects.protocol_versions import available_protocols, find_protocol
from ..base_command import FactuaryCommand, get_dataset


class Command(FactuaryCommand):
    help = "Create a project: the responses of a data set, one protocol, and an overlap (raters per response)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="name of the new project")
        parser.add_argument("--dataset", required=True, metavar="SLUG")
        parser.add_argument(
            "--protocol", required=True, metavar="SLUG", help="the newest version is used and pinned, or SLUG@VERSION"
        )
        parser.add_argument("--overlap", type=int, default=1, metavar="K", help="overlap: raters per response (1)")
        parser.add_argument("--seed", type=int, default=1, metavar="S", help="seed of the queue's random order (1)")
        parser.add_argument(
            "--skip-claim-free",
            action="store_true",
            help="skip items marked as likely free of claims (questions, courtesy and similar); otherwise all "
            "are rated",
        )

        parser.add_argument(
            "--sample-sentences",
            type=int,
            metavar="N",
            help="ask raters about N sentences (or other items of the protocol), drawn at random; the rest is read",
        )
        parser.add_argument(
            "--design",
            choices=Project.SamplingDesign.values,
            help="how they are drawn: uniform, spread over prompts (default); responses, whole responses; uncertain, "
            "half of them more often where the judge is unsure",
        )
        parser.add_argument("--judge", metavar="NAME", help="the judge for --design uncertain, NAME or NAME@N")

    def work(self, **options: Any) -> None:
        dataset = get_dataset(options["dataset"])
        protocol = find_protocol(options["protocol"])
        if protocol is None:
            slugs = ", ".join(sorted(version.slug for version in available_protocols()))
            raise Refused([f"there is no protocol {options['protocol']!r}; choose one of: {slugs}"])
        has_sample = options["sample_sentences"] is not None
        if not has_sample and (options["design"] or options["judge"]):
            raise Refused(["--design and --judge are about a sample: add --sample-sentences N"])
        project = create_project(
            options["slug"],
            dataset,
            protocol,
            overlap=options["overlap"],
            seed=options["seed"],
            skips_claim_free=options["skip_claim_free"],
            sampling_design=(options["design"] or Project.SamplingDesign.UNIFORM) if has_sample else "",
            sample_size=options["sample_sentences"],
            sampling_judge=find_judge(options["judge"]) if options["judge"] else None,
        )
        counts = slot_counts(project)
        sheets = counted(counts.responses, protocol.definition.sheet_unit)
        self.write_lines([f"project {project.slug}: {sheets} under {protocol}, slots to rate: {counts.slots:,}"])
        if counts.responses and counts.nothing_to_rate and not has_sample:
            self.write_lines([f"with nothing to rate: {counts.nothing_to_rate:,} of {sheets}"])
        if has_sample:
            drawn = counted(project.sampled_items.filter(is_drawn=True).count(), protocol.definition.unit)
            self.write_lines([f"drawn: {drawn} of {project.sampled_items.count():,}"])
        if not counts.responses:
            self.write_lines([f"data set {dataset.slug} has no responses yet: import them with import_responses"])
