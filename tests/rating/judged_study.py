"""A study that a rule judge has rated, whose raters see its verdicts or not."""

from annotation.judging.judges import create_judge
from annotation.judging.run import run_judge
from annotation.models import Judge, Verdict
from annotation.projects.project_settings import change_settings
from tests.cast import Study, study

QUOTE = "It grew to 17.3 km."


def judged_study(visibility: str, **values) -> Study:
    """Return `study(**values)` with verdicts of the judge `rule`: no number of a sentence is in the article."""
    june = study(**values)
    judge, _is_new = create_judge(Judge(name="rule", rule=Judge.Rule.NUMBERS))
    run_judge(judge, june.project)
    Verdict.objects.update(quote=QUOTE, quote_found=True)
    change_settings(june.project, {"verdict_visibility": visibility, "shown_judge": judge})
    return june
