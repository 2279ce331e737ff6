from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0025_sign_in_counters'),
    ]

    operations = [
        migrations.AddField(
            model_name='job',
            name='request_id',
            field=models.CharField(blank=True, db_default='', default='', help_text='The request that created it, in the log.', max_length=36),
        ),
    ]
