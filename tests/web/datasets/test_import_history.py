"""The page of a data set into which many files came one after the other."""

import pytest
from django.urls import reverse

from annotation.models import Dataset, DatasetImport
from tests.cast import person
from tests.importing.test_lfqa_eval import experts

pytestmark = pytest.mark.django_db


def test_the_newest_loads_stand_and_the_rest_unfold(client):
    experts()
    client.force_login(person("ada", admin=True))
    address = reverse("dataset", args=["botany"])
    assert "Earlier loads" not in client.get(address).content.decode()
    for load in DatasetImport.objects.filter(dataset=Dataset.objects.get(slug="botany"))[:2]:
        load.pk = None
        load.save()
    listed, unfolds = client.get(address).content.decode().split("Earlier loads")
    assert (listed.count('class="import-record"'), unfolds.count('class="import-record"')) == (3, 2)
