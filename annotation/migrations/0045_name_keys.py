"""The key of each user name, unique, and the name that a renamed account has in data.

Accounts whose names have the same key keep their names. The one that can sign in gets the key, the others get it with a
suffix; `migrate` lists them, and so do the doctor and the page *People* until an admin renames them.
"""

from collections import defaultdict

from django.db import migrations, models

import annotation.models.user_names
from annotation.models.user_names import SUFFIX, name_key

BATCH = 5_000


def fill_keys(apps, schema_editor):
    users = apps.get_model("annotation", "User").objects
    linked = set(apps.get_model("socialaccount", "SocialAccount").objects.values_list("user", flat=True))
    fields = ("pk", "username", "is_active", "password", "is_superuser", "date_joined")
    accounts = defaultdict(list)
    for pk, name, is_active, password, is_superuser, joined in users.values_list(*fields).iterator():
        signs_in = is_active and (pk in linked or not password.startswith("!"))
        accounts[name_key(name)].append((not signs_in, not is_active, not is_superuser, joined, pk, name))
    keys = {}
    for key, same in accounts.items():
        (*_order, first, kept), *others = sorted(same)
        keys[first] = key
        for *_order, pk, name in others:
            keys[pk] = f"{key}{SUFFIX}{pk}"
            print(
                f"\n    user {name!r} has a spelling of the name of user {kept!r}: rename one (manage.py rename_user)"
            )
    rows = list(keys.items())
    with schema_editor.connection.cursor() as cursor:
        for start in range(0, len(rows), BATCH):
            pks, new = zip(*rows[start : start + BATCH], strict=True)
            cursor.execute(
                "UPDATE annotation_user SET name_key = key FROM unnest(%s::bigint[], %s::text[]) new(pk, key)"
                " WHERE id = pk",
                [list(pks), list(new)],
            )


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0044_generation"),
        ("socialaccount", "0001_initial"),
    ]

    operations = [
        migrations.AlterModelManagers(name="user", managers=[]),
        migrations.AddField(
            model_name="user",
            name="name_key",
            field=annotation.models.user_names.NameKeyField(
                default="", editable=False, help_text="The same for all spellings of the user name."
            ),
        ),
        migrations.RunPython(fill_keys, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="user",
            name="name_key",
            field=annotation.models.user_names.NameKeyField(
                default="", editable=False, help_text="The same for all spellings of the user name.", unique=True
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="original_name",
            field=models.CharField(
                blank=True,
                editable=False,
                help_text="The user name before it was changed: data hashes, reports, exports and pseudonyms keep it.",
                max_length=150,
                null=True,
                unique=True,
            ),
        ),
    ]
