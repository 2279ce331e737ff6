"""The names of kinds of jobs in the reader's language, the same on pages and in notifications."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

JOB_NAMES = {
    "backup": gettext_lazy("Writing a backup"),
    "compute_metrics": gettext_lazy("Computing metrics"),
    "delete_dataset": gettext_lazy("Deleting a data set"),
    "delete_project": gettext_lazy("Deleting a project"),
    "erase_person": gettext_lazy("Erasing a person"),
    "freeze_report": gettext_lazy("Freezing a report"),
    "work_out_report": gettext_lazy("Computing the report"),
    "rebuild_report": gettext_lazy("Verifying a report"),
    "count_generation_tokens": gettext_lazy("Counting tokens"),
    "generate_responses": gettext_lazy("Generating responses"),
    "run_judge": gettext_lazy("Running a judge"),
    "estimate_judge_run": gettext_lazy("Estimating a run of a judge"),
    "export": gettext_lazy("Writing a file"),
    "import_sample": gettext_lazy("Importing the sample project"),
    "find_labels": gettext_lazy("Reading labels"),
    "load_dataset": gettext_lazy("Importing a data set"),
    "load_project": gettext_lazy("Importing a project"),
    "load_responses": gettext_lazy("Importing responses"),
}


def job_name(kind: str) -> str:
    """Return the name of a kind of jobs."""
    return str(JOB_NAMES[kind]) if kind in JOB_NAMES else _("Working")
