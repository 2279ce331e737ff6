"""Requests with idempotency keys are stored with their answers; tokens get two scopes."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

NEW_SCOPES = "DELETE FROM annotation_apitoken WHERE scope IN ('lead', 'admin')"
"""Back in the version before, these would have a scope that it does not know."""


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0038_judge_answers'),
    ]

    operations = [
        migrations.CreateModel(
            name='IdempotentRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key_digest', models.CharField(help_text='SHA-256 of the key.', max_length=64)),
                ('fingerprint', models.CharField(help_text='SHA-256 of method, address and body.', max_length=64)),
                ('status', models.PositiveSmallIntegerField(default=0, help_text='Of the answer; 0 until the work is done.')),
                ('answer', models.BinaryField(default=b'', help_text='Body and headers, encrypted: an answer may contain a new key.')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('expires_at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='apitoken',
            name='api_token_scope_valid',
        ),
        migrations.AlterField(
            model_name='apitoken',
            name='scope',
            field=models.CharField(choices=[('full', 'All rights of the user'), ('read', 'Read only'), ('rate', 'Rate only'), ('lead', 'Lead only: projects without rating and administration'), ('admin', 'Administer: the site and its projects, without rating')], db_default='full', default='full', max_length=5),
        ),
        migrations.AddConstraint(
            model_name='apitoken',
            constraint=models.CheckConstraint(condition=models.Q(('scope__in', ['full', 'read', 'rate', 'lead', 'admin'])), name='api_token_scope_valid'),
        ),
        migrations.AddField(
            model_name='idempotentrequest',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='idempotentrequest',
            constraint=models.UniqueConstraint(fields=('user', 'key_digest'), name='unique_idempotency_key'),
        ),
        migrations.RunSQL(migrations.RunSQL.noop, NEW_SCOPES),
    ]
