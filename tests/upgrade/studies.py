"""The studies whose reports 0.7.1 recorded: the commands that load each, and the commands whose output is compared.

Only commands of CONTRACT are used, so that any version can load the studies; a version before `SLUG@VERSION` needs the
slug alone. `{fixtures}` is the folder of samples, `{files}` the folder of the files that `invented_studies` writes,
`{shared}` the folder of the public data sets.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.upgrade import invented_studies

FIXTURES = Path(__file__).parents[2] / "fixtures"
RECORDED = FIXTURES / "0.7.1"
SHARED = Path(__file__).parents[3] / "shared" / "data"
FEW = "--resamples 300"
TABLES = tuple(f"build_report {FEW} --format {name}" for name in ("csv", "markdown", "latex", "html"))


@dataclass(frozen=True)
class Study:
    """A project, the commands that load it, and those whose output is compared; `--project` is added to the latter."""

    slug: str
    load: tuple[str, ...]
    outputs: tuple[str, ...]
    write_files: Callable[[Path], None] = lambda folder: None

    def commands(self, files: Path) -> list[list[str]]:
        """Return the arguments of each loading command; files are written to `files` first."""
        self.write_files(files)
        places = {"fixtures": str(FIXTURES), "shared": str(SHARED), "files": str(files)}
        return [[word.format(**places) for word in line.split(" ")] for line in self.load]

    def arguments(self, output: str) -> list[str]:
        """Return the arguments of a command whose output is compared."""
        return [*output.split(" "), "--project", self.slug]


def reports(*choices: str, resamples: str = FEW) -> tuple[str, ...]:
    """Return a command that builds a report for each line of choices."""
    return tuple(f"build_report {resamples}{f' {line}' if line else ''}" for line in choices)


def study(slug: str, format: str, paths: str, protocol: str, *more: str) -> tuple[str, ...]:
    """Return the commands that load a data set and create a project of it, followed by `more`."""
    return (
        f"import_dataset {format} {paths} --dataset {slug}",
        f"create_project {slug} --dataset {slug} --protocol {protocol} --overlap 3",
        *more,
    )


def _write_web(folder: Path) -> None:
    invented_studies.write_sentences(folder)
    invented_studies.write_web(folder)


STUDIES = (
    Study(
        "worked-example",
        study(
            "worked-example", "jsonl", "{fixtures}/worked-example/dataset.jsonl", "article-accuracy",
            "import_ratings {fixtures}/worked-example/ratings.jsonl --project worked-example",
        ),
        (
            "build_report",
            *reports("--seed 7", "--system Birch", "--where question_type=factual", "--without-rater ravi"),
            *TABLES,
        ),
    ),
    Study(
        "demo",
        study(
            "demo", "qasper", "{fixtures}/demo/articles.json", "article-accuracy",
            "import_responses {fixtures}/demo/responses.jsonl --dataset demo",
            "import_ratings {fixtures}/demo/ratings.jsonl --project demo",
        ),
        (
            *reports("", "--least-seconds 8", "--answers adjudicated --where nlp_background=two"),
            "export_ratings --format csv",
        ),
    ),
    Study(
        "sentences",
        study(
            "sentences", "jsonl", "{files}/sentences.jsonl", "article-accuracy",
            "import_ratings {files}/sentences-ratings.jsonl --project sentences",
        ),
        (
            *reports(
                "",
                "--cluster document",
                "--answers adjudicated",
                "--least-gold 0.6",
                "--least-seconds 3",
                "--answers adjudicated --without-rater rosa --system Plover --where kind=hard --cluster document",
            ),
            f"build_report {FEW} --format latex",
            "export_ratings --format jsonl",
        ),
        invented_studies.write_sentences,
    ),
    Study(
        "web",
        study(
            "web", "jsonl", "{files}/sentences.jsonl", "web-factuality",
            "import_ratings {files}/web-ratings.jsonl --project web",
        ),
        reports("", "--system Plover"),
        _write_web,
    ),
    Study(
        "pairs",
        study(
            "pairs", "lfqa_eval", "{files}/pairs.jsonl", "pairwise-preference",
            "import_ratings {files}/pairs.jsonl --project pairs --format lfqa_eval",
        ),
        (*reports(""), *TABLES, "export_dataset --format lfqa_eval"),
        invented_studies.write_pairs,
    ),
    Study(
        "claims",
        study(
            "claims", "expertqa", "{files}/claims.jsonl", "claim-attribution",
            "import_ratings {files}/claims.jsonl --project claims --format expertqa",
        ),
        (*reports("", "--where field=Law"), "export_dataset --format expertqa"),
        invented_studies.write_claims,
    ),
    Study(
        "facts",
        study(
            "facts", "jsonl", "{files}/facts.jsonl", "fact-support@1",
            "import_responses {files}/facts-responses.jsonl --dataset facts",
            "import_ratings {files}/facts-ratings.jsonl --project facts",
        ),
        (
            *reports("", "--where question_type=yes/no"),
            f"build_report {FEW} --format markdown",
        ),
        invented_studies.write_facts,
    ),
)  # fmt: skip
