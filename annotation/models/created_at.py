"""The field of when a row was created."""

from datetime import datetime
from typing import Any

from django.db import models

from ..site.database_clock import database_now


class CreatedAtField(models.DateTimeField):
    """When the row was created, by the database's clock; Django's `auto_now_add` takes the host's.

    To migrations it is Django's field.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **({"auto_now_add": True} | options))

    def pre_save(self, model_instance: models.Model, add: bool) -> datetime:
        """Return the time to store, and set it."""
        if add:
            setattr(model_instance, self.attname, database_now())
        value: datetime = getattr(model_instance, self.attname)
        return value

    def deconstruct(self) -> Any:
        """Return Django's field."""
        name, _path, args, options = super().deconstruct()
        return name, "django.db.models.DateTimeField", args, options
