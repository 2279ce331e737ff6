"""Runs keep how many of their results failed and the error that ended them."""

from django.db import migrations, models
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce


def count_failures(apps, schema_editor):
    """Count the failed results that runs have; those that a later run has replaced before are unknown."""
    run_model = apps.get_model("annotation", "JudgeRun")
    for name in ("Verdict", "FactScore"):
        failed = apps.get_model("annotation", name).objects.filter(run=OuterRef("pk"), state="failed")
        number = failed.order_by().values("run").annotate(n=Count("pk")).values("n")
        run_model.objects.update(failures=models.F("failures") + Coalesce(Subquery(number), 0))


class Migration(migrations.Migration):

    dependencies = [
        ("annotation", "0039_idempotent_requests"),
    ]

    operations = [
        migrations.AddField(
            model_name="judgerun",
            name="failures",
            field=models.PositiveIntegerField(
                db_default=0,
                default=0,
                help_text="Its failed verdicts or scores, with those that a later run has replaced.",
            ),
        ),
        migrations.AddField(
            model_name="judgerun",
            name="problem",
            field=models.TextField(blank=True, db_default="", default="", help_text="The error that ended it, if one did."),
        ),
        migrations.AlterField(
            model_name="verdict",
            name="quote_found",
            field=models.BooleanField(
                blank=True, help_text="In the document or the evidence; empty: nothing was quoted.", null=True
            ),
        ),
        migrations.RunPython(count_failures, migrations.RunPython.noop),
    ]
