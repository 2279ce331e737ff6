"""Tell estimates from runs of judges, and keep the cost of a run whose requests are deleted."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0033_fact_qa"),
    ]

    operations = [
        migrations.AddField(
            model_name="judgerun",
            name="is_estimate",
            field=models.BooleanField(db_default=False, default=False, help_text="Whether it stores no verdicts."),
        ),
        migrations.AddField(
            model_name="judgerun",
            name="deleted_cost",
            field=models.DecimalField(
                db_default=0,
                decimal_places=8,
                default=0,
                help_text="USD, of its requests that were deleted.",
                max_digits=14,
            ),
        ),
    ]
