"""No request stores files beyond MAX_UPLOAD_MB."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.test import Client

from tests.api.clients import program

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def stored(settings, monkeypatch) -> list[int]:
    """Return the sizes of what is written to disk; the limit is 1 MB, and all files are written."""
    settings.MAX_UPLOAD_MB, settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 1, 0
    sizes: list[int] = []
    monkeypatch.setattr(
        TemporaryFileUploadHandler, "receive_data_chunk", lambda self, data, start: sizes.append(len(data))
    )
    return sizes


def large() -> SimpleUploadedFile:
    return SimpleUploadedFile("large.toml", b"x" * 3_000_000)


@pytest.mark.parametrize("address", ["/accounts/login/", "/projects/june/analysis-plan/", "/protocols/new/"])
def test_a_page_refuses_a_request_with_more(lena, address, stored):
    client = Client() if "login" in address else lena
    assert client.post(address, {"file": large(), "upload": large()}).status_code == 400
    assert sum(stored) <= 2**20


def test_the_api_says_so_at_the_field(stored):
    refused = program("ada", admin=True).post("/api/v1/imports/", {"upload": large()}, format="multipart")
    assert refused.status_code == 400
    assert "larger than 1 MB" in refused.json()["errors"]["upload"][0]
    assert sum(stored) <= 2**20
