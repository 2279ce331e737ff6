"""Let the database set when a job was created: its clock says whether nobody has started it in time."""

import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0029_judges"),
    ]

    operations = [
        migrations.AlterField(
            model_name="job",
            name="created_at",
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
        ),
    ]
