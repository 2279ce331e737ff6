"""Settings of projects: names, and no help texts, which their declaration has."""

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0049_former_names"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="project",
            name="ahead_between_1_and_10",
        ),
        # First the column's name is stated, then the field is renamed: the column stays.
        migrations.AlterField(
            "project", "ahead", models.PositiveSmallIntegerField(db_column="ahead", db_default=8, default=8)
        ),
        migrations.RenameField("project", "ahead", "prefetch_limit"),
        migrations.AlterField(
            model_name="project",
            name="prefetch_limit",
            field=models.PositiveSmallIntegerField(
                db_column="ahead",
                db_default=8,
                default=8,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(10),
                ],
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="fewest_gold",
            field=models.PositiveSmallIntegerField(
                db_default=10,
                default=10,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1000),
                ],
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="gold_every",
            field=models.PositiveSmallIntegerField(
                blank=True,
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(2),
                    django.core.validators.MaxValueValidator(1000),
                ],
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="hides_raters",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterField(
            model_name="project",
            name="least_gold",
            field=models.FloatField(
                blank=True,
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(0.01),
                    django.core.validators.MaxValueValidator(1),
                ],
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="overlap",
            field=models.PositiveSmallIntegerField(
                default=1,
                validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)],
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="pass_mark",
            field=models.FloatField(
                db_default=0.8,
                default=0.8,
                validators=[
                    django.core.validators.MinValueValidator(0.01),
                    django.core.validators.MaxValueValidator(1),
                ],
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="shown_judge",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="annotation.judge",
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="shows_decisions",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterField(
            model_name="project",
            name="skips_claim_free",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterField(
            model_name="project",
            name="suggestions",
            field=models.BooleanField(default=True),
        ),
        migrations.AlterField(
            model_name="project",
            name="target_half_width",
            field=models.FloatField(
                blank=True,
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(0.001),
                    django.core.validators.MaxValueValidator(0.5),
                ],
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="tries",
            field=models.PositiveSmallIntegerField(
                db_default=2,
                default=2,
                validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(20)],
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="verdict_visibility",
            field=models.CharField(
                choices=[
                    ("never", "Never"),
                    ("after", "After the response is finished"),
                    ("before", "Before the answer, as suggestions"),
                ],
                db_default="never",
                default="never",
                max_length=6,
            ),
        ),
        migrations.AddConstraint(
            model_name="project",
            constraint=models.CheckConstraint(
                condition=models.Q(("prefetch_limit__gte", 1), ("prefetch_limit__lte", 10)),
                name="ahead_between_1_and_10",
            ),
        ),
    ]
