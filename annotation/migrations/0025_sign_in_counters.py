"""Counters of failed attempts to sign in, which were in the cache."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0024_network_codes'),
    ]

    operations = [
        migrations.CreateModel(
            name='SignInCounter',
            fields=[
                ('key', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('count', models.PositiveIntegerField(default=0)),
                ('wait_until', models.DateTimeField(blank=True, help_text='No further attempt before this time.', null=True)),
                ('expires_at', models.DateTimeField(db_index=True, help_text='When the count is forgotten.')),
            ],
        ),
    ]
