"""Tokens get a prefix, a scope, a project, an expiry and a last use, and end when the password changes.

Tokens from before stay valid until then. Their keys are not known, so their prefixes come from the digests.
"""

import django.db.models.deletion
from django.db import migrations, models

# One statement: a second one would leave deferred checks of the user, which forbid to change the table.
FILL = """
    UPDATE annotation_apitoken SET prefix = 'old_' || left(digest, 8),
        password_digest = encode(sha256(convert_to(person.password, 'UTF8')), 'hex')
    FROM annotation_user person WHERE person.id = annotation_apitoken.user_id
"""
LIMITED = """
    DELETE FROM annotation_apitoken WHERE revoked_at IS NOT NULL OR expires_at IS NOT NULL OR project_id IS NOT NULL
    OR scope <> 'full' OR password_digest <> (
        SELECT encode(sha256(convert_to(person.password, 'UTF8')), 'hex')
        FROM annotation_user person WHERE person.id = annotation_apitoken.user_id
    )
"""
"""Back in the version before, these would be valid without a limit."""


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0021_notification_kinds'),
    ]

    operations = [
        migrations.AddField(
            model_name='apitoken',
            name='prefix',
            field=models.CharField(max_length=12, null=True),
        ),
        migrations.AddField(
            model_name='apitoken',
            name='password_digest',
            field=models.CharField(max_length=64, null=True),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AlterField(
            model_name='apitoken',
            name='prefix',
            field=models.CharField(help_text='The start of the key, which lists show; not secret.', max_length=12, unique=True),
        ),
        migrations.AlterField(
            model_name='apitoken',
            name='password_digest',
            field=models.CharField(help_text="`digest_of` the user's password hash: the token ends when the password changes.", max_length=64),
        ),
        migrations.AddField(
            model_name='apitoken',
            name='name',
            field=models.CharField(blank=True, db_default='', default='', help_text='What it is for.', max_length=100),
        ),
        migrations.AddField(
            model_name='apitoken',
            name='scope',
            field=models.CharField(choices=[('full', 'All rights of the user'), ('read', 'Read only'), ('rate', 'Rate only')], db_default='full', default='full', max_length=4),
        ),
        migrations.AddField(
            model_name='apitoken',
            name='project',
            field=models.ForeignKey(blank=True, help_text='The only project it opens.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.project'),
        ),
        migrations.AddField(
            model_name='apitoken',
            name='expires_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='apitoken',
            name='last_used_at',
            field=models.DateTimeField(blank=True, help_text='To the minute.', null=True),
        ),
        migrations.AddField(
            model_name='apitoken',
            name='revoked_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name='apitoken',
            constraint=models.CheckConstraint(condition=models.Q(('scope__in', ['full', 'read', 'rate'])), name='api_token_scope_valid'),
        ),
        migrations.RunSQL(migrations.RunSQL.noop, LIMITED),
    ]
