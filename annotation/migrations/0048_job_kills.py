from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0047_passage_ranking"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="kills",
            field=models.PositiveSmallIntegerField(
                db_default=0,
                default=0,
                help_text="Attempts that ended with their worker and came no further than the others.",
            ),
        ),
        migrations.AddField(
            model_name="job",
            name="least_left",
            field=models.PositiveBigIntegerField(
                blank=True,
                help_text="What the attempt that came furthest had left when its worker was killed.",
                null=True,
            ),
        ),
    ]
