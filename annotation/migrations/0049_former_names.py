"""All names that an account had, from the audit: no other account gets one of them."""

from collections import Counter

import django.contrib.postgres.fields
from django.db import migrations, models


def fill_former_names(apps, schema_editor):
    users = apps.get_model("annotation", "User").objects
    renames = apps.get_model("annotation", "AuditEvent").objects.filter(action="change user").order_by("at", "pk")
    former: dict[str, list[str]] = {}
    for before, after in renames.values_list("before__username", "after__username"):
        if before and after and before != after:
            former[after] = [*former.pop(before, []), before]
    renamed = list(users.filter(erased_at=None, username__in=former)) + list(
        users.exclude(original_name=None).exclude(username__in=former)
    )
    names = {user.pk: set(former.get(user.username, [])) for user in renamed}
    # A name that others have or had, which earlier versions allowed, is left out.
    had = Counter(name for each in names.values() for name in each)
    had.update(name for pair in users.values_list("username", "original_name") for name in pair if name)
    for user in renamed:
        own = {user.username, user.original_name}
        kept = {name for name in names[user.pk] if had[name] == 1 + (name in own)}
        users.filter(pk=user.pk).update(former_names=sorted(kept | ({user.original_name} - {None})))


class Migration(migrations.Migration):
    dependencies = [("annotation", "0048_job_kills")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="former_names",
            field=django.contrib.postgres.fields.ArrayField(
                models.CharField(max_length=150),
                blank=True,
                default=list,
                editable=False,
                help_text="The user names before it was changed: no other account gets one of them.",
            ),
        ),
        migrations.RunPython(fill_former_names, migrations.RunPython.noop),
    ]
