from django.db import migrations, models
from django.db.models import Q


def name_the_first_ranking(apps, schema_editor):
    """Runs so far that were shown passages had those of the first ranking."""
    shows_passages = Q(judge__sees="passages", judge__fact_qa="") | Q(judge__rule="lexical-overlap")
    shows_document = Q(judge__sees="passages", judge__fact_source="document") & ~Q(judge__fact_qa="")
    runs = apps.get_model("annotation", "JudgeRun").objects.filter(shows_passages | shows_document)
    keys = list(runs.values_list("pk", flat=True))
    apps.get_model("annotation", "JudgeRun").objects.filter(pk__in=keys).update(passage_ranking=1)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0046_reasoning_of_calls")]

    operations = [
        migrations.AddField(
            model_name="judgerun",
            name="passage_ranking",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="Version of the ranking that chose the passages it was shown; empty: none did.",
                null=True,
            ),
        ),
        migrations.RunPython(name_the_first_ranking, migrations.RunPython.noop),
    ]
