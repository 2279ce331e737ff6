"""The names of kinds of jobs in the reader's language, the same on pages and in notifications."""

JOB_NAMES = {
    "backup": "Writing a backup",
    "compute_metrics": "Computing metrics",
    "delete_dataset": "Deleting a data set",
    "delete_project": "Deleting a project",
    "erase_person": "Erasing a person",
    "freeze_report": "Freezing a report",
    "work_out_report": "Computing the report",
    "rebuild_report": "Verifying a report",
    "count_generation_tokens": "Counting tokens",
    "generate_responses": "Generating responses",
    "run_judge": "Running a judge",
    "estimate_judge_run": "Estimating a run of a judge",
    "export": "Writing a file",
    "import_sample": "Importing the sample project",
    "find_labels": "Reading labels",
    "load_dataset": "Importing a data set",
    "load_project": "Importing a project",
    "load_responses": "Importing responses",
}


def job_name(kind: str) -> str:
    """Return the name of a kind of jobs."""
    return str(JOB_NAMES[kind]) if kind in JOB_NAMES else "Working"
