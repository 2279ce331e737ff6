"""Add `hides_raters` to projects."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0026_job_request_ids"),
    ]

    operations = [
        migrations.AddField(
            model_name="project",
            name="hides_raters",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Whether leads see raters under pseudonyms. Site admins see names.",
            ),
        ),
    ]
