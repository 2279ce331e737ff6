import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0010_offered_again_stays_finished'),
    ]

    operations = [
        migrations.AddField(
            model_name='project',
            name='ahead',
            field=models.PositiveSmallIntegerField(db_default=8, default=8, help_text="How many responses a rater's page keeps besides the one in hand, to go on without a network.", validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10)]),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(('ahead__gte', 1), ('ahead__lte', 10)), name='ahead_is_1_to_10'),
        ),
    ]
